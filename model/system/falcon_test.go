package system

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconOptions are those of the default configuration of the profile falcon.
func falconOptions() Options {
	o := Options{Config: testEngine, Timing: FalconTimingOf(64)}
	o.Config.Falcon = &Falcon{Window: 64, BufferOctets: 64}
	return o
}

func newFalcon(t *testing.T, w Workload, parallel bool) *System {
	o := falconOptions()
	o.Parallel = parallel
	s, err := New(w, o)
	require.NoError(t, err)
	return s
}

// runFalcon runs a workload, which must end well, with all credits returned and nothing left to do.
func runFalcon(t *testing.T, w Workload, parallel bool) *Report {
	s := newFalcon(t, w, parallel)
	full := map[uint32]spec.Credits{}
	for node, n := range s.nodes {
		p := overFalconOf(n)
		for cid := range p.site.Peers {
			full[uint32(node<<16|cid)] = p.engine.Credits(uint32(cid))
		}
	}
	r, err := s.Run()
	require.NoError(t, err)
	for node, n := range s.nodes {
		p := overFalconOf(n)
		for cid, c := range p.transport.connections {
			assert.Equal(t, full[uint32(node<<16|cid)], p.engine.Credits(uint32(cid)))
			assert.Empty(t, c.open)
			assert.Empty(t, c.held)
			assert.Empty(t, c.given)
			assert.Empty(t, c.owed)
			assert.Zero(t, p.qps[cid].pulls)
			assert.Empty(t, p.qps[cid].works)
		}
		assert.Empty(t, p.asked)
	}
	return r
}

func overFalconOf(n *node) *overFalcon { return n.nic.(*rnic).speaks.(*overFalcon) }

// fewer returns a shipped workload with fewer transactions, QPs in an ordering mode, and a network that reorders.
func fewer(t *testing.T, name string, o Ordering, reorder time.Duration) Workload {
	text, err := OpenShipped(name)
	require.NoError(t, err)
	w, err := ReadWorkload(bytes.NewReader(text))
	require.NoError(t, err)
	w.Network.Reorder = Duration(reorder)
	return w.with(func(f *Flow) { f.Transactions, f.For, f.Ordering = (f.Transactions+49)/50, f.For/25, o })
}

// Every shipped workload but log, which needs the extension commit, runs over Falcon, in all ordering modes, in a network that reorders and in
// one that does not, and gives the same report on both engines.
func TestShippedOverFalcon(t *testing.T) {
	for _, name := range Shipped() {
		if name == "log" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, o := range []Ordering{Strong, Weak, Unordered} {
				for _, reorder := range []time.Duration{0, 700 * time.Nanosecond} {
					w := fewer(t, name, o, reorder)
					serial := runFalcon(t, w, false)
					require.NotEmpty(t, serial.Rows)
					assert.Equal(t, serial, runFalcon(t, w, true), "%s, %v", o, reorder)
				}
			}
		})
	}
}

// severalKinds has all kinds of operations, also in the same QP, of several packets and back to back, and memory that is slow.
const severalKinds = `
nodes: 4
network: {link_gbps: 20, buffer_octets: 3000, reorder: REORDER}
memory: {latency: 1us}
flows:
  - name: some
    from: all
    to: all
    streams: 2
    transactions: 6
    outstanding: 4
    rate: 0.5
    ordering: ORDERING
    objects: {count: 5, octets: 6000, pick: hot, share: 0.3}
    mix:
      - {steps: [{operation: write, octets: 3000, at: 11}, {operation: read, octets: 5000}]}
      - {steps: [{operation: send, octets: 1000, reply: true}]}
      - {name: all, weight: 2, back_to_back: true, steps: [{operation: write, octets: 5}, {operation: fetch_add, at: 5000, add: 7}, {operation: read, octets: 1}, {operation: fetch_add, at: 5000}]}
  - name: more
    from: 1-
    to: 0
    transactions: 4
    ordering: ORDERING
    objects: {base: 65536, count: 2, octets: 64, pick: uniform}
    mix: [{steps: [{operation: cmp_swap, compare: 0, swap: mine, until: swapped}, {operation: write, at: 8, octets: 56}, {operation: read, octets: 64}, {operation: cmp_swap, compare: mine, swap: 0}]}]
`

