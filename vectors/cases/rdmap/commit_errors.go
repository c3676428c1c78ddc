package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commitFailure is a request of the peer that ends its stream: it is the only input.
type commitFailure struct {
	key, what string
	flags     []string
	rows      []string
	ird       int
	write     func(t *T)
}

// commitFailures lists requests on stream 0 that are refused.
func commitFailures() (list []commitFailure) {
	for _, o := range commitOps {
		add := func(key, what, flag string, write func(t *T), rows ...string) *commitFailure {
			list = append(list, commitFailure{o.name + "/" + key, o.what + " " + what, flags(o.flag, flag), append(rows, "5.2-01", "5.2-04", "5.1-03", "5.1-05"), 1, write})
			return &list[len(list)-1]
		}
		at := func(key, what, flag, area string, offset, octets int, rows ...string) {
			add(key, what, flag, func(t *T) { t.askFor(0, o, t.sinkAt(area, offset, octets), 0) }, rows...)
		}
		at("stag/row", "through an STag whose row is not valid", InvalidSTag, unstored, 0, 8, "7-02")
		add("stag/key", "through an STag with another key", InvalidSTag, func(t *T) {
			k := t.sinkAt(shared, 0, 8)
			k.STag ^= 0x80
			t.askFor(0, o, k, 0)
		}, "7-02")
		add("stag/beyond", "through an STag beyond the table", InvalidSTag, func(t *T) {
			k := t.sinkAt(shared, 0, 8)
			k.STag = 0xFFFF_FF00 | k.STag&0xFF
			t.askFor(0, o, k, 0)
		}, "7-02")
		at("association", "through an STag of another stream", WrongOwner, foreign, 0, 8, "7-02")
		at("domain", "through an STag of another domain", WrongOwner, strange, 0, 8, "7-02")
		at("right", "through an STag that grants no access to the peer", NoRight, private, 0, 8, "7-02", "2.1-20")
		add("wrap", "that extends past TO 2^64 - 1", TOWrap, func(t *T) { t.askFor(0, o, t.sinkAt(top, 252, 8), 0) }, "7-02")
		at("bounds/end", "that ends one octet beyond the region", OutOfBounds, shared, 249, 8, "7-02", "2.1-20")
		at("bounds/behind", "that begins beyond the region", OutOfBounds, shared, 256, 8, "7-02")
		at("bounds/before", "that begins one octet before the region", OutOfBounds, shared, -1, 8, "7-02")
		if o != &anAtomicWord {
			add("bounds/longest", "of 2^32 - 1 octets in a region of 256", OutOfBounds, func(t *T) {
				k := t.sinkAt(shared, 0, 0)
				k.Length = 0xFFFF_FFFF
				t.askFor(0, o, k, 0)
			}, "8-03")
			at("nothing/stag", "of no octets through an STag whose row is not valid", ZeroLength, unstored, 0, 0)
			at("nothing/association", "of no octets through an STag of another stream", ZeroLength, foreign, 0, 0)
			at("nothing/right", "of no octets through an STag that grants no access", ZeroLength, private, 0, 0)
			at("nothing/behind", "of no octets, one octet beyond the end of the region", ZeroLength, bottom, 65, 0)
			at("nothing/before", "of no octets, one octet before the region", ZeroLength, shared, -1, 0)
		}
		for _, n := range []uint32{0, 2, 1 << 31, 1<<31 + 1, 0xFFFF_FFFF} {
			add(fmt.Sprintf("msn_%d", n), fmt.Sprintf("with MSN %d, not 1", n), WrongMSN, func(t *T) { t.in(0, o.segment(n, 0, t.sinkAt(shared, 0, 8))) }, "5.2-02")
		}
		add("msn_again", "with the MSN of the Read before it", WrongMSN, func(t *T) {
			t.read(0, target, 0, 8)
			t.rest()
			t.in(0, o.segment(1, 0, t.sinkAt(shared, 0, 8)))
		}, "5.2-02", "2.1-23", "5.1-04")
		add("ird", "beyond IRD", Limit, func(t *T) {
			t.hold()
			for i := range t.Config.IRD {
				t.ask(0, commitOps[i%3], shared, 8*(i%8))
			}
			t.rest()
			t.ask(0, o, shared, 64)
			t.release()
		}, "2.1-24", "3.1-18", "3.1.1.1-03", "3.1.2.1-03", "3.1.3.1-03")
	}
	list = append(list, ofFlushes()...)
	list = append(list, ofVerifies()...)
	return append(list, ofAtomicWrites()...)
}

