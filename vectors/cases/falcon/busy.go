package falcon

func init() { families = append(families, endedWhileBusy) }

// endedWhileBusy: an error of the peer ends a QP in Verbs mode: its work requests are flushed too, and an Atomic that waits is
// answered with CE.
func endedWhileBusy(l *list) {
	for _, w := range worldsOf(connected, func(w world) bool { return w.errors == verbs }) {
		l.add(w, "busy/work", "a wrong request ends the QP while work requests and receives are outstanding", flags(Refused), func(t *T) {
			t.receive(1, 1)
			a, b := t.work(0xC2, "send", "", t.buffer(0, 8)), t.work(0xC3, "read", "", t.buffer(8, 8))
			t.post(a).sends(cid, t.push(a, messages[0])[0])
			t.post(b).sends(cid, t.pulls(b)[0])
			p := carrying(t.packet(writeOnly), t.octets(8))
			p.RKey = readable
			s := t.request(p)
			if w.service == rc {
				s.failed(a, "flushed").failed(b, "flushed")
			}
			s.refused("r_key_right", accessError, p)
		})
		if !isWeak(w) {
			continue
		}
		l.add(w, "busy/atomic", "a wrong request ends the QP while an Atomic waits for a lower SN: the Atomic is answered with CE", flags(Refused, Order), func(t *T) {
			t.sn++ // missing
			atomic, bad := t.packet(fetchAdd), carrying(t.packet(writeOnly), t.octets(8))
			bad.RKey = readable
			late := t.request(atomic).ack().get().Request
			t.request(bad).answerOf(late, t.failing(atomic)).refused("r_key_right", accessError, bad)
		}).decide("I-70")
	}
}
