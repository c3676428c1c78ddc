package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// flaw is a place of the world flawed: one beat of it, at offset crackAt, fails one kind of access.
type flaw struct {
	name, what             string
	reads, writes, flushes bool
	response               string
}

var flaws = []flaw{
	{"reads", "SLVERR to reads", true, false, false, suite.Responses[0]}, {"decode_reads", "DECERR to reads", true, false, false, suite.Responses[1]},
	{"writes", "SLVERR to writes", false, true, false, suite.Responses[0]}, {"decode_writes", "DECERR to writes", false, true, false, suite.Responses[1]},
	{"flushes", "a failure to flush", false, false, true, suite.Responses[0]},
}

// commitFaulty tests memory that fails one kind of access: each operation fails from one kind alone.
func commitFaulty(l *list) {
	fails := func(f *flaw, o *commitOp) bool {
		return o == &aFlush && f.flushes || o == &aVerify && f.reads || o == &anAtomicWord && f.writes
	}
	layFlawed := func(t *T, f *flaw, h memory.Algorithm) {
		p := t.place(f.name)
		t.lay(near, memory.Region{Rights: all | memory.Invalidate | bothReaches | memory.Verifiable, Attributes: memory.Attributes{Type: memory.Flushable, Hash: h},
			Address: p.Address, Length: uint64(p.Size), Base: 0x3_0000})
	}
	for i := range flaws {
		f := &flaws[i]
		for _, o := range commitOps {
			if o == &anAtomicWord && f.reads { // open: an atomic unit may read the word first (I-97)
				continue
			}
			c := l.add("commit/flaw/"+f.name+"/"+o.name, fmt.Sprintf("%s of octets whose memory responds only with %s", o.what, f.what), flags(o.flag, MemoryError), func(t *T) {
				layFlawed(t, f, memory.CRC64NVMe)
				t.ask(0, o, near, crackAt)
			}).in(flawed).cite(cited("5.1-06", "5.2-04")...)
			c.Ends = fails(f, o)
		}
	}
	l.add("commit/flaw/verify/last_beat", "an RDMA Verify of which only the last octet responds with DECERR, and then requests of all kinds", flags(RDMAVerify, MemoryError), func(t *T) {
		layFlawed(t, &flaws[1], memory.SHA256)
		t.verify(0, near, crackAt-1000, 1001, nil)
		for _, o := range commitOps {
			t.ask(0, o, shared, 64)
		}
	}).in(flawed).ird(4).ends().cite(cited("5.1-06", "5.2-04", "4-45")...)
	l.add("commit/flaw/verify/before", "an RDMA Verify that ends one octet before those that respond with DECERR", flags(RDMAVerify, MemoryError), func(t *T) {
		layFlawed(t, &flaws[1], memory.SHA256)
		t.verify(0, near, crackAt-1000, 1000, nil)
	}).in(flawed).cite(cited("2-10")...)
	// No octets: memory and platform are not asked.
	for _, o := range []*commitOp{&aFlush, &aVerify} {
		l.add("commit/flaw/nothing/"+o.name, o.what+" of no octets where all accesses fail", flags(o.flag, MemoryError, ZeroLength), func(t *T) {
			t.askFor(0, o, t.sinkAt(broken, 8, 0), 0)
		}).in(failing).cite(cited("3.1.1.1-07")...).decides("I-20")
	}
	for _, o := range []*commitOp{&aVerify, &anAtomicWord} {
		l.add("commit/flaw/invalidate/"+o.name, o.what+" whose memory fails invalidates nothing", flags(o.flag, MemoryError, Invalidation), func(t *T) {
			t.askFor(0, o, t.sinkAt(broken, 8, 8), t.area(common).stag())
			t.rest()
			t.write(1, common, 0, pattern(8))
		}).in(failing).ends().cite(cited("3.1-09")...).decides("I-52")
	}
}
