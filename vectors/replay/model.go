package replay

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen/engine"

	cosim "github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Schedule determines when the model takes steps that it may delay.
type Schedule int

// The schedules cover the extremes of what the specification permits. An outcome on which they differ is left open by
// the specification.
const (
	Eager  Schedule = iota // everything as early as possible, streams in ascending order, responses before requests
	Lazy                   // everything as late as possible, streams in descending order, requests before responses
	Middle                 // everything as late as possible, streams in ascending order, responses before requests
)

// Schedules lists all schedules.
var Schedules = []Schedule{Eager, Lazy, Middle}

// Outcome is the result of a test on the model.
type Outcome struct {
	Expect   []suite.Expect
	Memory   []suite.Octets // changes
	Verdicts []spec.Rule    // per input segment
	Causes   map[int]Cause  // per Terminate, by index in Expect

	Undelivered []suite.Range   // memory written by messages whose last segment was not accepted
	Waited      bool            // a request received inside an incomplete message had to wait
	Arrivals    map[int]Arrival // per input segment of an open stream
}

// Arrival describes a segment with respect to the state on its arrival.
type Arrival struct {
	Faults []spec.Rule // every rule that it breaks
	Inside bool        // another message of the stream is incomplete
	Ahead  bool        // DDP may accept it although it is not the next
	Place  suite.Range // placement of its payload in that case
}

// Choice is permitted behaviour that differs from this project's decisions.
type Choice struct {
	rdmap.Choices
	IRD     int   // unanswered requests per stream; 0: as configured
	Without []int // inputs without effect
}

// Cause is the cause of a Terminate.
type Cause struct {
	Kind  spec.Rule
	Input int  // segment in error; -1: a local error, or a request already accepted
	Later bool // in a request already accepted

	Request wire.Opcode // with Later: that request
}

// run is the state of a running test.
type run struct {
	*rdmap.Engine
	schedule Schedule
	ordered  bool // record memory with the outcomes
	held     bool
	flushing map[uint32]bool // streams whose oldest request waits for the platform
	silent   bool            // the platform holds its answers
	input    int
	group    *suite.Group
	test     *suite.Test
	config   gen.Config
	tally    tally
	refused  bool // a memory error hit the last segment of a Send, of this opcode, just received
	opcode   wire.Opcode
	words    map[uint64]bool           // addresses of executed Atomics
	later    map[uint64]bool           // those of executed Atomic Writes
	seen     map[uint32]bool           // streams
	streams  []uint32                  // these, in the order of the schedule
	causes   map[uint32]Cause          // of ended streams
	waiting  []rdmap.WorkRequest       // at their port; the queue has no room for the first
	partial  map[message][]suite.Range // of incomplete messages: placement of their octets
	without  []int
	out      Outcome
}

// message identifies a message being received. A stream has at most one of each kind: RDMA Write, Read Response, Send.
type message struct {
	stream uint32
	kind   wire.Opcode
}

// Model runs one test on a new golden model. If ordered is set, responses and completions record what the test has
// written to memory before them, except for the words of Atomics, whose responses may be earlier. It returns an error
// for an invalid test.
func Model(c gen.Config, g *suite.Group, t *suite.Test, schedule Schedule, ordered bool) (Outcome, error) {
	return ModelOf(Choice{}, c, g, t, schedule, ordered)
}

// ModelOf is Model with choices other than this project's.
func ModelOf(other Choice, c gen.Config, g *suite.Group, t *suite.Test, schedule Schedule, ordered bool) (Outcome, error) {
	config := cosim.ModelConfig(c)
	config.Choices = other.Choices
	if other.IRD > 0 {
		config.IRD = other.IRD
	}
	engine, err := rdmap.NewEngine(config)
	if err != nil {
		return Outcome{}, err
	}
	r := &run{Engine: engine, config: c, test: t, schedule: schedule, ordered: ordered, group: g, words: map[uint64]bool{}, later: map[uint64]bool{}, seen: map[uint32]bool{}, causes: map[uint32]Cause{}, flushing: map[uint32]bool{},
		partial: map[message][]suite.Range{}, without: other.Without}
	r.out.Causes, r.out.Arrivals = map[int]Cause{}, map[int]Arrival{}
	if err := r.setUp(); err != nil {
		return Outcome{}, err
	}
	for i := range t.Input {
		if t.Input[i].Wait {
			r.rest()
		}
		r.input = i
		if err := r.take(&t.Input[i]); err != nil {
			return Outcome{}, fmt.Errorf("tcId %d: input %d: %w", t.TcID, i, err)
		}
		if schedule == Eager {
			r.rest()
		}
	}
	r.rest()
	for m := range r.partial {
		r.lost(m)
	}
	if len(r.waiting) > 0 {
		return Outcome{}, fmt.Errorf("tcId %d: %d work requests are refused at the end; allowed: opcodes of work requests, at most %d incomplete per stream", t.TcID, len(r.waiting), c.SendDepth)
	}
	for port, held := range map[string]bool{suite.PortTx: r.held, suite.PortFlushed: r.silent} {
		if held {
			return Outcome{}, fmt.Errorf("tcId %d: %s is held at the end; allowed: a final hold of false", t.TcID, port)
		}
	}
	r.out.Memory = r.changes()
	if ordered {
		r.keepLasting()
	}
	return r.out, nil
}

