package gen_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// rig runs one block cycle by cycle, from random state, so that inputs can depend on outputs. Streams and beats are named
// as in bench; each AXI4 channel is a stream, such as m_axi_ar.
type rig struct {
	t       testing.TB
	sim     *sim.Sim
	rand    *rand.Rand
	inputs  map[string]sim.Input // inputs outside of streams
	signals map[string]sim.Signal
	streams map[string]*rigStream
	order   []*rigStream
	cycle   int    // since the reset
	quiet   int    // cycles without a handshake
	look    func() // called in every cycle with the logic settled
}

// rigStream is one stream, with its waiting input beats or its output beats.
type rigStream struct {
	lane
	sink   bool
	pins   []sim.Signal // of the fields
	in     []sim.Input
	valid  sim.Signal
	ready  sim.Signal
	driven sim.Input // valid of a sink, ready of a source
	chance int       // of 256: no beat is offered, or none is accepted
	queue  []rigBeat
	offer  bool
	held   []uint64 // offered, not accepted yet
	at     []int    // cycles of the handshakes
	taken  func(words []uint64)
}

type rigBeat struct {
	words []uint64
	due   int // first cycle in which it may be offered
}

func openRig[P any](t testing.TB, block hdl.Block[P], seed uint64) *rig {
	t.Helper()
	d, err := hdl.Compile(block)
	require.NoError(t, err)
	r := &rig{t: quick{t}, rand: random(seed), inputs: map[string]sim.Input{}, signals: map[string]sim.Signal{}, streams: map[string]*rigStream{}}
	r.sim, err = sim.New(d, sim.RandomInit(seed))
	require.NoError(t, err)
	widths, used := map[string]int{}, map[string]bool{}
	for _, p := range d.Ports() {
		widths[p.Name] = p.Width
	}
	for _, s := range d.Streams() {
		name := strings.TrimSuffix(strings.TrimSuffix(s.Valid, "valid"), "_")
		if strings.HasSuffix(s.Valid, "_tvalid") {
			name = strings.TrimSuffix(s.Valid, "_tvalid")
		}
		l := &rigStream{sink: s.Sink, valid: r.signal(s.Valid), ready: r.signal(s.Ready)}
		l.fields, l.stream.Name = map[string]simulator.Field{}, name
		for _, f := range s.Fields {
			port := name + "_"
			if !strings.HasPrefix(f, port) { // a channel of a bus: payload_arid is the arid of payload
				port = name[:strings.LastIndex(name, "_")+1]
			}
			l.fields[squash(strings.TrimPrefix(f, port))] = simulator.Field{Offset: 64 * l.words, Width: widths[f]}
			l.words += (widths[f] + 63) / 64
			l.pins = append(l.pins, r.signal(f))
			used[f] = true
			if s.Sink {
				in, err := r.sim.Input(f)
				require.NoError(t, err)
				l.in = append(l.in, in)
			}
		}
		pin := s.Ready
		if s.Sink {
			pin = s.Valid
		}
		l.driven, err = r.sim.Input(pin)
		require.NoError(t, err)
		used[s.Valid], used[s.Ready] = true, true
		r.streams[name] = l
		r.order = append(r.order, l)
	}
	for _, p := range d.Ports() {
		if !p.Out && !used[p.Name] {
			r.inputs[p.Name], err = r.sim.Input(p.Name)
			require.NoError(t, err)
		}
	}
	r.reset()
	return r
}

func (r *rig) signal(name string) sim.Signal {
	if s, is := r.signals[name]; is {
		return s
	}
	s, err := r.sim.Signal(name)
	require.NoError(r.t, err)
	r.signals[name] = s
	return s
}

func (r *rig) stream(name string) *rigStream {
	s, is := r.streams[name]
	if !is {
		require.Contains(r.t, r.streams, name)
	}
	return s
}

// reset discards waiting and output beats.
func (r *rig) reset() {
	for _, s := range r.order {
		s.queue, s.offer, s.held, s.at = nil, false, nil, nil
		r.drive(s, nil)
	}
	r.sim.Reset(2)
	r.cycle, r.quiet = 0, 0
}

// drive sets the pins driven by the environment.
func (r *rig) drive(s *rigStream, words []uint64) {
	if words == nil {
		s.driven.Set(0)
		return
	}
	s.driven.Set(1)
	for _, p := range s.in {
		n := (p.Width + 63) / 64
		p.SetWords(words[:n])
		words = words[n:]
	}
}

// stall slows the environment down: idle delays beats of the sinks, pressure stalls the sources, each with a chance out of
// 256 in every cycle.
func (r *rig) stall(idle, pressure int) {
	for _, s := range r.order {
		s.chance = pressure
		if s.sink {
			s.chance = idle
		}
	}
}

