package falcon_test

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// oracle is what two nodes should have and report, computed from the work requests alone, in the order of posting.
type oracle struct {
	*bench
	t      *rapid.T
	memory [2]*memory.Space
	sent   [2][]falcon.Completion // expected of the work requests of a node
	come   [2][]arrival           // expected at a node
	posted [2][]falcon.ReceiveRequest
	free   [2]uint32 // first unused octet of sinks at a node
	next   [2]uint32 // the same of places at its peer
	id     uint64

	received [2][]falcon.Completion
}

// arrival is a message that takes a receive.
type arrival struct {
	octets []byte // for the buffer
	falcon.Completion
}

const (
	largest = 5 * mtu
	counter = 0x8_0000 // offset of a word for Atomics at the peer
)

func newOracle(t *rapid.T, s setup) *oracle {
	o := &oracle{bench: newBench(t, s, rapid.Uint64().Draw(t, "seed")), t: t}
	for n := range 2 {
		o.memory[n] = memory.NewSpace()
		o.memory[n].Write(sourceAt, o.octets(n, sourceAt, sourceOctets))
	}
	return o
}

func (o *oracle) draw(low, high int, what string) int {
	return rapid.IntRange(low, high).Draw(o.t, what)
}

func (o *oracle) play(requests int) {
	for range requests {
		n := o.draw(0, 1, "node")
		o.request(n)
		for end := range 2 {
			if o.draw(0, 2, "receive") == 0 || o.kind == spec.QPUD {
				o.cover(end, o.draw(0, 2, "more"))
			}
		}
		for range o.draw(0, 30, "steps") {
			o.link.Step()
		}
		o.node[n].SetXoff(o.draw(0, 5, "xoff") == 0)
	}
	for n := range 2 {
		o.cover(n, 0)
		o.node[n].SetXoff(false)
	}
	o.run(o.t)
}

// cover posts receives at a node until every message has one, and some more.
func (o *oracle) cover(n, more int) {
	for len(o.posted[n]) < len(o.come[n])+more {
		var list []falcon.Element
		at := uint32(len(o.posted[n]) * largest)
		for end := at + largest; at < end; {
			part := min(end-at, uint32(rapid.SampledFrom([]int{7, mtu, 100, largest}).Draw(o.t, "element")))
			list = append(list, buffer(at, part)...)
			at += part
		}
		o.id++
		r := falcon.ReceiveRequest{ID: o.id, Local: list}
		o.posted[n] = append(o.posted[n], r)
		o.receive(n, r)
	}
}

// request posts a random work request, which has its effect on the oracle's memory at once.
func (o *oracle) request(n int) {
	kinds := []spec.Kind{spec.Send, spec.Write, spec.Read, spec.CmpSwap, spec.FetchAdd}
	if o.kind == spec.QPUD {
		kinds = kinds[:1]
	}
	o.id++
	r := falcon.WorkRequest{ID: o.id, Kind: rapid.SampledFrom(kinds).Draw(o.t, "kind"), RKey: remoteKey, Solicited: o.draw(0, 1, "se") == 1}
	octets := uint32(rapid.SampledFrom([]int{0, 1, 3, 31, mtu - 1, mtu, mtu + 1, 2 * mtu, 200, largest}).Draw(o.t, "octets"))
	switch {
	case r.Kind&spec.Atomic != 0:
		octets = memory.WordOctets
	case r.Kind == spec.Send || r.Kind == spec.Write && o.draw(0, 1, "immediate") == 1:
		if r.Kind == spec.Write || o.identified() || o.draw(0, 1, "immediate") == 1 {
			r.Suffix, r.Immediate = spec.Immediate, uint32(len(o.come[1-n]))
		}
		if o.ordering == spec.Unordered || o.kind == spec.QPUD {
			octets = min(octets, mtu)
		}
	}
	var status falcon.Status
	if o.errors == spec.CompleteInError && o.kind != spec.QPUD {
		status = o.spoil(&r, octets)
	}
	if status == falcon.RemoteInvalid { // longer than any buffer
		octets = largest + uint32(o.draw(1, 3*mtu, "excess"))
	}
	if r.Kind == spec.Send || r.Kind == spec.Write {
		o.push(n, &r, octets, status)
	} else {
		o.pull(n, &r, octets, status)
	}
	if status == falcon.LocalProtection {
		r.Local[len(r.Local)-1].Key = noKey
	}
	o.post(o.t, n, r)
}

// identified reports whether a message is known by its immediate data, since receives are taken in the order of arrival.
func (o *oracle) identified() bool { return o.shared || o.kind != spec.QPRC }

// spoil lets some work requests fail.
func (o *oracle) spoil(r *falcon.WorkRequest, octets uint32) falcon.Status {
	switch o.draw(0, 9, "spoil") {
	case 0:
		if octets > 0 {
			return falcon.LocalProtection
		}
	case 1:
		if octets > 0 && r.Kind != spec.Send {
			r.RKey = noKey
			if r.Kind == spec.Write {
				return falcon.RemoteAccess
			}
			return falcon.RemoteError
		}
	case 2:
		if r.Kind == spec.Send && o.ordering != spec.Unordered {
			return falcon.RemoteInvalid
		}
	}
	return falcon.Success
}

// list splits octets from a place into elements.
func (o *oracle) list(at, octets uint32, element func(at, octets uint32) []falcon.Element) (list []falcon.Element) {
	for octets > 0 {
		part := min(octets, uint32(rapid.SampledFrom([]int{5, mtu, 90, largest}).Draw(o.t, "element")))
		list = append(list, element(at, part)...)
		at += part
		octets -= part
	}
	return list
}