func mixed(t *testing.T, o Ordering, reorder string) Workload {
	return readWorkload(t, string(bytes.ReplaceAll(bytes.ReplaceAll([]byte(severalKinds), []byte("ORDERING"), []byte(o)), []byte("REORDER"), []byte(reorder))))
}

// The seed decides, on both engines, also about what the network delays.
func TestSeedDecidesOverFalcon(t *testing.T) {
	for _, o := range []Ordering{Strong, Weak, Unordered} {
		w := mixed(t, o, "2us")
		first := runFalcon(t, w, false)
		assert.Equal(t, first, runFalcon(t, w, true))
		assert.NotEqual(t, first.Cycles, runFalcon(t, mixed(t, o, "0s"), false).Cycles)
		w.Seed = 2
		assert.NotEqual(t, first.Cycles, runFalcon(t, w, false).Cycles)
	}
}

// With packets that overtake each other, an ordered connection waits for them, and an unordered one does not.
func TestOrderTakesTime(t *testing.T) {
	latency := map[Ordering]float64{}
	for _, o := range []Ordering{Strong, Weak, Unordered} {
		w := readWorkload(t, "flows: [{from: 0, to: 1, transactions: 300, outstanding: 8, ordering: "+string(o)+", mix: [{steps: [{operation: write}]}]}]")
		still := runFalcon(t, w, false).Rows[0].Latency
		w.Network.Reorder = Duration(2 * time.Microsecond)
		l := runFalcon(t, w, false).Rows[0].Latency
		assert.Greater(t, l.Mean, still.Mean+1000, "delayed twice by 1 us on average")
		assert.Less(t, l.Most, still.Most+4500, "and by 2 us at most, on the way to the target and back; on an ordered one by those before it as well")
		latency[o] = l.Mean
		w.Seed = 2
		assert.NotEqual(t, l.Mean, runFalcon(t, w, false).Rows[0].Latency.Mean, "the seed decides about the network, too")
	}
	assert.Greater(t, latency[Strong], latency[Weak])
	assert.Greater(t, latency[Weak], latency[Unordered], "its completions are in order")
}

// A peer with fewer entries for pulls than ORD gets no more than it has, and a QP waits for them.
func TestFewerEntriesThanORD(t *testing.T) {
	w := readWorkload(t, "flows: [{from: 0, to: 1, transactions: 20, outstanding: 4, objects: {octets: 16384}, mix: [{steps: [{operation: read, octets: 16384}]}]}]")
	rate := map[int]float64{}
	for _, ird := range []int{2, 8} {
		o := falconOptions()
		o.Config.IRD = ird
		s, err := New(w, o)
		require.NoError(t, err)
		r, err := s.Run()
		require.NoError(t, err)
		rate[ird] = r.Rate()
	}
	assert.Greater(t, rate[8], 2.5*rate[2])
}

// tampered is an RNIC whose packets are lost or duplicated.
type tampered struct {
	*overFalcon
	lost, twice   int // the number of the packet that is, among those that arrive, or leave; 0: none
	arrived, left int
	latest        *Segment
}

func (x *tampered) arrival(now Cycle) *Segment {
	s := x.overFalcon.arrival(now)
	if s != nil && s != x.latest {
		x.latest = s
		if x.arrived++; x.arrived == x.lost {
			x.accept(now)
			return nil
		}
	}
	return s
}

func (x *tampered) send(d *departure, now Cycle) {
	x.overFalcon.send(d, now)
	if x.left++; x.left == x.twice {
		x.transport.out = append(x.transport.out, x.transport.out[0])
	}
}