// everyChance runs a test for each mix of idle cycles and back-pressure.
func everyChance(t *testing.T, test func(t *testing.T, idle, pressure int)) {
	for _, idle := range []int{0, 128, 230} {
		for _, pressure := range []int{0, 128, 230} {
			t.Run(fmt.Sprintf("idle %d, back-pressure %d", idle, pressure), func(t *testing.T) { test(t, idle, pressure) })
		}
	}
}

// send queues beats for a sink.
func send[T any](r *rig, stream string, beats ...T) {
	r.t.Helper()
	for i := range beats {
		sendAt(r, stream, 0, beats[i])
	}
}

// sendAt queues a beat to be offered no earlier than a cycle.
func sendAt[T any](r *rig, stream string, due int, beat T) {
	r.t.Helper()
	s := r.stream(stream)
	words := make([]uint64, s.words)
	s.move(r.t, words, reflect.ValueOf(&beat).Elem(), pack)
	s.queue = append(s.queue, rigBeat{words, due})
}

// onBeat calls f for each beat of a source instead of keeping it.
func onBeat[T any](r *rig, stream string, f func(T)) {
	s := r.stream(stream)
	s.taken = func(words []uint64) {
		var beat T
		s.move(r.t, words, reflect.ValueOf(&beat).Elem(), unpack)
		f(beat)
	}
}

// received returns the beats that a source has output.
func received[T any](r *rig, stream string) []T {
	r.t.Helper()
	s := r.stream(stream)
	out := make([]T, len(s.queue))
	for i := range out {
		s.move(r.t, s.queue[i].words, reflect.ValueOf(&out[i]).Elem(), unpack)
	}
	s.queue = nil
	return out
}

// step runs one cycle.
func (r *rig) step() {
	for _, s := range r.order {
		pause := s.chance > 0 && r.rand.IntN(256) < s.chance
		switch {
		case !s.sink && pause:
			r.drive(s, nil)
		case !s.sink:
			r.drive(s, []uint64{})
		case s.offer:
		case len(s.queue) > 0 && s.queue[0].due <= r.cycle && !pause:
			s.offer = true
			r.drive(s, s.queue[0].words)
		}
	}
	r.sim.Eval()
	r.quiet++
	for _, s := range r.order {
		valid, ready := s.valid.Get() == 1, s.ready.Get() == 1
		if !s.sink {
			r.watch(s, valid, ready)
		}
		if !valid || !ready {
			continue
		}
		r.quiet = 0
		s.at = append(s.at, r.cycle)
		switch {
		case s.sink:
			s.queue, s.offer = s.queue[1:], false
		case s.taken != nil:
			s.taken(s.read())
		default:
			s.queue = append(s.queue, rigBeat{words: s.read()})
		}
	}
	if r.look != nil {
		r.look()
	}
	r.sim.Step()
	r.cycle++
	for _, s := range r.order {
		if s.sink && !s.offer {
			r.drive(s, nil)
		}
	}
}

func (s *rigStream) read() (words []uint64) {
	words = make([]uint64, s.words)
	at := 0
	for _, p := range s.pins {
		n := (p.Width + 63) / 64
		p.GetWords(words[at : at+n])
		at += n
	}
	return words
}

// watch checks that a beat stays unchanged until it is accepted.
func (r *rig) watch(s *rigStream, valid, ready bool) {
	if s.held != nil && !r.t.Failed() && (!valid || !slices.Equal(s.held, s.read())) {
		r.t.Errorf("%s, cycle %d: a beat changed before it was accepted: valid is %v", s.stream.Name, r.cycle, valid)
	}
	s.held = nil
	if valid && !ready {
		s.held = s.read()
	}
}

// rest runs until the block is idle, and checks that nothing is left pending.
func (r *rig) rest(quiet int) {
	r.t.Helper()
	for r.quiet = 0; r.quiet < quiet || r.pending() != ""; {
		r.step()
		if r.quiet >= quiet+4000 || r.cycle >= 1<<20 {
			require.Fail(r.t, "the block does not become idle", "%s waits", r.pending())
		}
		if r.t.Failed() {
			r.t.FailNow()
		}
	}
}

// pending returns a stream with a beat that is not accepted.
func (r *rig) pending() string {
	for _, s := range r.order {
		if s.sink && len(s.queue) > 0 || s.held != nil {
			return s.stream.Name
		}
	}
	return ""
}

// peek reads the pins of a stream.
func peek[T any](r *rig, stream string, to *T) {
	s := r.stream(stream)
	s.move(r.t, s.read(), reflect.ValueOf(to).Elem(), unpack)
}

// requestNumbers bounds the number of a request in tests of blocks: with an IRD of 2 it has 3 bits.
const requestNumbers = 8