// place returns the offset of a place at the peer: any if requests are executed in order, else one that is used once.
func (o *oracle) place(n int, octets uint32) uint64 {
	if o.ordering == spec.Strong {
		return uint64(o.draw(0, 600, "place"))
	}
	o.next[n] += octets + 3
	return uint64(o.next[n] - octets)
}

func (o *oracle) push(n int, r *falcon.WorkRequest, octets uint32, status falcon.Status) {
	at := uint32(o.draw(0, 5000, "source"))
	r.Local = o.list(at, octets, source)
	data := o.octets(n, sourceAt+uint64(at), int(octets))
	place := o.place(n, octets)
	r.VA = remoteVA + place
	o.sent[n] = append(o.sent[n], falcon.Completion{QP: o.qp[n], ID: r.ID, Kind: r.Kind, Length: octets, Status: status})
	if r.Kind == spec.Write && status == falcon.Success {
		o.memory[1-n].Write(remoteAt+place, data)
	}
	if r.Kind == spec.Write && r.Suffix == spec.Plain || status == falcon.LocalProtection {
		return
	}
	a := arrival{Completion: falcon.Completion{QP: o.to[1-n], Receive: true, Kind: r.Kind, Suffix: r.Suffix, Immediate: r.Immediate, Solicited: r.Solicited}}
	if r.Kind == spec.Send {
		a.octets, a.Length = data, octets
	}
	if o.kind == spec.QPUD {
		a.SourceQP = o.qp[n]
	}
	if status != falcon.Success {
		a = arrival{Completion: falcon.Completion{QP: o.to[1-n], Receive: true, Status: falcon.PeerError}}
	}
	if status == falcon.RemoteInvalid {
		a.Status = falcon.LengthError
	}
	o.come[1-n] = append(o.come[1-n], a)
}

func (o *oracle) pull(n int, r *falcon.WorkRequest, octets uint32, status falcon.Status) {
	at := o.free[n]
	o.free[n] += octets
	done := falcon.Completion{QP: o.qp[n], ID: r.ID, Kind: r.Kind, Length: octets, Status: status}
	place := o.place(n, octets)
	peer := o.memory[1-n]
	if r.Kind == spec.Read {
		r.Local = o.list(at, octets, sink)
		if o.ordering == spec.Weak { // of a place that no Write changes
			place = 0xE_0000
		}
		if status == falcon.Success {
			o.memory[n].Write(sinkAt+uint64(at), peer.Append(nil, remoteAt+place, int(octets)))
		}
	} else {
		r.Local = sink(at, octets)
		place = counter
		if o.ordering == spec.Unordered { // a word of its own
			place += memory.WordOctets * uint64(r.ID)
		}
		r.Data, r.Compare = uint64(o.draw(1, 3, "data")), uint64(o.draw(0, 3, "compare"))
		if status == falcon.Success {
			word := peer.Word(remoteAt + place)
			done.Original = word
			o.memory[n].SetWord(sinkAt+uint64(at), word)
			switch {
			case r.Kind == spec.FetchAdd:
				peer.SetWord(remoteAt+place, word+r.Data)
			case word == r.Compare:
				peer.SetWord(remoteAt+place, r.Data)
			}
		}
	}
	r.VA = remoteVA + place
	o.sent[n] = append(o.sent[n], done)
}

// checkSent compares the completions of work requests: in the order of posting unless the QPs are unordered.
func (o *oracle) checkSent(n int) {
	sent, received := o.completions(n)
	o.received[n] = received
	if o.ordering == spec.Unordered {
		slices.SortFunc(sent, func(a, b falcon.Completion) int { return int(a.ID) - int(b.ID) })
	}
	require.Equal(o.t, o.sent[n], sent)
}

// checkReceived compares the completions of receives, and puts their octets into the oracle's memory. A message is known by
// its place in the order, on unordered QPs by its receive or, where those are taken in the order of arrival, by its
// immediate data.
func (o *oracle) checkReceived(n int) {
	received := o.received[n]
	require.Len(o.t, received, len(o.come[n]))
	inOrder := o.ordering == spec.Strong || o.ordering == spec.Weak && o.kind != spec.QPUD
	failed := 0
	seen := map[int]bool{}
	for i, c := range received {
		place := slices.IndexFunc(o.posted[n], func(r falcon.ReceiveRequest) bool { return r.ID == c.ID })
		require.GreaterOrEqual(o.t, place, 0, "completion of a receive that is not posted")
		message := i
		switch {
		case inOrder:
		case !o.identified():
			message = place
		case c.Status != falcon.Success:
			failed++
			continue
		default:
			message = int(c.Immediate)
		}
		require.False(o.t, seen[message], "message %d has two completions", message)
		seen[message] = true
		if !o.identified() {
			require.Equal(o.t, message, place, "the n-th message takes the n-th receive")
		}
		want := o.come[n][message]
		want.ID = c.ID
		require.Equal(o.t, want.Completion, c)
		if c.Status == falcon.LengthError { // some packets were placed
			want.octets = o.octets(n, receiveAt+uint64(place*largest), largest)
		}
		o.memory[n].Write(receiveAt+uint64(place*largest), want.octets)
	}
	for _, a := range o.come[n] {
		if a.Status != falcon.Success && !inOrder && o.identified() {
			failed--
		}
	}
	require.Zero(o.t, failed)
}
