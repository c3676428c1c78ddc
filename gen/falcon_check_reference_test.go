package gen_test

import (
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/falcon"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// look follows a cycle: what is accepted decides with the latency of the block, what leaves is compared.
func (b *checkBench) look() {
	if b.took("record") {
		p := b.packets[0]
		b.packets = b.packets[1:]
		b.accepted = append(b.accepted, checkAt{b.cycle + 3, func() { b.decide(p) }})
	}
	for stream, post := range map[string]func(uint32, model.ReceiveRequest){"post": b.model.PostReceive, "share": b.model.PostShared} {
		if b.took(stream) {
			var p listPostBeat
			peek(b.rig, stream, &p)
			at := [2]int{int(bitOf(stream == "share")), p.Stream}
			b.lists[at] = append(b.lists[at], model.Element{Key: p.STag, VA: p.TO, Length: p.Length})
			if p.More {
				continue
			}
			list := b.lists[at]
			delete(b.lists, at)
			b.posts = append(b.posts, checkAt{b.cycle + 2, func() { post(uint32(p.Stream), model.ReceiveRequest{ID: p.ID, Local: list}) }})
		}
	}
	for _, list := range []*[]checkAt{&b.posts, &b.accepted} {
		for len(*list) > 0 && (*list)[0].at <= b.cycle {
			(*list)[0].by()
			*list = (*list)[1:]
		}
	}
	if b.took("arrival") {
		var a checkArrival
		peek(b.rig, "arrival", &a)
		a.SN, a.Request.SN = a.SN-b.ahead, a.Request.SN-b.ahead-b.before(a.Request.Stream)
		b.compare(a)
	}
	if b.took("part") {
		var part payloadPartBeat
		peek(b.rig, "part", &part)
		b.parts = append(b.parts, part)
		b.partsSeen++
	}
	if b.took("place") {
		var p checkPlaceBeat
		peek(b.rig, "place", &p)
		b.places = append(b.places, p)
	}
	for len(b.places) > 0 && (!b.places[0].List || slices.ContainsFunc(b.parts, func(p payloadPartBeat) bool { return p.Last })) {
		b.place(b.places[0])
		b.places = b.places[1:]
	}
	if b.placed < b.put && (b.slow == 0 || b.rand.IntN(256) >= b.slow) {
		b.placed++
	}
	b.lookUp()
}

// lookUp answers a lookup of an open transaction in the next cycle. What is no open pull may look like one.
func (b *checkBench) lookUp() {
	b.inputs["asked_entry"].SetWords(b.found.words(b.c, b.isAsked, b.rand.IntN(2) == 0))
	b.isAsked = false
	if b.signal("asked_enable").Get() == 1 {
		b.found, b.isAsked = b.asked[[2]uint32{uint32(b.signal("asked_cid").Get()), uint32(b.signal("asked_rsn").Get())}]
	}
}

// broken counts what the model has found.
func (b *checkBench) broken() (list [1 << spec.RuleBits]uint64) {
	for r := range list {
		list[r] = b.model.Broken(spec.Rule(r))
	}
	return list
}

// decide lets the model decide on a packet.
func (b *checkBench) decide(p checkPacket) {
	d := checkDecided{checkPacket: p, stream: -1}
	var base packet.Packet
	stream := -1
	if base.DecodeBase(p.octets, b.c.Profile.(falcon.Profile).Order) == spec.None && base.DestinationQP < uint32(b.c.Streams) {
		stream = int(base.DestinationQP)
	}
	before := b.broken()
	failed := map[uint32]bool{}
	for n := range uint32(b.c.Streams) {
		failed[n] = b.known(n) && b.model.InError(n)
	}
	if p.Type == spec.PullData {
		key := [2]uint32{p.CID, p.RSN}
		pull, open := b.asked[key]
		if open && b.lost[pull.stream] {
			stream = pull.stream
		}
		b.model.Answered(model.Response{CID: p.CID, RSN: p.RSN, Octets: p.octets})
		delete(b.asked, key)
		d.over, d.closed = open, b.closed[key]
	} else {
		d.answer = b.model.Receive(model.Request{CID: p.CID, RSN: p.RSN, Type: p.Type, Octets: p.octets})
	}
	after := b.broken()
	for r := range after {
		if after[r] != before[r] && (d.rule == spec.None || spec.Rule(r) < d.rule) {
			d.rule = spec.Rule(r)
		}
	}
	for n := range uint32(b.c.Streams) {
		if !b.known(n) || failed[n] || !b.model.InError(n) {
			continue
		}
		class := d.rule.Row().Class
		switch {
		case p.Type == spec.PullData: // the initiator says so
			b.lose(int(n))
		case int(n) == stream && (class == spec.Fatal || class == spec.Refused) && d.answer.Reply != spec.CIE && d.replies() != spec.Ack:
			d.ends, d.stream = true, stream
		default: // found in the order of SN
			b.lose(int(n))
		}
	}
	for key, p := range b.asked {
		if b.model.InError(uint32(p.stream)) {
			delete(b.asked, key)
			b.closed[key] = true
		}
	}
	if stream >= 0 && b.lost[stream] {
		d.rule, d.ends = spec.Incomplete, false // nothing is compared
	}
	b.decided = append(b.decided, d)
	if d.ends {
		b.ends = append(b.ends, d)
	}
}

// replies is the answer, or CEResponse.
func (d checkDecided) replies() spec.Reply {
	if d.answer.Reply == spec.Ack && d.Type == spec.PullRequest && d.rule != spec.None {
		return spec.CEResponse
	}
	return d.answer.Reply
}

func (b *checkBench) known(n uint32) bool { return b.opened[n] }

// lose takes a QP out of the comparison: the model has moved it to Error for what falcon_check does not see.
func (b *checkBench) lose(n int) {
	if q := b.qps[n]; !b.lost[n] && (q.SharedReceive || q.Type == spec.QPXRCTarget) && b.c.ReceiveDepth >= sharedDepth { // it takes no more of what others take
		send(b.rig, "failure", failureBeat{n, falcon.FaultPlace})
	}
	b.lost[n] = true
	b.ends = slices.DeleteFunc(b.ends, func(d checkDecided) bool { return d.stream == n })
}

// compare compares an arrival with the decision of the model.
func (b *checkBench) compare(a checkArrival) {
	if n := a.Request.Stream; a.Opens {
		b.life[n] = a.Request.Number
		b.tellOver(n, 0)
		return
	}
	if a.Kind == 1<<3 { // the end of the QP
		for i, d := range b.ends {
			if d.stream == a.Request.Stream && a.Rule == int(d.rule) {
				b.ends = append(b.ends[:i], b.ends[i+1:]...)
				return
			}
		}
		for n := range b.lost {
			if n == a.Request.Stream {
				return
			}
		}
		assert.Fail(b.t, "an end", "%+v", a)
		return
	}
	require.NotEmpty(b.t, b.decided, "%+v", a)
	d := b.decided[0]
	b.decided = b.decided[1:]
	b.arrivals = append(b.arrivals, a)
	require.Equal(b.t, a.Part.ID, a.ID)
	a.Part.RMSN -= b.ahead
	if a.Takes && a.Part.Use.Is {
		b.uses[a.ID] = a.Part.Use
	}
	b.messages[a.Request.Stream].arrive(a)
	b.taken += int(bitOf(a.Takes))
	require.Equal(b.t, d.RSN, a.Answer.RSN)
	require.Equal(b.t, d.CID, a.Answer.CID)
	if d.rule == spec.Incomplete || b.lost[a.Request.Stream] {
		return
	}
	b.seen[spec.Rule(a.Rule)]++
	if d.Type == spec.PullData {
		if d.closed || b.model.InError(uint32(a.Request.Stream)) {
			return // the initiator has closed its pulls
		}
		require.Equal(b.t, d.over, a.Kind == 1<<1, "%v %+v", d.rule, a)
		if len(b.lost) > 0 && (d.rule == spec.SinkBuffer) != (a.Rule == int(spec.SinkBuffer)) {
			b.lose(a.Request.Stream) // a lost QP has invalidated the key of the sink
			return
		}
		if d.over {
			require.Equal(b.t, d.rule, spec.Rule(a.Rule))
			require.Equal(b.t, responseStatus(d.rule), model.Status(a.Received.Status))
		}
		require.Equal(b.t, spec.NoReply, a.Answer.Reply)
		return
	}
	if d.rule == spec.QPInError && a.Rule == int(spec.BehindRNR) {
		b.lose(a.Request.Stream) // that the QP is in Error has not got around
		return
	}
	if len(b.lost) > 0 && d.rule != spec.Rule(a.Rule) && revokable(d.rule, spec.Rule(a.Rule)) {
		b.lose(a.Request.Stream) // a lost QP has invalidated a key
		return
	}
	text := []any{"%+v: %v, not %v: %x %+v", b.qps[a.Request.Stream], d.rule, spec.Rule(a.Rule), d.octets, a}
	require.Equal(b.t, d.rule, spec.Rule(a.Rule), text...)
	require.Equal(b.t, d.answer.Reply, a.Answer.Reply, text...)
	require.Equal(b.t, d.Type == spec.PushRequest && b.qps[a.Request.Stream].Type.Connected(), a.Push, text...)
	require.Equal(b.t, int(d.answer.Code), a.Answer.Code, text...)
	if d.answer.Reply == spec.RNR {
		require.Equal(b.t, int(d.answer.Timeout), a.Answer.Timeout, text...)
	}
	counts := d.rule == spec.None || d.rule.Row().Class == spec.Refused && b.qps[a.Request.Stream].Errors == spec.CompleteInError
	require.Equal(b.t, d.Type == spec.PullRequest && counts, a.Part.Pull, text...)
	b.request(d, a)
}

// responseStatus is what a response gives its work request (I-63, I-106).
func responseStatus(broken spec.Rule) model.Status {
	switch broken {
	case spec.None:
		return model.Success
	case spec.ResponseCE:
		return model.RemoteError
	case spec.SinkBuffer:
		return model.LocalProtection
	}
	return model.BadResponse
}

// revokable reports whether one of two rules is that of a key which has been invalidated.
func revokable(a, b spec.Rule) bool {
	for _, r := range []spec.Rule{spec.RKeyUnknown, spec.CannotInvalidate, spec.ReceiveBuffer} {
		if a == r || b == r {
			return true
		}
	}
	return false
}

// request compares what a pull asks for.
func (b *checkBench) request(d checkDecided, a checkArrival) {
	var p packet.Packet
	order := b.c.Profile.(falcon.Profile).Order
	p.Decode(d.octets, order)
	asks := d.Type == spec.PullRequest && d.answer.Reply == spec.Ack
	require.Equal(b.t, asks, a.Kind == 1<<2 || a.Waits, "%+v", a)
	if !asks {
		return
	}
	r := a.Request
	b.lives[r.Stream] = r.Number
	require.Equal(b.t, []uint32{d.RSN, d.CID, p.SN}, []uint32{r.RSN, r.CID, r.SN})
	op, known := p.Opcode.Operation()
	if d.rule != spec.None {
		require.Equal(b.t, 4, r.Kind, "a refusal")
		pull := known && op.Packet == spec.PullRequest && op.Opcode.Service() == b.qps[r.Stream].Type.Service()
		require.Equal(b.t, pull && op.Kind&spec.Atomic != 0, r.Atomic)
		if !pull || p.DecodeHeaders(d.octets, order) == spec.ShortHeaders { // I-108
			p.SinkVA, p.SinkKey = 0, 0
		}
		require.Equal(b.t, []any{p.SinkVA, p.SinkKey}, []any{r.SinkVA, r.LKey}, "%v", d.rule)
		return
	}
	require.Equal(b.t, b.qps[r.Stream].Errors == spec.Verbs, r.Verbs)
	region, _ := b.model.Region(int(p.RKey >> 8))
	if op.Kind == spec.Read {
		require.Equal(b.t, 2, r.Kind)
		require.Equal(b.t, p.Length, r.Length)
		if p.Length == 0 {
			return
		}
	} else {
		require.Equal(b.t, 3, r.Kind)
		require.Equal(b.t, op.Kind == spec.FetchAdd, r.Adds)
		require.Equal(b.t, []uint64{p.Data, p.Compare}, []uint64{r.Data, r.Compare})
	}
	require.Equal(b.t, region.Address+p.VA-region.Base, r.Address)
	require.Equal(b.t, p.RKey, r.STag)
	require.Equal(b.t, []any{p.SinkVA, p.SinkKey}, []any{r.SinkVA, r.LKey})
}

// placeBeat is a placement.
type checkPlaceBeat struct {
	Stream          int
	Discard, Inline bool
	Address         uint64
	Length          int
	Data            uint64
	List            bool
}

// partBeat is a falcon.PayloadPart.
type payloadPartBeat struct {
	Address uint64
	Length  int
	Last    bool
}

// place carries out a placement.
func (b *checkBench) place(p checkPlaceBeat) {
	if !p.Discard {
		b.put++
	}
	var parts []payloadPartBeat
	for p.List && (len(parts) == 0 || !parts[len(parts)-1].Last) {
		parts, b.parts = append(parts, b.parts[0]), b.parts[1:]
	}
	octets := make([]byte, 8)
	if p.Inline {
		for i := range octets {
			octets[i] = byte(p.Data >> (8 * i))
		}
	} else {
		require.NotEmpty(b.t, b.payloads)
		next := b.payloads[0]
		b.payloads = b.payloads[1:]
		if octets = next.octets; next.any {
			require.True(b.t, p.Discard)
		} else {
			require.Len(b.t, octets, p.Length)
		}
	}
	switch {
	case p.Discard:
	case p.List:
		for _, part := range parts {
			b.shadow.Write(part.Address, octets[:part.Length])
			octets = octets[part.Length:]
		}
		require.Empty(b.t, octets, "octets without a part")
	default:
		b.shadow.Write(p.Address, octets)
	}
}