// A packet that is lost, or arrives twice, does not go unnoticed.
func TestLostAndDuplicated(t *testing.T) {
	for _, c := range []struct {
		node        int
		lost, twice int
		operation   string
		message     map[Ordering]string
	}{
		{1, 3, 0, "write", map[Ordering]string{"": "of 20 transactions of flow 0 with node 1 have not ended, and nothing happens any more"}},
		{0, 3, 0, "read", map[Ordering]string{"": "of 20 transactions of flow 0 with node 1 have not ended, and nothing happens any more"}},
		{0, 0, 3, "write", map[Ordering]string{Strong: "RSN 2 arrives twice", "": "RSN 2"}},
		{0, 0, 3, "fetch_add", map[Ordering]string{Strong: "RSN 2 arrives twice", "": "RSN 2"}},
		{1, 0, 3, "read", map[Ordering]string{"": "CID 0: a response to RSN 2, which is not in progress"}},
	} {
		for _, o := range []Ordering{Strong, Weak, Unordered} {
			s := newFalcon(t, readWorkload(t, "flows: [{from: 0, to: 1, transactions: 20, ordering: "+string(o)+", mix: [{steps: [{operation: "+c.operation+"}]}]}]"), false)
			n := s.nodes[c.node].nic.(*rnic)
			n.speaks = &tampered{overFalcon: n.speaks.(*overFalcon), lost: c.lost, twice: c.twice}
			_, err := s.Run()
			message := c.message[o]
			if message == "" {
				message = c.message[""]
			}
			assert.ErrorContains(t, err, message, "%s, %s", c.operation, o)
		}
	}
}

// The end of a run compares the memory of each node with the model's copy.
func TestFalconMemoryIsCompared(t *testing.T) {
	for _, at := range []uint64{targetAddress, localAddress} {
		s := newFalcon(t, readWorkload(t, "flows: [{from: 0, to: 1, transactions: 2, mix: [{steps: [{operation: write}, {operation: read}]}]}]"), false)
		node := map[uint64]int{targetAddress: 1, localAddress: 0}[at]
		overFalconOf(s.nodes[node]).engine.Memory().SetWord(at+64, 1)
		_, err := s.Run()
		assert.ErrorContains(t, err, "differs from the model's")
	}
}

// What the profiles do not have in common is refused.
func TestProfilesAreRefused(t *testing.T) {
	base := "nodes: 2\nflows: [{from: 0, to: 1, transactions: 1, mix: [{steps: [{operation: write}]}]}]"
	for _, c := range []struct {
		falcon            bool
		from, to, message string
	}{
		{false, "nodes: 2", "nodes: 2\nnetwork: {reorder: 200ns}", "network.reorder is 200ns; allowed: 0s, as iWARP is over TCP, which keeps order; with profile falcon any duration"},
		{false, "to: 1,", "to: 1, ordering: weak,", "flows[0].ordering is weak; allowed: left out; with profile falcon strong, weak, unordered"},
		{true, "nodes: 2", "nodes: 2\nnetwork: {reorder: 2s}", "network.reorder is 2s; allowed: 0s to 1s"},
		{true, "to: 1,", "to: 1, ordering: none,", `flows[0].ordering is "none"; allowed: strong, weak, unordered`},
		{true, "operation: write", "operation: flush", "steps[0].operation is flush; allowed: write, read, send, fetch_add, cmp_swap with profile falcon"},
		{true, "to: 1, transactions: 1, mix: [{steps: [{operation: write", "to: 1, ordering: unordered, transactions: 1, mix: [{steps: [{operation: send, reply: true, octets: 1025",
			"steps[0].octets is 1025; allowed: max_payload of the configuration, 1024, on an unordered QP"},
	} {
		e := testEngine
		if c.falcon {
			e = falconOptions().Config
		}
		text := string(bytes.Replace([]byte(base), []byte(c.from), []byte(c.to), 1))
		require.NotEqual(t, base, text)
		w := readWorkload(t, text)
		assert.ErrorContains(t, w.Check(e), c.message)
	}
}
