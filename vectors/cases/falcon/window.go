package falcon

func init() { families = append(families, insideWindow, farMessages) }

// insideWindow: the last SN of the window, and the last RMSN of the pulls that the IRRQ has entries for, are accepted (I-121).
func insideWindow(l *list) {
	for _, w := range worldsOf([]string{rc}, isWeak) {
		l.add(w, "window/last_sn", "a WRITE with the last SN of the window is accepted; the next one arrives too early", flags(Order, Limit), func(t *T) {
			p := t.packet(writeOnly)
			p.SN += uint32(t.config.Window) - 1
			t.written(p, 0)
			p = carrying(t.packet(writeOnly), nil)
			p.SN = uint32(t.config.Window) + 1
			t.request(p).fatal("sn_gap", operationError, p)
		}).decide("I-102", "I-121")
	}
	for _, w := range worldsOf([]string{rc}, func(w world) bool { return !isStrong(w) }) {
		l.add(w, "window/last_rmsn", "a READ Request with an RMSN as far ahead as the IRRQ has entries is accepted; the one after it ends the QP", flags(Order, Limit), func(t *T) {
			p := t.packet(readRequest)
			p.RMSN += uint32(t.config.IRRQ) - 1
			t.request(p).served(p)
			p = t.packet(readRequest)
			p.RMSN = uint32(t.config.IRRQ) + 1
			t.request(p).fatal("bad_rmsn", invalidRequest, p)
		}).decide("I-115", "I-116", "I-121")
	}
}

// farMessages: on a receive queue of its own the n-th message takes the n-th request, however far ahead it is, and gets RNR while
// that is not posted (I-72).
func farMessages(l *list) {
	for _, w := range worldsOf([]string{rc}, func(w world) bool { return !isStrong(w) }) {
		for _, op := range []uint8{sendOnly, sendOnlyImmediate, sendOnlyInvalidate, writeOnlyImmediate} {
			l.add(w, "refuse/rmsn_beyond_window/"+names[op], operationIn(names[op])+"an RMSN 256 ahead: RNR, for that receive is not posted", flags(Retry), func(t *T) {
				t.receive(1, 1)
				p := carrying(t.packet(op), t.octets(8))
				p.RMSN += 256
				t.request(p).breaks("no_receive").rnr()
				p.RMSN -= 256
				t.accepted(p)
			}).decide("I-61", "I-72")
		}
	}
}
