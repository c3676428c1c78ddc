package rdmap

import (
	"bytes"
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commitWork tests work requests of this end.
func commitWork(l *list) {
	add := func(key, comment string, o *commitOp, write func(t *T), cites ...string) *Case {
		return l.add("commit/out/"+key, comment, flags(o.flag), write).cite(cited(cites...)...)
	}
	for _, o := range commitOps {
		add(o.name+"/request", o.what+" by this end; no response arrives: it is not complete", o, func(t *T) { t.postOp(0, o) }, "4-46", "3.1-16", "3.1.4-01", "3.1.4-04")
		add(o.name+"/unsignaled", o.what+" by this end that is not signaled, and one that is", o, func(t *T) {
			t.postOp(0, o, unsignaled)
			t.postOp(0, o)
			t.replyTo(0, o)
			t.replyTo(0, o)
		})
		add(o.name+"/invalidate", o.what+" by this end with an Invalidate STag", o, func(t *T) {
			t.postOp(0, o, func(w *rdmap.WorkRequest) { w.Commit.Invalidate = 0x5AFE_C0DE })
			t.replyTo(0, o)
		}, "3.1-08", "3.1-04")
		add(o.name+"/ord", o.what+" by this end, more than ORD: the others wait for responses", o, func(t *T) {
			for range t.Config.ORD + 2 {
				t.postOp(0, o)
			}
			for range t.Config.ORD + 2 {
				t.rest()
				t.replyTo(0, o)
			}
		}, "2.1-24", "3.1.1.1-03", "3.1.2.1-03", "3.1.3.1-03").depth(l.config.ORD + 2)
		add(o.name+"/behind_write", "a Write by this end and then "+o.what, o, func(t *T) {
			t.postWrite(0, source, 0, 40)
			t.postOp(0, o)
			t.replyTo(0, o)
		}, "2.1.1-02", "2.1.1-03")
		add(o.name+"/before_write", o.what+" by this end and then a Write and a Send, which are sent at once and complete after it", o, func(t *T) {
			t.postOp(0, o)
			t.postWrite(0, source, 0, 40)
			t.postSend(0, wire.OpSend, source, 0, 3)
			t.replyTo(0, o)
		}).depth(3)
		add(o.name+"/after_error", o.what+" by this end on a stream that has ended: it is flushed", o, func(t *T) {
			t.write(0, private, 0, pattern(1))
			t.rest()
			t.postOp(0, o)
		}, "5.1-07").ends()
		add(o.name+"/flushed", "a Terminate of the peer for a request by this end, and requests after it: all are flushed", o, func(t *T) {
			t.postOp(0, o)
			t.postRead(0, sink, 0, 8)
			t.rest()
			t.in(0, wire.AppendTerminate(nil, wire.Terminate{Code: wire.TerminateCode{Layer: 0, EType: 2, Code: 7}}))
		}, "5.1-07", "2.3-05").ends()
	}
	for _, f := range []wire.Disposition{wire.Persistence, wire.GlobalVisibility, bothFlags} {
		for _, n := range []int{0, 1, 1 << 31} {
			add(fmt.Sprintf("flush/flags_%d/length_%d", f, n), fmt.Sprintf("an RDMA Flush of %d octets by this end with flags %d", n, f), &aFlush, func(t *T) {
				t.postFlush(0, n, f)
				t.replyTo(0, &aFlush)
			}, "2.1-14", "3.1.1.1-05", "3.1.1.1-07", "3.1.1.1-08", "3.1.1.1-09")
		}
	}
	for _, v := range verifiables {
		for _, expected := range []bool{false, true} {
			add(fmt.Sprintf("verify/%s/%t", v.name, expected), fmt.Sprintf("an RDMA Verify by this end, with %s; with an expected hash: %t", v.title, expected), &aVerify, func(t *T) {
				digest := pattern(v.algorithm.Octets())
				var hash []byte
				if expected {
					hash = digest
				}
				t.postVerify(0, sink, 13, 1000, v.algorithm, hash)
				t.replies(0, func(msn uint32) []byte { return wire.AppendVerifyResponse(nil, msn, digest) })
			}, "2.3-02", "2.3-08", "3.1.2.1-04", "3.1.2.1-05", "3.1.2.1-06", "3.1.2.1-07", "2.4-10", "3.1.2.2-03")
		}
		for offset := range 8 {
			add(fmt.Sprintf("verify/%s/sink_%d", v.name, offset), fmt.Sprintf("a digest of %s, placed at all alignments: %d", v.title, offset), &aVerify, func(t *T) {
				t.postVerify(0, shared, 56+offset, 8, v.algorithm, nil)
				t.replies(0, func(msn uint32) []byte {
					return wire.AppendVerifyResponse(nil, msn, pattern(v.algorithm.Octets() + 1)[1:])
				})
			}, "3.1.2.2-03").decides("I-90")
		}
		for word := range v.algorithm.Octets() / 4 {
			add(fmt.Sprintf("verify/%s/differs/word_%d", v.name, word), fmt.Sprintf("a Verify Response that differs from the expected hash in one bit, of 32-bit word %d: the completion says so", word), &aVerify, func(t *T) {
				digest := pattern(v.algorithm.Octets())
				t.postVerify(0, sink, 13, 1000, v.algorithm, digest)
				wrong := bytes.Clone(digest)
				wrong[4*word+word%4] ^= 1 << (word * 3 % 8)
				t.replies(0, func(msn uint32) []byte { return wire.AppendVerifyResponse(nil, msn, wrong) })
				t.postOp(0, &aFlush) // the stream continues
				t.replyTo(0, &aFlush)
			}, "2.3-08").ends().decides("I-57")
		}
	}
	for _, value := range []uint64{0, 1, allOnes, 1 << 63} {
		add(fmt.Sprintf("atomic_write/%x", value), fmt.Sprintf("an Atomic Write of 0x%X by this end", value), &anAtomicWord, func(t *T) {
			t.postAtomicWrite(0, value)
			t.replyTo(0, &anAtomicWord)
		}, "3.1.3.1-05", "3.1.3.1-06", "3.1.3.1-07", "3.1.3.1-11")
	}
	for _, b := range []struct {
		name, what, area string
		offset           int
	}{
		{"invalid", "whose STag is not valid", unstored, 0}, {"association", "of another stream", foreign, 0}, {"domain", "of another domain", strange, 0},
		{"bounds", "that extends past its region", bottom, 57}, {"wrap", "that extends past TO 2^64 - 1", top, 250}, {"right", "that may not be written locally", source, 0},
	} {
		l.add("commit/out/verify/buffer/"+b.name, "this end posts an RDMA Verify whose digest goes to a buffer "+b.what, flags(RDMAVerify, LocalBuffer), func(t *T) {
			t.postVerify(0, b.area, b.offset, 8, memory.CRC64NVMe, nil)
		}).ends().cite(cited("5.1-01", "5.1-02")...)
	}
	l.add("commit/out/mixed", "requests of all kinds by this end, answered in order", flags(Sequence), func(t *T) {
		t.postOp(0, &anAtomicWord)
		t.postRead(0, sink, 64, 8)
		t.postOp(0, &aVerify)
		id := t.postAtomic(0, sink, 40, rdmap.Operands{Data: 1})
		t.postOp(0, &aFlush)
		t.replyTo(0, &anAtomicWord)
		t.readResponse(0, sink, 64, true, pattern(8))
		t.replyTo(0, &aVerify)
		t.atomicResponse(0, id, data)
		t.replyTo(0, &aFlush)
	}).ord(5).depth(5).cite(cited("3.1.3.2-05", "3.1-17", "3.1-19")...)
}

// commitAnswers tests responses of the peer that are wrong.
func commitAnswers(l *list) {
	wrong := func(key, comment string, o *commitOp, write func(t *T)) *Case {
		return l.add("commit/answer/"+key, comment, flags(WrongAnswer, o.flag), write).ends().cite(cited("5.1-03", "5.1-05", "3.1.3.2-05")...)
	}
	reply := func(op wire.Opcode, msn uint32) func(t *T) { return func(t *T) { t.in(0, replyOf(op, msn)) } }
	for _, o := range commitOps {
		wrong(o.name+"/none", "the response to "+o.what+" that was not requested", o, reply(o.response, 1))
		wrong(o.name+"/second", "two responses to "+o.what, o, func(t *T) {
			t.postOp(0, o)
			t.replyTo(0, o)
			t.replyTo(0, o)
		})
		for _, n := range []uint32{0, 2, 1<<31 + 1} {
			wrong(fmt.Sprintf("%s/msn_%d", o.name, n), fmt.Sprintf("the response to %s with MSN %d", o.what, n), o, func(t *T) {
				t.postOp(0, o)
				t.in(0, replyOf(o.response, n))
			})
		}
		for _, other := range commitOps {
			if other != o {
				wrong(o.name+"/to_"+other.name, "the response to "+o.what+" while "+other.what+" is the oldest outstanding request", o, func(t *T) {
					t.postOp(0, other)
					t.postOp(0, o)
					t.in(0, replyOf(o.response, 1))
				}).ord(2)
			}
		}
		wrong(o.name+"/to_read", "the response to "+o.what+" while a Read is the oldest outstanding request", o, func(t *T) {
			t.postRead(0, sink, 0, 8)
			t.postOp(0, o)
			t.in(0, replyOf(o.response, 1))
		}).ord(2)
		wrong(o.name+"/to_atomic", "the response to "+o.what+" while an Atomic is the oldest outstanding request", o, func(t *T) {
			t.postAtomic(0, sink, 0, rdmap.Operands{Data: 1})
			t.in(0, replyOf(o.response, 1))
		})
		wrong("atomic_response/to_"+o.name, "an Atomic Response while "+o.what+" is the oldest outstanding request", o, func(t *T) {
			t.postOp(0, o)
			t.atomicResponse(0, 1, data)
		})
		wrong("read_response/to_"+o.name, "a Read Response while "+o.what+" is the oldest outstanding request", o, func(t *T) {
			t.postOp(0, o)
			t.readResponse(0, sink, 16, true, pattern(8))
		})
		if o != &aVerify {
			for _, n := range []int{1, 4, 8, 32} {
				wrong(fmt.Sprintf("%s/octets_%d", o.name, n), fmt.Sprintf("the response to %s with %d octets after its header", o.what, n), o, func(t *T) {
					t.postOp(0, o)
					t.in(0, append(replyOf(o.response, 1), pattern(n)...))
				})
			}
		}
	}
	for _, v := range verifiables {
		for _, n := range []int{0, 1, 3, 4, 5, 7, 8, 9, 31, 32, 33, 64} {
			if n != v.algorithm.Octets() {
				wrong(fmt.Sprintf("verify/%s/octets_%d", v.name, n), fmt.Sprintf("a Verify Response of %d octets to a Verify with %s", n, v.title), &aVerify, func(t *T) {
					t.postVerify(0, sink, 0, 8, v.algorithm, nil)
					t.in(0, wire.AppendVerifyResponse(nil, 1, pattern(n)))
				})
			}
		}
	}
	wrong("verify/sink_gone", "the buffer of a Verify is invalid when its response arrives", &aVerify, func(t *T) {
		t.postOp(0, &aVerify)
		t.store(sink, func(r *memory.Region) { r.Rights = 0 })
		t.replyTo(0, &aVerify)
	})
}