func (r *run) setUp() error {
	for i := range r.group.Regions {
		if err := r.SetRegion(r.group.Regions[i].Row()); err != nil {
			return err
		}
	}
	for _, m := range r.group.Memory {
		r.Memory().Write(uint64(m.Address), m.Hex)
	}
	if p := r.Platform(); p != nil {
		p.Settle()
	}
	for _, s := range r.group.Streams {
		r.open(s)
	}
	failing := func(writes bool) func(uint32, uint64, int) bool {
		return func(_ uint32, address uint64, octets int) bool {
			fails := slices.ContainsFunc(r.group.Failing, func(f suite.Failing) bool {
				return (writes && f.Writes || !writes && f.Reads) && address <= uint64(f.Last) && address+uint64(octets)-1 >= uint64(f.First)
			})
			r.refused = r.refused || fails && writes
			if fails {
				r.tally.memoryErrors++
			}
			return fails
		}
	}
	r.ReadError, r.WriteError = failing(false), failing(true)
	r.FlushError = func(_ uint32, address, octets uint64, _ wire.Disposition) bool {
		return slices.ContainsFunc(r.group.Failing, func(f suite.Failing) bool {
			return f.Flushes && address <= uint64(f.Last) && address+(octets-1) >= uint64(f.First)
		})
	}
	return nil
}

func (r *run) open(s suite.Stream) {
	r.use(s.Stream)
	for m := range r.partial {
		if m.stream == s.Stream {
			r.lost(m)
		}
	}
	delete(r.causes, s.Stream)
	delete(r.flushing, s.Stream)
	r.Open(s.Stream, s.Domain)
}

func (r *run) use(stream uint32) {
	if r.seen[stream] {
		return
	}
	r.seen[stream] = true
	r.streams = append(r.streams, stream)
	slices.Sort(r.streams)
	if r.schedule == Lazy {
		slices.Reverse(r.streams)
	}
}

func (r *run) take(in *suite.Input) error {
	none := fmt.Errorf("port %s has no matching content; allowed: hex on %s, work on %s, receive on %s, region, open, shut or read on %s, hold on %s or %s", in.Port,
		suite.PortRx, suite.PortWork, suite.PortReceive, suite.PortControl, suite.PortTx, suite.PortFlushed)
	switch {
	case in.Port == suite.PortRx && in.Stream != nil:
		r.use(*in.Stream)
		if r.IsOpen(*in.Stream) {
			r.arrives(*in.Stream, in.Hex)
		}
		if slices.Contains(r.without, r.input) {
			r.out.Verdicts = append(r.out.Verdicts, spec.None)
			return nil
		}
		r.refused = false
		v := r.Receive(*in.Stream, in.Hex)
		r.placed(*in.Stream, &v, in.Hex)
		r.out.Verdicts = append(r.out.Verdicts, v.Error)
		if v.Error != spec.None && v.Error != spec.StreamNotOpen {
			r.ended(*in.Stream, Cause{Kind: v.Error, Input: r.input})
		}
		last := len(in.Hex) > 0 && in.Hex[0]&0x40 != 0
		r.refused = r.refused && v.Error == spec.Local && last && v.Opcode.Is(spec.Sends)
		r.opcode = v.Opcode
		r.poll(*in.Stream)
		r.refused = false
		return nil
	case in.Port == suite.PortWork && in.Work != nil:
		r.use(in.Work.Stream)
		r.waiting = append(r.waiting, in.Work.Request())
		r.post()
	case in.Port == suite.PortReceive && in.Receive != nil:
		stream := in.Receive.Stream
		r.use(stream)
		if r.PostReceive(in.Receive.Request()) {
			r.add(suite.EventOf(stream, engine.EventReceiveRefused, wire.TerminateCode{}))
		}
		r.poll(stream)
	case in.Port == suite.PortControl && in.Region != nil:
		return r.SetRegion(in.Region.Row())
	case in.Port == suite.PortControl && in.Open != nil:
		r.open(*in.Open)
	case in.Port == suite.PortControl && in.Shut != nil:
		r.use(*in.Shut)
		r.Shut(*in.Shut)
		r.poll(*in.Shut)
	case in.Port == suite.PortControl && in.Read != "":
		value, err := r.read(in.Read)
		r.add(suite.RegisterOf(in.Read, value))
		return err
	case in.Port == suite.PortTx && in.Hold != nil:
		r.held = *in.Hold
	case in.Port == suite.PortFlushed && in.Hold != nil:
		r.silent = *in.Hold
	default:
		return none
	}
	return nil
}

