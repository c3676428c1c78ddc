package falcon

import "fmt"

func init() { families = append(families, pulls, pullsAfterError, operands) }

// pulls: READ Requests and Atomics reach a target.
func pulls(l *list) {
	for _, w := range worldsOf(connected, nil) {
		for _, z := range sizesOf(l.config.MTU)[:4] {
			l.add(w, "pull/read/"+z.name, fmt.Sprintf("a READ Request for %d octets", z.octets), flags(Basic), func(t *T) {
				p := t.packet(readRequest)
				p.VA += 13
				p.Length = uint32(z.octets)
				t.request(p).served(p)
			}).cite("7.1-07", "8-02", "8.3.1-07", "FTP-7.3-03", "FTP-8.5.3.1-01").decide("I-62")
		}
		for _, op := range []uint8{cmpSwap, fetchAdd} {
			l.add(w, "pull/"+names[op], "two Atomics at the same word: each finds what the one before it left", flags(Basic), func(t *T) {
				p := t.packet(op)
				t.request(p).served(p)
				p = t.packet(fetchAdd)
				t.request(p).served(p)
			}).cite("8-02", "8.3.6-08", "8.3.7-05").decide("I-22", "I-73")
		}
	}
}

// pullsAfterError: a pull that is refused has used its RMSN: the next one has the next, and its own is over (I-72).
func pullsAfterError(l *list) {
	for _, w := range worldsOf(connected, func(w world) bool { return w.errors == inBand }) {
		for _, op := range []uint8{readRequest, cmpSwap, fetchAdd} {
			l.add(w, "pull/after_error/"+names[op], "a pull is refused; the next one has the next RMSN; one with the RMSN of the first ends the QP", flags(Refused), func(t *T) {
				p := t.packet(op)
				p.RKey = 0x3F00
				t.request(p).refused("r_key_unknown", accessError, p)
				good := t.packet(readRequest)
				t.request(good).served(good)
				again := t.packet(op)
				again.RMSN = p.RMSN
				t.request(again).fatal("bad_rmsn", invalidRequest, again)
			}).cite("8.3.2-08").decide("I-72", "I-116")
			l.add(w, "pull/after_payload/"+names[op], "a pull with 4 octets after its headers is refused; the next one has the next RMSN", flags(Refused), func(t *T) {
				p := t.packet(op)
				t.raw(pullReq, append(t.octetsOf(p), 0, 0, 0, 0)).refused("bad_payload", invalidRequest, p)
				good := t.packet(readRequest)
				t.request(good).served(good)
			}).cite("8.3.2-08").decide("I-72")
		}
	}
}

// operands: what Atomics do to a word.
func operands(l *list) {
	w := world{service: rc, ordering: strong, errors: inBand}
	for i, add := range []uint64{0, 1, 1<<63 - 1, 1 << 63, 1<<64 - 1, 0x0000_0001_0000_0000} {
		l.add(w, fmt.Sprintf("operands/fetch_add/%d", i), fmt.Sprintf("FetchAdd of %#x, modulo 2^64; Compare Data has no meaning", add), flags(Operands), func(t *T) {
			for range 2 {
				p := t.packet(fetchAdd)
				p.Data, p.Compare = add, t.rand.Uint64()
				t.request(p).served(p)
			}
		}).cite("8.3.6-11", "8.3.6-12", "8.3.7-05").decide("I-73")
	}
	for _, bit := range []int{-1, 0, 7, 8, 31, 32, 63} {
		name, comment := "equal", "Compare Data is the word: Swap Data is stored"
		if bit >= 0 {
			name, comment = fmt.Sprintf("bit_%d", bit), fmt.Sprintf("Compare Data differs from the word in bit %d: nothing is stored", bit)
		}
		l.add(w, "operands/cmp_swap/"+name, "CmpSwap: "+comment, flags(Operands), func(t *T) {
			p := t.packet(cmpSwap)
			if bit >= 0 {
				p.Compare ^= 1 << bit
			}
			t.request(p).served(p)
			p = t.packet(readRequest)
			p.VA, p.Length = p.VA+atomicWord-8, 24
			t.request(p).served(p)
		}).cite("8.3.6-10", "8.3.6-12", "8.3.7-05").decide("I-73")
	}
}
