package falcon

import (
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

func init() { families = append(families, wrongAnswers, strayAnswers, misaddressed) }

// answer is a response that does not fit its pull: the pull is over, its work request ends in error (I-106).
type answer struct {
	name, comment, rule, status string
	change                      func(t *T, p *packet.Packet)
	cut                         func(t *T, octets []byte) []byte
}

var answers = []answer{
	{"version", "another version", "response_wrong", "bad_response", func(_ *T, p *packet.Packet) { p.Version = 2 }, nil},
	{"version_0", "version 0", "response_wrong", "bad_response", func(_ *T, p *packet.Packet) { p.Version = 0 }, nil},
	{"sn_above", "an SN above that of the request", "response_wrong", "bad_response", func(_ *T, p *packet.Packet) { p.SN++ }, nil},
	{"sn_below", "an SN below that of the request", "response_wrong", "bad_response", func(_ *T, p *packet.Packet) { p.SN-- }, nil},
	{"sn_bit", "an SN that differs in the highest bit", "response_wrong", "bad_response", func(_ *T, p *packet.Packet) { p.SN ^= 1 << 31 }, nil},
	{"request_opcode", "the opcode of a request", "response_wrong", "bad_response", func(t *T, p *packet.Packet) { p.Opcode = spec.Opcode(t.world.opcodes() | sendOnly) }, nil},
	{"service", "the opcode of another service", "response_wrong", "bad_response", func(_ *T, p *packet.Packet) { p.Opcode ^= 0xA0 }, nil},
	{"reserved", "a reserved opcode", "response_wrong", "bad_response", nil, func(t *T, b []byte) []byte {
		b[t.octetOfOpcode()] = t.world.opcodes() | 0x11
		return b
	}},
	{"ce", "CE: the target could not execute the request", "response_ce", "remote_error", func(_ *T, p *packet.Packet) { p.CE, p.Payload, p.Original = true, nil, 0 }, nil},
	{"ce_opcode", "CE is looked at before the opcode (I-108)", "response_ce", "remote_error", func(t *T, p *packet.Packet) {
		p.CE, p.Payload = true, nil
		p.Opcode ^= readResponseOnly ^ atomicResponse
	}, nil},
	{"sink_va", "another VA in STETH", "response_sink", "bad_response", func(_ *T, p *packet.Packet) { p.SinkVA += 8 }, nil},
	{"sink_va_bit", "a VA in STETH that differs in the highest bit", "response_sink", "bad_response", func(_ *T, p *packet.Packet) { p.SinkVA ^= 1 << 63 }, nil},
	{"sink_key", "another L-Key in STETH, which the QP could use too", "response_sink", "bad_response", func(_ *T, p *packet.Packet) { p.SinkKey = own }, nil},
	{"rbth_alone", "nothing after RBTH", "response_short", "bad_response", nil, func(_ *T, b []byte) []byte { return b[:rbth] }},
	{"inside_rbth", "one octet less than RBTH", "response_short", "bad_response", nil, func(_ *T, b []byte) []byte { return b[:rbth-1] }},
	{"empty", "no octets at all", "response_short", "bad_response", nil, func(_ *T, _ []byte) []byte { return nil }},
	{"inside_sink", "one octet less than STETH", "response_short", "bad_response", nil, func(_ *T, b []byte) []byte { return b[:rbth+sink-1] }},
	{"longer", "4 octets more than requested", "response_length", "bad_response", func(_ *T, p *packet.Packet) { p.Payload = append(p.Payload, 1, 2, 3, 4) }, nil},
	{"shorter", "4 octets less than requested", "response_length", "bad_response", nil, func(_ *T, b []byte) []byte { return b[:len(b)-4] }},
	{"odd", "one octet less than requested", "response_length", "bad_response", nil, func(_ *T, b []byte) []byte { return b[:len(b)-1] }},
}

// octetOfOpcode is the place of Opcode: the last octet of the word as drawn, the first one if mirrored.
func (t *T) octetOfOpcode() int {
	if t.order == spec.Mirrored {
		return 0
	}
	return 3
}

func wrongAnswers(l *list) {
	for _, w := range append(worldsOf([]string{rc}, nil), world{service: xrc, ordering: strong, errors: verbs}) {
		for _, a := range answers {
			for _, kind := range []string{"read", "fetch_add"} {
				if kind == "fetch_add" && (a.cut != nil && a.name != "inside_sink" || w.ordering == unordered || w.service == xrc) {
					continue
				}
				c := l.add(w, "answer/"+a.name+"/"+kind, "the response to a "+kind+" has "+a.comment, flags(Answer), func(t *T) { t.wrongly(a, kind) }).decide("I-106", "I-107")
				if a.name == "shorter" {
					c.cite("FTP-11-14") // it reaches this layer
				}
			}
		}
		l.add(w, "answer/sink_buffer/read", "the region of the sink is gone when the response arrives", flags(Answer, Buffer), func(t *T) {
			work := t.work(0x40, "read", "", t.buffer(0, 16))
			first := t.out[cid].rsn
			p := t.pulls(work)[0]
			t.post(work).sends(cid, p)
			gone := t.group.Regions[0]
			gone.Rights = []string{}
			t.give(suite.Step{Region: &gone})
			t.respond(first, t.dataFor(p, readResponseOnly)).wrong(work, "sink_buffer", "local_protection")
		}).decide("I-106", "I-107")
	}
}

// wrong is what follows from a response that does not fit: the work request fails, in Verbs mode the QP too.
func (s step) wrong(w *suite.Work, rule, status string) step {
	s.breaks(rule).failed(w, status)
	if s.t.world.errors == verbs {
		s.senderEnded(rule)
	}
	return s
}

func (t *T) wrongly(a answer, kind string) {
	work := t.work(0x40, kind, "", t.buffer(0, map[string]int{"read": 16, "fetch_add": 8}[kind]))
	first := t.out[cid].rsn
	s := t.post(work)
	var p, r packet.Packet
	if kind == "read" {
		p = t.pulls(work)[0]
		r = t.dataFor(p, readResponseOnly)
	} else {
		p = t.atomic(work)
		r = t.dataFor(p, atomicResponse)
	}
	s.sends(cid, p)
	good := r
	if a.change != nil {
		a.change(t, &r)
	}
	s = t.respond(first, r)
	if a.cut != nil {
		s.get().Response.Hex = a.cut(t, s.get().Response.Hex)
	}
	s.wrong(work, a.rule, a.status)
	t.respond(first, good).breaks("not_outstanding") // the pull is over
}

// strayAnswers are responses that no pull waits for: they are dropped, and the pull goes on (RoF 6.9, I-106).
func strayAnswers(l *list) {
	for _, w := range append(worldsOf([]string{rc}, nil), world{service: xrc, ordering: strong, errors: verbs}) {
		for _, a := range []struct {
			name, comment, rule string
			change              func(s *suite.Response, p *packet.Packet)
		}{
			{"wrong_cid", "the CID of another QP", "wrong_cid", func(r *suite.Response, _ *packet.Packet) { r.CID = neighbourCID }},
			{"second_cid", "a CID without a QP", "wrong_cid", func(r *suite.Response, _ *packet.Packet) { r.CID = secondCID }},
			{"rsn_above", "the RSN of no request", "not_outstanding", func(r *suite.Response, _ *packet.Packet) { r.RSN += 2 }},
			{"rsn_bit", "an RSN that differs in the highest bit", "not_outstanding", func(r *suite.Response, _ *packet.Packet) { r.RSN ^= 1 << 31 }},
			{"of_push", "the RSN of a push", "not_outstanding", func(r *suite.Response, _ *packet.Packet) { r.RSN++ }},
		} {
			l.add(w, "stray/"+a.name, "a response with "+a.comment+" is dropped; then the right one arrives", flags(Answer), func(t *T) {
				read, send := t.work(0x41, "read", "", t.buffer(0, 16)), t.work(0x42, "send", "", t.buffer(32, 16))
				first := t.out[cid].rsn
				p := t.pulls(read)[0]
				t.post(read).sends(cid, p)
				t.post(send).sends(cid, t.push(send, messages[0])[0])
				r := t.dataFor(p, readResponseOnly)
				wrong := r
				s := t.respond(first, r)
				a.change(s.get().Response, &wrong)
				s.get().Response.Hex = t.octetsOf(wrong)
				s.breaks(a.rule)
				s = t.respond(first, r)
				t.land(r)
				s.done(read)
				t.complete(cid, first+1, 0, 0).done(send)
				t.respond(first, r).breaks("not_outstanding")
			}).cite("6.9-01", "6.9-05", "6.9-06").decide("I-106", "I-107", "I-30")
		}
	}
}

// misaddressed: a response with CID and RSN of a pull that waits names another QP. Nothing is placed, the named QP is not concerned,
// and the pull ends in error (RoF 6.9, I-118).
func misaddressed(l *list) {
	for _, w := range append(worldsOf([]string{rc}, nil), world{service: xrc, ordering: strong, errors: verbs}) {
		for _, a := range []struct {
			name, comment string
			qp            uint32
		}{{"unknown_qp", "a Destination QP that does not exist", 0xFFFFFF}, {"other_qp", "the Destination QP of another connection", neighbour}} {
			l.add(w, "stray/"+a.name, "a response with "+a.comment+" places nothing and ends its pull in error; then the right one arrives too late", flags(Answer), func(t *T) {
				read := t.work(0x41, "read", "", t.buffer(0, 16))
				first := t.out[cid].rsn
				p := t.pulls(read)[0]
				t.post(read).sends(cid, p)
				r := t.dataFor(p, readResponseOnly)
				wrong := r
				wrong.DestinationQP = a.qp
				t.respond(first, wrong).wrong(read, "response_wrong", "bad_response")
				t.respond(first, r).breaks("not_outstanding")
			}).cite("6.9-01", "6.9-05", "6.9-06").decide("I-106", "I-107", "I-118")
		}
	}
}