// arrives records the Arrival of a segment.
func (r *run) arrives(stream uint32, segment []byte) {
	a := Arrival{Faults: r.Faults(stream, segment), Inside: r.Incomplete(stream)}
	address, octets, ahead := r.Ahead(stream, segment)
	a.Ahead, a.Place = ahead, suite.Range{Address: suite.Hex64(address), Octets: octets}
	r.out.Arrivals[r.input] = a
}

// placed records the octets placed by incomplete messages, and whether a request waits.
func (r *run) placed(stream uint32, v *rdmap.Verdict, segment []byte) {
	if v.Error != spec.None {
		return
	}
	_, waiting := r.Queued(stream)
	r.out.Waited = r.out.Waited || waiting > 0
	m := message{stream, v.Opcode}
	switch v.Opcode.Class() {
	case spec.Write, spec.ReadResponse:
	case spec.Send, spec.SendInvalidate:
		m.kind = spec.Send.Opcode()
	default:
		return
	}
	if last := segment[0]&0x40 != 0; last {
		delete(r.partial, m)
		return
	}
	at := r.partial[m]
	if v.Octets > 0 {
		at = append(at, suite.Range{Address: suite.Hex64(v.Address), Octets: v.Octets})
	}
	r.partial[m] = at
}

// lost ends a message that will never be completed.
func (r *run) lost(m message) {
	r.out.Undelivered = append(r.out.Undelivered, r.partial[m]...)
	delete(r.partial, m)
}

// rest takes all possible steps.
func (r *run) rest() {
	for moved := !r.held; moved; {
		moved = false
		for _, s := range r.streams {
			first, second := r.respond, r.transmit
			if r.schedule == Lazy {
				first, second = second, first
			}
			for first(s) || second(s) {
				moved = true
			}
		}
		moved = r.post() || moved
	}
}

// post posts waiting work requests in order. One without room blocks those of all streams.
func (r *run) post() (posted bool) {
	for len(r.waiting) > 0 && !r.PostSend(r.waiting[0]) {
		r.poll(r.waiting[0].Stream)
		r.waiting, posted = r.waiting[1:], true
	}
	return posted
}

// respond executes one item of the stream's queue. The platform is asked for a flush once, and may answer later.
func (r *run) respond(s uint32) bool {
	if address, octets, region, flags, is := r.NextFlush(s); is {
		if !r.flushing[s] {
			r.add(suite.FlushOf(address, uint32(octets), region.Attributes.Type, flags&wire.Persistence != 0, flags&wire.GlobalVisibility != 0))
			r.flushing[s] = true
			r.BeginFlush(s)
		}
		if r.silent {
			return false
		}
		delete(r.flushing, s)
	}
	segments, done := r.Execute(s)
	if done == nil {
		return false
	}
	if done.Is(spec.AtomicRequest) {
		r.words[done.Address] = true
	}
	if done.Is(spec.AtomicWriteRequest) {
		r.later[done.Address] = true
	}
	if done.Error != spec.None {
		r.ended(s, Cause{done.Error, -1, true, done.Request})
	}
	r.leave(s, segments)
	if done.Error == spec.Local && done.Address == 0 {
		r.dropped(s, done.RequestMSN, len(segments)-1)
	}
	if done.Kind == rdmap.ExecutedTerminate {
		var t wire.Terminate
		_, _ = t.Decode(segments[len(segments)-1][untaggedOctets:])
		r.add(suite.EventOf(s, engine.EventEnded, t.Code))
	}
	r.poll(s)
	return true
}

const untaggedOctets = 18 // of an untagged DDP header

// transmit starts a work request.
func (r *run) transmit(s uint32) bool {
	segments, progress := r.Transmit(s)
	if progress == rdmap.Idle {
		return false
	}
	isRequest := len(segments) > 0 && r.config.Protocol().Is(opcodeOf(segments[0]), spec.Requests)
	r.leave(s, segments)
	switch {
	case progress == rdmap.Failed:
		r.ended(s, Cause{Kind: spec.Local, Input: -1})
		r.Fail(s, spec.Local)
	case !isRequest:
		r.Left(s)
	}
	r.poll(s)
	return true
}

