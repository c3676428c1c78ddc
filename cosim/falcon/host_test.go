package falcon

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/internal/long"
	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// ring is a queue of receives: of QP number n, or shared.
type ring struct {
	ids     []uint64 // that it has
	places  int      // of elements
	beats   []func() // that are not posted
	refused int
}

// Receives of one and of several elements for all queues at once, beats of different queues among each other, more than there is room for: each that is refused
// has an event that names its queue, whatever the host accepts late, and messages take the others in order. Counters agree, also
// of packets for no QP that is open.
func TestRefusedReceives(t *testing.T) {
	long.Test(t)
	t.Parallel()
	c := tiny()
	d, err := Open(c, Options{Engine: "verilator", Seed: 1, Stall: simulator.Stall{Mode: simulator.StallRandom, Chance: 100}})
	require.NoError(t, err)
	defer func() { assert.NoError(t, d.Close()) }()
	order, _ := c.Order()
	before := map[string]uint32{}
	counter := func(name string) uint32 { // in this round
		n, err := d.ReadRegister(name)
		require.NoError(t, err)
		return n - before[name]
	}
	for round := range uint64(12) {
		if round%4 == 0 {
			require.NoError(t, d.Reset())
		}
		clear(before)
		for _, name := range []string{"receives_refused", "segments_received", "segments_in_error", "segments_discarded", "completions"} {
			before[name] = counter(name)
		}
		require.NoError(t, d.SetRegion(1, memory.Region{Valid: true, Key: 7, Rights: memory.LocalWrite, ByDomain: true, Owner: 3, Length: 1 << 20}))
		for n := range uint32(c.Streams) {
			require.NoError(t, d.command(n, 2))
		}
		for n := range uint32(c.Streams) {
			require.NoError(t, d.SetQueue(n, 0)) // with what is left of the round before
			require.NoError(t, d.Connect(QP{Number: n, CID: n, Domain: 3, Errors: spec.CompleteInError, Ordering: spec.Ordering(n % 3), Shares: n >= 2, Queue: n}))
		}
		r := rand.New(rand.NewPCG(round, 3))
		rings := map[bool][]*ring{false: {{}, {}, {}, {}}, true: {{}, {}, {}, {}}}
		id := uint64(0)
		for range 300 {
			n, shared := r.IntN(c.Streams), r.IntN(2) == 0
			id++
			local := make([]golden.Element, []int{1, 1, 2, 3, 1 + r.IntN(c.ReceiveDepth+2)}[r.IntN(5)])
			for i := range local {
				local[i] = golden.Element{Key: memory.STag(1, 7), VA: id << 8, Length: 16}
			}
			q := rings[shared][n]
			if places := listed(local); len(q.ids) == c.ReceiveDepth || q.places+places > c.ReceiveDepth {
				q.refused++
			} else {
				q.ids, q.places = append(q.ids, id), q.places+places
			}
			receive := id
			for i, e := range local {
				q.beats = append(q.beats, func() { d.postReceiveElement(uint32(n), shared, receive, e, i < len(local)-1) })
			}
		}
		for left := append(slices.Clone(rings[false]), rings[true]...); len(left) > 0; {
			if n := r.IntN(len(left)); len(left[n].beats) == 0 {
				left = slices.Delete(left, n, n+1)
			} else {
				left[n].beats[0]()
				left[n].beats = left[n].beats[1:]
			}
		}
		_, err := d.Run(6000, 0)
		require.NoError(t, err)
		events := map[string]int{}
		for _, e := range d.Take().Events {
			require.Equal(t, Refused, e.Kind)
			events[fmt.Sprint(e.Shared, e.QP)]++
		}
		total := 0
		for shared, list := range rings {
			for n, q := range list {
				assert.Equal(t, q.refused, events[fmt.Sprint(shared, n)], "round %d, queue %d, shared %t", round, n, shared)
				total += q.refused
			}
		}
		assert.EqualValues(t, total, counter("receives_refused"))

		packets := 0
		for n := range uint32(c.Streams) {
			want := rings[n >= 2][n].ids
			for i := range uint32(len(want)) + 1 {
				p := packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Send, spec.Only, spec.Plain))
				p.DestinationQP, p.SN, p.RMSN, p.Payload = n, i+1, i+1, []byte{1, 2, 3}
				d.Deliver(Packet{Type: spec.PushRequest, CID: n, RSN: i, Octets: p.Encode(nil, order)})
				packets++
			}
		}
		_, err = d.Run(6000, 0)
		require.NoError(t, err)
		out := d.Take()
		got := map[uint32][]uint64{}
		for _, x := range out.Completions {
			got[x.QP] = append(got[x.QP], x.ID)
		}
		for n := range uint32(c.Streams) {
			assert.Equal(t, rings[n >= 2][n].ids, got[n], "round %d, QP %d", round, n)
		}
		require.Len(t, out.Answers, packets)
		for _, a := range out.Answers {
			want := spec.Ack
			if int(a.RSN) == len(rings[a.CID >= 2][a.CID].ids) {
				want = spec.RNR
			}
			assert.Equal(t, want, a.Reply)
		}
		assert.EqualValues(t, c.Streams, counter("segments_in_error"))
		assert.Zero(t, counter("segments_discarded"))

		require.NoError(t, d.command(0, 2))
		stray := 1 + r.IntN(9)
		for i := range stray { // no QP is open there, or there is none at all
			p := packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Write, spec.Only, spec.Plain))
			p.DestinationQP, p.SN = uint32(c.Streams*(i%2)), uint32(i)
			d.Deliver(Packet{Type: spec.PushRequest, RSN: uint32(i), Octets: p.Encode(nil, order)})
		}
		_, err = d.Run(1000, 0)
		require.NoError(t, err)
		assert.Len(t, d.Take().Answers, stray)
		assert.EqualValues(t, stray, counter("segments_discarded"))
		assert.EqualValues(t, c.Streams+stray, counter("segments_in_error"))
		assert.EqualValues(t, packets+stray, counter("segments_received"))
		assert.EqualValues(t, len(out.Completions), counter("completions"))
	}
}
