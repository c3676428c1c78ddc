package falcon

import "github.com/rnicgen/rnicgen/vectors/falcon/suite"

func init() { families = append(families, bufferGone) }

// bufferGone: the region of a source is gone after the first of three packets: the Last follows with CE and without payload
// (I-111). In Verbs mode the QP goes to Error, with the next packet or before: no vector can say when.
func bufferGone(l *list) {
	for _, w := range worldsOf(connected, func(w world) bool { return w.errors == inBand }) {
		for _, m := range messages {
			if !m.permits(w, 3) {
				continue
			}
			l.add(w, "buffer_gone/"+names[m.last], "the region of the source is gone after the First", flags(Buffer, Message), func(t *T) {
				kind, suffix := m.kindOf()
				work := t.work(0xC1, kind, suffix, t.buffer(0, 3*t.config.MTU))
				first := t.out[cid].rsn
				t.post(work).sends(cid, carrying(t.outgoing(work, m.operation(0, 3)), t.source(work)[:t.config.MTU]))
				gone := t.group.Regions[0]
				gone.Rights = []string{}
				t.give(suite.Step{Region: &gone})
				last := t.outgoing(work, m.operation(2, 3))
				last.CE = true
				last.Offset, last.VA = uint32(t.config.MTU), last.VA+uint64(t.config.MTU)
				t.credit(oneRequest(t.config)).sends(cid, last)
				t.complete(cid, first, 0, 0)
				t.complete(cid, first+1, 0, 0).failed(work, "local_protection")
			}).cite("8.2-14").decide("I-74", "I-111").inSetUp("one_request", func(g *suite.Group, c suite.Config) { g.Connections[0].Credits = oneRequest(c) })
		}
	}
}