func ofFlushes() (list []commitFailure) {
	add := func(key, what, flag string, write func(t *T), rows ...string) {
		list = append(list, commitFailure{"flush/" + key, "an RDMA Flush " + what, flags(RDMAFlush, flag), rows, 1, write})
	}
	for _, f := range []wire.Disposition{0, 4, 8, 7, 1 << 31, 1<<31 | 1, 0xFFFF_FFFC, 0xFFFF_FFFF} {
		add(fmt.Sprintf("flags/%x", uint32(f)), fmt.Sprintf("with the flags 0x%X", uint32(f)), WrongLength, func(t *T) { t.flush(0, shared, 0, 8, f) }, "3.1.1.1-09", "8-02")
	}
	for _, r := range []struct {
		name, what, area string
		flags            wire.Disposition
	}{
		{"persistence", "to persistence of a region that only permits visibility", alias, wire.Persistence},
		{"persistence_of_both", "with both flags of a region that only permits visibility", alias, bothFlags},
		{"visibility", "to global visibility of a region that only permits persistence", words, wire.GlobalVisibility},
		{"visibility_of_both", "with both flags of a region that only permits persistence", words, bothFlags},
	} {
		add("right/"+r.name, r.what, NoRight, func(t *T) { t.flush(0, r.area, 0, 8, r.flags) }, "2.4-04", "2.1-13", "2.1-09", "2.1-20", "2.1-11", "3.2.1-04")
	}
	return list
}

func ofVerifies() (list []commitFailure) {
	add := func(key, what, flag string, write func(t *T), rows ...string) {
		list = append(list, commitFailure{"verify/" + key, "an RDMA Verify " + what, flags(RDMAVerify, flag), rows, 1, write})
	}
	layAs := func(rights memory.Rights, a memory.Attributes) func(t *T) {
		return func(t *T) {
			t.lay(near, memory.Region{Rights: rights, Attributes: a, Address: t.area(shared).Region.Address, Length: 64, Base: 0x100})
			t.verify(0, near, 0, 8, nil)
		}
	}
	add("right/verifiable", "of a region with all rights but Verifiable", NoRight, layAs(every|bothReaches, memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C}), "2.4-07", "3.1.4-07")
	for _, v := range verifiables {
		if v.algorithm != memory.SHA256 { // whose digest gives no octets away
			add("right/read/"+v.name, v.title+" of a verifiable region without Remote Read", NoRight, layAs(memory.Verifiable, memory.Attributes{Hash: v.algorithm}), "2.4-12")
		}
	}
	add("right/read/needed", "of a verifiable region without Remote Read that needs it, with SHA-256", NoRight, layAs(memory.Verifiable, memory.Attributes{Hash: memory.SHA256, Read: memory.ReadNeeded}), "2.4-12")
	for _, v := range verifiables {
		for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33} {
			if n != v.algorithm.Octets() {
				add(fmt.Sprintf("hash_length/%s/%d", v.name, n), fmt.Sprintf("with a hash of %d octets of a region with %s", n, v.title), WrongLength, func(t *T) {
					t.verify(0, v.area, 0, 8, pattern(n))
				}, "3.1.2.1-07")
			}
		}
	}
	return list
}

func ofAtomicWrites() (list []commitFailure) {
	add := func(key, what, flag string, write func(t *T), rows ...string) {
		list = append(list, commitFailure{"atomic_write/" + key, "an Atomic Write " + what, flags(AtomicWrite, flag), rows, 1, write})
	}
	for _, n := range []uint32{0, 1, 4, 7, 9, 16, 0x0800_0000, 0x8000_0008, 0xFFFF_FFFF} {
		add(fmt.Sprintf("length_%d", n), fmt.Sprintf("with Data Sink Length %d", n), WrongLength, func(t *T) {
			k := t.sinkAt(shared, 0, 0)
			k.Length = n
			t.askFor(0, &anAtomicWord, k, 0)
		}, "3.1.3.1-06")
	}
	for i := 1; i < 8; i++ {
		add(fmt.Sprintf("misaligned_%d", i), fmt.Sprintf("at an address that is %d modulo 8", i), Misaligned, func(t *T) { t.atomicWrite(0, shared, 64+i, data) },
			"3.1.3-03", "3.1.3-04", "3.1.3.1-09", "3.1.3.1-12", "3.1.3.1-14", "3.1.3.1-15", "3.1.3.1-16")
	}
	add("misaligned_base", "at an aligned TO with an address that is not", Misaligned, func(t *T) {
		t.lay(near, memory.Region{Rights: memory.RemoteWrite, Address: t.area(shared).Region.Address + 4, Length: 64, Base: 0x1000})
		t.atomicWrite(0, near, 8, data)
	}, "3.1.3.1-09", "3.1.3.1-14", "3.1.3.1-15", "3.1.3.1-16")
	add("right/write", "to a region with all rights but Remote Write", NoRight, func(t *T) {
		t.lay(near, memory.Region{Rights: (every | bothReaches | memory.Verifiable) &^ memory.RemoteWrite, Attributes: memory.Attributes{Type: memory.Flushable, Hash: memory.SHA256},
			Address: t.area(shared).Region.Address, Length: 64, Base: 0x1000})
		t.atomicWrite(0, near, 8, data)
	}, "2.4-13")
	return list
}