// ended records why a stream ends; its Terminate reports the first cause.
func (r *run) ended(stream uint32, c Cause) {
	if _, known := r.causes[stream]; !known {
		r.causes[stream] = c
	}
}

// opcodeOf returns the opcode of a segment that the design sends.
func opcodeOf(segment []byte) wire.Opcode {
	return wire.Opcode(segment[1] & (1<<spec.MaxOpcodeBits - 1))
}

func (r *run) leave(s uint32, segments [][]byte) {
	for _, segment := range segments {
		r.add(suite.Expect{Port: suite.PortTx, Stream: s, Hex: bytes.Clone(segment)})
	}
}

// poll takes completions and events. A receive flushed by the end of its stream has no completion: the host knows what
// it has posted. One whose message was received completely, but hit a memory error, has one.
func (r *run) poll(s uint32) {
	for {
		c, is := r.NextReceived(s)
		if !is {
			c, is = r.NextSent(s)
		}
		if !is {
			break
		}
		if c.Recv && c.Status == rdmap.StatusFlushed {
			if r.refused {
				r.add(suite.CompletionOf(s, c.ID, true, engine.StatusMemory, int(r.opcode), 0, 0, 0))
			}
			r.refused = false
			continue
		}
		r.add(suite.CompletionOf(s, c.ID, c.Recv, statuses[c.Status], int(c.Opcode), c.Length, c.Data, c.STag))
	}
	for {
		e, is := r.NextEvent(s)
		if !is {
			break
		}
		if kind, reported := kinds[e.Kind]; reported { // the hardware has no event for a mismatch
			r.add(suite.EventOf(s, kind, e.Term))
		}
	}
}

var (
	statuses = map[rdmap.Status]int{rdmap.StatusSuccess: engine.StatusSuccess, rdmap.StatusFlushed: engine.StatusFlushed, rdmap.StatusProtection: engine.StatusProtection,
		rdmap.StatusMismatch: engine.StatusDiffers}
	kinds = map[rdmap.EventKind]int{rdmap.EventSolicited: engine.EventSolicited, rdmap.EventTerminated: engine.EventClosed}
)

func (r *run) add(e suite.Expect) {
	e.Input = r.input
	r.tally.note(&e)
	if r.ordered && (e.Completion != nil || e.Port == suite.PortTx && !e.Sequence().Second) {
		e.Memory = r.changes()
	}
	if e.IsTerminate() {
		r.out.Causes[len(r.out.Expect)] = r.causes[e.Stream]
	}
	r.out.Expect = append(r.out.Expect, e)
}

// changes returns the octets that differ from those of the group, adjacent ones joined.
func (r *run) changes() []suite.Octets {
	changes := []suite.Octets{}
	for _, m := range r.group.Memory {
		is := make([]byte, len(m.Hex))
		r.Memory().Read(uint64(m.Address), is)
		changes = append(changes, Changes(m, is)...)
	}
	return changes
}

// Changes returns the octets of a range that have changed, adjacent ones joined.
func Changes(was suite.Octets, is []byte) (changes []suite.Octets) {
	for i := 0; i < len(is); i++ {
		if is[i] == was.Hex[i] {
			continue
		}
		end := i + 1
		for end < len(is) && is[end] != was.Hex[end] {
			end++
		}
		changes = append(changes, suite.Octets{Address: was.Address + suite.Hex64(i), Hex: bytes.Clone(is[i:end])})
		i = end
	}
	return changes
}

// keepLasting removes from the outcomes the octets that change again later, since the time of that change is free, and
// from completions those of Atomic Writes, which later messages may pass.
func (r *run) keepLasting() {
	last := map[uint64]byte{}
	for _, m := range r.out.Memory {
		for i, o := range m.Hex {
			last[uint64(m.Address)+uint64(i)] = o
		}
	}
	for i := range r.out.Expect {
		e := &r.out.Expect[i]
		var kept []suite.Octets
		for _, m := range e.Memory {
			for j, o := range m.Hex {
				address := m.Address + suite.Hex64(j)
				if v, is := last[uint64(address)]; !is || v != o || r.words[uint64(address)&^7] || e.Completion != nil && r.later[uint64(address)&^7] {
					continue
				}
				if n := len(kept); n > 0 && uint64(kept[n-1].Address)+uint64(len(kept[n-1].Hex)) == uint64(address) {
					kept[n-1].Hex = append(kept[n-1].Hex, o)
				} else {
					kept = append(kept, suite.Octets{Address: address, Hex: []byte{o}})
				}
			}
		}
		e.Memory = kept
	}
}
