package rdmap

import (
	"encoding/binary"
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// commitLong tests the longest and the shortest ranges, row 0 of the STag table, and digests of octets that change.
func commitLong(l *list) {
	crc32c, crc64, sha256 := verifiables[0], verifiables[1], verifiables[2]
	for _, c := range []struct {
		verifiable
		octets int
	}{{crc32c, 1<<14 - 1}, {sha256, 1 << 14}, {crc64, 1<<14 + 1}, {crc64, 1<<16 - 1}, {crc32c, 1 << 16}, {crc64, 1<<16 + 1}} {
		v, n := c.verifiable, c.octets
		l.add(fmt.Sprintf("commit/long/%s/%d", v.name, n), fmt.Sprintf("the %s of %d octets", v.title, n), flags(RDMAVerify, Digest, LongMessage), func(t *T) {
			p := t.place("two")
			t.lay(near, memory.Region{Rights: memory.RemoteRead | memory.Verifiable, Attributes: memory.Attributes{Hash: v.algorithm}, Address: p.Address, Length: uint64(p.Size), Base: 5})
			t.verify(0, near, 3, n, nil)
		}).in(spacious).cite(cited("2-10", "3.1.2.1-05")...)
	}
	for _, v := range verifiables {
		l.add("commit/nothing/mismatch/"+v.name, "a hash that is not the "+v.title+" of no octets", flags(RDMAVerify, WrongHash, ZeroLength), func(t *T) {
			digest := digestOf(v.algorithm, nil)
			digest[len(digest)-1] ^= 0x10
			t.verify(0, v.area, 8, 0, digest)
		}).ends().cite(cited("3.1.2-04")...).decides("I-20")
	}
	for _, o := range []*commitOp{&aFlush, &aVerify} {
		for _, at := range []struct {
			name, what string
			offset     int
		}{{"last", "at TO 2^64 - 1, the last of its region", 255}, {"behind", "at TO 0, the end of a region whose last TO is 2^64 - 1", 256}} {
			c := l.add("commit/nothing/"+o.name+"/"+at.name, o.what+" of no octets "+at.what, flags(o.flag, ZeroLength, RegionEdge), func(t *T) {
				t.askFor(0, o, t.sinkAt(top, at.offset, 0), 0)
			}).cite(cited("7-02")...).decides("I-20")
			c.Ends = at.name == "behind"
		}
	}
	l.commitRowZero()
	l.commitMoving()
	l.commitBuffers()
}

// layZero stores row 0 of the STag table as a region over the area shared.
func (t *T) layZero(key uint8) uint32 {
	r := t.area(shared).Region
	r.Key, r.Rights, r.Base = key, r.Rights|memory.Invalidate, 0x40
	r.Length = 128
	row := suite.RegionOf(0, r)
	t.joinControl()
	t.add(suite.Input{Port: suite.PortControl, Region: &row})
	return memory.STag(0, key)
}

// commitRowZero tests STags with index 0: as an Invalidate STag, only 0 is none.
func (l *list) commitRowZero() {
	for _, o := range commitOps {
		add := func(key, comment string, write func(t *T)) *Case {
			return l.add("commit/row_zero/"+o.name+"/"+key, o.what+" "+comment, flags(o.flag, Invalidation), write).cite(cited("3.1-09", "3.1-04")...).decides("I-52")
		}
		at := func(stag uint32, offset int) wire.Sink {
			return wire.Sink{STag: stag, TO: 0x40 + uint64(offset), Length: 8}
		}
		add("key", "that invalidates the STag 5 of row 0; then a Write there", func(t *T) {
			stag := t.layZero(5)
			t.askFor(0, o, t.sinkAt(top, 8, 8), stag)
			t.rest()
			t.in(0, wire.AppendWrite(nil, stag, 0x40, true, pattern(8)))
		}).ends()
		add("none", "with the Invalidate STag 0, which is valid: it invalidates nothing", func(t *T) {
			stag := t.layZero(0)
			t.askFor(0, o, t.sinkAt(top, 8, 8), 0)
			t.rest()
			t.in(0, wire.AppendWrite(nil, stag, 0x40, true, pattern(8)))
		})
		add("names", "of octets of the STag 0, which is valid", func(t *T) {
			t.askFor(0, o, at(t.layZero(0), 16), 0)
		})
		add("not_valid", "that invalidates an STag of row 0 with another key", func(t *T) {
			t.askFor(0, o, t.sinkAt(top, 8, 8), t.layZero(5)^3)
		}).ends()
	}
}

// commitMoving tests digests of octets that requests before them change: through a region that is not persistent, so that
// the digest is that of what all observers see (I-54).
func (l *list) commitMoving() {
	for _, late := range []bool{false, true} {
		for _, atomic := range []bool{false, true} {
			name, what := "atomic_write", "an Atomic Write"
			if atomic {
				name, what = "fetch_add", "a FetchAdd"
			}
			if late {
				name += "/late"
			}
			l.add("commit/moving/"+name, fmt.Sprintf("a Write, a Flush, %s and a Verify of the same octets, with the hash that they have then; the platform answers late: %t", what, late), flags(RDMAVerify, Pipeline), func(t *T) {
				octets := pattern(32)
				if late {
					t.silence()
				}
				t.write(0, words, 64, octets)
				t.flush(0, words, 64, 32, wire.Persistence)
				if atomic {
					word := binary.LittleEndian.Uint64(octets[8:])
					binary.LittleEndian.PutUint64(octets[8:], word+0x0101_0101_0101)
					t.atomic(0, t.fetchAdd(words, 72, 0x0101_0101_0101, 0))
				} else {
					t.stored(octets[8:], data)
					t.atomicWrite(0, words, 72, data)
				}
				t.verify(0, alias, 64, 32, digestOf(memory.SHA256, octets))
				if late {
					t.reads("segments_sent")
					t.answer()
				}
			}).ird(3).cite(cited("3.1.2.3-04", "2-11", "4-47")...).decides("I-19", "I-38", "I-54")
		}
	}
	l.add("commit/moving/each_word", "a Flush, Atomic Writes of four words and a Verify of them in turn", flags(RDMAVerify, Pipeline), func(t *T) {
		octets := pattern(32)
		t.write(0, words, 64, octets)
		for i := range 4 {
			t.flush(0, words, 64+8*i, 8, wire.Persistence)
			t.stored(octets[8*i:], data<<i)
			t.atomicWrite(0, words, 64+8*i, data<<i)
			t.verify(0, alias, 64, 32, digestOf(memory.SHA256, octets))
			t.rest()
		}
	}).ird(3).cite(cited("3.1.2.3-04", "2-11")...).decides("I-19", "I-54")
}

// stored writes the octets that an Atomic Write leaves in memory.
func (t *T) stored(octets []byte, data uint64) {
	if t.Config.HostOrder() {
		binary.LittleEndian.PutUint64(octets, data)
		return
	}
	binary.BigEndian.PutUint64(octets, data)
}

// commitBuffers tests work requests of this end at their limits.
func (l *list) commitBuffers() {
	for _, v := range verifiables {
		n := v.algorithm.Octets()
		for _, room := range []int{n, n - 1} {
			c := l.add(fmt.Sprintf("commit/out/verify/%s/room_%d", v.name, room), fmt.Sprintf("a digest of %s into a region of %d octets", v.title, room), flags(RDMAVerify, LocalBuffer, RegionEdge), func(t *T) {
				t.lay(near, memory.Region{Rights: memory.LocalWrite, Address: t.area(shared).Region.Address + 3, Length: uint64(room), Base: 0x77})
				t.postVerify(0, near, 0, 1<<32-1, v.algorithm, nil)
				t.replies(0, func(msn uint32) []byte { return wire.AppendVerifyResponse(nil, msn, pattern(n)) })
			}).cite(cited("3.1.2.2-03")...).decides("I-90")
			c.Ends = room < n
		}
	}
	for _, f := range []wire.Disposition{0, 4, 8, 15} {
		l.add(fmt.Sprintf("commit/out/flush/flags_%d", f), fmt.Sprintf("an RDMA Flush by this end with flags %d, which are sent as the host asks", f), flags(RDMAFlush), func(t *T) {
			t.postFlush(0, 8, f)
			t.replyTo(0, &aFlush)
		}).cite(cited("3.1.1.1-09")...).decides("I-20")
	}
	l.add("commit/out/flush/longest", "an RDMA Flush of 2^32 - 1 octets by this end", flags(RDMAFlush), func(t *T) {
		t.postFlush(0, 1<<32-1, bothFlags)
		t.replyTo(0, &aFlush)
	}).cite(cited("3.1.1.1-07")...)
	for _, term := range []wire.TerminateCode{{Layer: 0, EType: 2, Code: 0}, {Layer: 0, EType: 2, Code: 0xFF}, {Layer: 0, EType: 2, Code: 6}, {Layer: 0, EType: 1, Code: 1}, {Layer: 0, EType: 1, Code: 9}, {Layer: 0, EType: 1, Code: 0xFF}} {
		l.add(fmt.Sprintf("commit/terminated/%d_%d_%d", term.Layer, term.EType, term.Code), fmt.Sprintf("requests of the extension are outstanding, and the peer terminates with %d/%d/0x%02X: the host gets that code", term.Layer, term.EType, term.Code), flags(TerminateIn, Flush), func(t *T) {
			for _, o := range commitOps {
				t.postOp(0, o)
			}
			t.postRead(0, sink, 64, 8)
			t.postAtomic(0, sink, 80, rdmap.Operands{Data: 1})
			t.replyTo(0, commitOps[0])
			t.in(0, wire.AppendTerminate(nil, wire.Terminate{Code: term}))
		}).ord(5).depth(5).ends().cite(cited("5.1-07", "2.3-05")...)
	}
}