// commitErrors tests each of them alone, with traffic after it, and beside another stream.
func commitErrors(l *list) {
	for i, f := range commitFailures() {
		rows := append(f.rows, "5.2-03", "5-01", "3.1.1-04", "3.1.2-03")
		add := func(key, comment string, write func(t *T)) *Case {
			return l.add("commit/"+key+"/"+f.key, comment, f.flags, write).ends().cite(cited(rows...)...)
		}
		add("error", f.what, f.write)
		if i%3 == 0 {
			add("after", f.what+"; then requests of all kinds, without effect", func(t *T) {
				f.write(t)
				t.rest()
				t.write(0, shared, 64, pattern(16))
				for _, o := range commitOps {
					t.ask(0, o, shared, 128)
				}
				t.atomic(0, t.fetchAdd(shared, 136, 1, 0))
			}).cite(cited("4-45")...)
		}
		if i%4 == 1 {
			add("others", f.what+"; another stream continues", func(t *T) {
				t.ask(1, &anAtomicWord, shared, 192)
				f.write(t)
				t.rest()
				for _, o := range commitOps {
					t.ask(1, o, shared, 200)
					t.rest()
				}
			})
		}
	}
	bits := func(o *commitOp, key, what string, n int, change func(k *wire.Sink, bit int)) {
		l.add("commit/bit/"+o.name+"/"+key, fmt.Sprintf("%s with each of %d bits of its %s inverted", o.what, n, what), flags(o.flag, SingleBit), func(t *T) {
			t.lay(near, t.commitNarrow())
			t.each(n, func(int, int) {}, func(stream, bit int) {
				k := t.sinkAt(near, 0, 8)
				change(&k, bit)
				t.askFor(stream, o, k, 0)
			})
		}).ends().cite(cited("5.2-03")...)
	}
	for _, o := range commitOps {
		bits(o, "stag", "STag", 32, func(k *wire.Sink, bit int) { k.STag ^= 1 << bit })
		bits(o, "to", "TO", 64, func(k *wire.Sink, bit int) { k.TO ^= 1 << bit })
		bits(o, "length", "length, of which only shorter ones are valid", 32, func(k *wire.Sink, bit int) { k.Length ^= 1 << bit })
		for _, field := range []string{"msn", "mo", "queue_number"} {
			l.add("commit/bit/"+o.name+"/"+field, fmt.Sprintf("%s with each of 32 bits of %s inverted", o.what, field), flags(o.flag, SingleBit), func(t *T) {
				t.each(32, func(int, int) {}, func(stream, bit int) {
					b := o.segment(1, 0, t.sinkAt(shared, 0, 8))
					v, _ := wire.DDPUntaggedTable.MustField(field).Get(b)
					t.in(stream, set(b, 0, wire.DDPUntaggedTable, field, v^1<<bit))
				})
			}).ends().cite(cited("5.2-02")...)
		}
	}
	l.add("commit/bit/flush/flags", "an RDMA Flush with each of 32 bits of its flags inverted, of which one leaves valid flags", flags(RDMAFlush, SingleBit), func(t *T) {
		t.each(32, func(int, int) {}, func(stream, bit int) { t.flush(stream, shared, 0, 8, wire.Persistence^1<<bit) })
	}).ends().cite(cited("3.1.1.1-09")...)
}

// commitNarrow is narrow with all rights of the extension.
func (t *T) commitNarrow() memory.Region {
	r := t.narrow()
	r.Rights |= bothReaches | memory.Verifiable
	r.Attributes = memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C}
	return r
}
