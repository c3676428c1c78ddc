package falcon

import "github.com/rnicgen/rnicgen/vectors/falcon/suite"

func init() { families = append(families, emptyReads) }

// emptyReads: a Read of no octets is one pull, whose STETH is that of the work request's first element, or 0 if it has none. Its R-Key,
// L-Key and VA may be any (I-122).
func emptyReads(l *list) {
	for _, w := range worldsOf(connected, nil) {
		for _, c := range []struct {
			name, comment string
			local         []suite.Element
		}{
			{"none", "without elements", []suite.Element{}},
			{"one", "with one element", []suite.Element{{Key: local, VA: localVA + 5}}},
			{"two", "with two elements: STETH is that of the first", []suite.Element{{Key: local, VA: localVA + 9}, {Key: own, VA: remoteVA}}},
			{"no_region", "whose L-Key names no region", []suite.Element{{Key: 0x3F00, VA: 1<<64 - 1}}},
		} {
			l.add(w, "read/empty/"+c.name, "a Read of no octets "+c.comment, flags(Size), func(t *T) {
				work := t.work(0x10, "read", "", c.local...)
				p := t.outgoing(work, readRequest)
				if len(c.local) > 0 {
					p.SinkVA, p.SinkKey = uint64(c.local[0].VA), uint32(c.local[0].Key)
				}
				first := t.out[cid].rsn
				t.post(work).sends(cid, p)
				t.respond(first, t.dataFor(p, readResponseOnly)).done(work)
			}).cite("8.3.4-04").decide("I-62", "I-107", "I-122")
		}
		l.add(w, "read/empty/other_sink", "the response to a Read of no octets has another VA in STETH", flags(Size, Answer), func(t *T) {
			work := t.work(0x10, "read", "", t.buffer(5, 0))
			p := t.outgoing(work, readRequest)
			p.SinkVA, p.SinkKey = localVA+5, local
			first := t.out[cid].rsn
			t.post(work).sends(cid, p)
			p.SinkVA, p.SinkKey = 0, 0
			t.respond(first, t.dataFor(p, readResponseOnly)).wrong(work, "response_sink", "bad_response")
		}).decide("I-106", "I-122")
	}
}
