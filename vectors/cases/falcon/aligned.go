package falcon

import "github.com/rnicgen/rnicgen/vectors/falcon/suite"

func init() { families = append(families, alignedInMemory) }

// alignedInMemory: an Atomic is aligned by its address in memory, not by its VA (I-25).
func alignedInMemory(l *list) {
	for _, w := range worldsOf([]string{rc}, nil) {
		for _, op := range []uint8{cmpSwap, fetchAdd} {
			l.add(w, "aligned/"+names[op], "the region begins at a VA that is not a multiple of 8: the address in memory counts", flags(Operands), func(t *T) {
				moved := t.group.Regions[1]
				moved.Base += 4
				t.give(suite.Step{Region: &moved})
				p := t.packet(op)
				p.VA += 4
				r := t.responseTo(p)
				r.Original = t.word()
				t.memory.SetWord(remoteAt+atomicWord, map[bool]uint64{true: p.Data, false: r.Original + p.Data}[op == cmpSwap])
				t.request(p).ack().answer(r)
				p = t.packet(op)
				t.request(p).refused("misaligned", invalidRequest, p)
			}).decide("I-25")
		}
	}
}
