// Package replay runs tests on the golden model and on hardware.
package replay

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	cosim "github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Device is hardware under test; *cosim.Device implements it.
type Device interface {
	SetRegion(index int, r memory.Region) error
	Open(stream uint32, domain uint16) error
	Shut(stream uint32) error
	Send(stream uint32, segment []byte)
	PostWork(rdmap.WorkRequest)
	PostReceive(rdmap.ReceiveRequest)
	Run(cycles, idle uint64) (simulator.Result, error)
	Waiting() int
	Take() cosim.Output
	Memory() simulator.Memory
	Stall(port string, s simulator.Stall) error
	ReadRegister(name string) (uint32, error)

	// Of the platform; without the extension commit they have no effect.
	FailFlushes(ranges ...simulator.Range)
	HoldFlushes(on bool)
	Flushing() bool
}

// Hardware runs tests one after the other on a device just after reset.
type Hardware struct {
	Quiet uint64 // cycles without a handshake that end a rest; more after a long segment

	longest int // octets of the longest segment since the last rest
	hashed  int // octets of Verifies in the test: they may wait for what is sent later
	device  Device
	stall   simulator.Stall // of m_axis_tx when not held
	rows    map[int]memory.Region
	opened  map[uint32]bool // streams that may be open
	held    bool
	silent  bool                               // the platform holds its answers
	watch   map[suite.Sequence][]*suite.Expect // outcomes, for their expected memory contents
	seen    map[suite.Sequence]int
	out     []suite.Expect
	base    map[string]uint32 // of the counters at the start of the test
}

// NewHardware returns a Hardware for a device. stall applies to its m_axis_tx when not held.
func NewHardware(d Device, stall simulator.Stall) *Hardware {
	return &Hardware{Quiet: QuietCycles, device: d, stall: stall, rows: map[int]memory.Region{}, opened: map[uint32]bool{}, base: map[string]uint32{}}
}

// QuietCycles is the default of Hardware.Quiet.
const QuietCycles = 140

// Limits of a rest, in cycles.
const (
	heldCycles = 4000
	mostCycles = 1 << 21

	stalledCycles = 3000 // maximum stall of a port
	watchedCycles = 300  // minimum without an outcome; segments in progress are not outcomes yet
)

// HangError reports a device that does not become idle.
type HangError struct{ Err error }

func (e *HangError) Error() string { return "the hardware hangs: " + e.Err.Error() }

// Unwrap returns the error of the simulation engine.
func (e *HangError) Unwrap() error { return e.Err }

// Run sets up the group's state, runs one test, and returns the outcomes, each sequence in order, and the changes in
// the group's memory. A *HangError is caused by the device, which must not be used again; other errors come from the
// simulation engine.
func (h *Hardware) Run(g *suite.Group, t *suite.Test) ([]suite.Expect, []suite.Octets, error) {
	if err := h.setUp(g); err != nil {
		return nil, nil, fmt.Errorf("set-up: %w", err)
	}
	h.out, h.seen, h.watch = nil, map[suite.Sequence]int{}, map[suite.Sequence][]*suite.Expect{}
	ordered := false
	for i := range t.Expect {
		e := &t.Expect[i]
		h.watch[e.Sequence()] = append(h.watch[e.Sequence()], e)
		ordered = ordered || len(e.Memory) > 0
	}
	if !ordered {
		h.watch = nil
	}
	if t.Reads() {
		if err := h.begin(); err != nil {
			return nil, nil, err
		}
	}
	for i := range t.Input {
		if t.Input[i].Wait && i > 0 {
			if err := h.rest(true); err != nil {
				return nil, nil, err
			}
		}
		in := h.copied(t, &t.Input[i])
		if in.Port == suite.PortControl && !in.Wait {
			if _, err := h.device.Run(1, 0); err != nil { // inputs waiting at the ports are taken meanwhile
				return nil, nil, hang(err)
			}
			h.collect()
		}
		if err := h.take(in); err != nil {
			return nil, nil, fmt.Errorf("tcId %d: input %d: %w", t.TcID, i, err)
		}
	}
	if err := h.rest(false); err != nil {
		return nil, nil, err
	}
	changes := []suite.Octets{}
	for _, m := range g.Memory {
		is := make([]byte, len(m.Hex))
		if err := h.device.Memory().Read(uint64(m.Address), is); err != nil {
			return nil, nil, err
		}
		changes = append(changes, Changes(m, is)...)
	}
	return h.out, changes, nil
}

// copied replaces octets of a segment by those chosen by the device.
func (h *Hardware) copied(t *suite.Test, in *suite.Input) *suite.Input {
	if in.Copy == nil {
		return in
	}
	q := t.Expect[in.Copy.Expect].Sequence()
	before := 0 // outcomes of the sequence before the copied one
	for i := range t.Expect[:in.Copy.Expect] {
		if t.Expect[i].Sequence() == q {
			before++
		}
	}
	for i := range h.out {
		if h.out[i].Sequence() != q {
			continue
		}
		if before == 0 {
			out := *in
			out.Hex = in.Copy.Replace(in.Hex, h.out[i].Hex)
			return &out
		}
		before--
	}
	return in
}

func (h *Hardware) setUp(g *suite.Group) error {
	if h.held {
		if err := h.hold(false); err != nil {
			return err
		}
	}
	h.silent = false
	h.device.HoldFlushes(false)
	h.watch = nil
	for _, s := range slices.Sorted(maps.Keys(h.opened)) { // a Terminate from the peer ends operations in progress
		h.device.Send(s, wire.AppendTerminate(nil, wire.Terminate{}))
	}
	if err := h.rest(false); err != nil {
		return err
	}
	h.hashed = 0
	clear(h.opened)
	h.device.Take()
	wanted := map[int]bool{}
	for i := range g.Regions {
		index, row := g.Regions[i].Row()
		wanted[index] = true
		if err := h.store(index, row); err != nil {
			return err
		}
	}
	for _, index := range slices.Sorted(maps.Keys(h.rows)) {
		if !wanted[index] {
			if err := h.store(index, memory.Region{}); err != nil {
				return err
			}
		}
	}
	var ranges, unflushable, bounds []simulator.Range
	for _, m := range g.Memory {
		if err := h.device.Memory().Write(uint64(m.Address), m.Hex); err != nil {
			return err
		}
		bounds = append(bounds, simulator.Range{First: uint64(m.Address), Last: uint64(m.Address) + uint64(len(m.Hex)) - 1, Reads: true, Writes: true})
	}
	for _, f := range g.Failing {
		r := simulator.Range{First: uint64(f.First), Last: uint64(f.Last), Reads: f.Reads, Writes: f.Writes, Decode: f.Decode()}
		if f.Reads || f.Writes {
			ranges = append(ranges, r)
		}
		if f.Flushes {
			unflushable = append(unflushable, r)
		}
	}
	h.device.FailFlushes(unflushable...)
	if err := errors.Join(h.device.Memory().SetErrors(ranges...), h.device.Memory().SetBounds(bounds...)); err != nil {
		return err
	}
	for _, s := range g.Streams {
		if err := h.open(s); err != nil {
			return err
		}
	}
	return nil
}

// store stores a row unless the device is known to have it.
func (h *Hardware) store(index int, row memory.Region) error {
	if is, known := h.rows[index]; known && is == row {
		return nil
	}
	h.rows[index] = row
	return h.device.SetRegion(index, row)
}

// forget marks a row that the device may have changed, so that it is stored again.
func (h *Hardware) forget(index int) {
	if row, known := h.rows[index]; known {
		row.Rights = ^memory.Rights(0) // unlike any row
		h.rows[index] = row
	}
}

func (h *Hardware) open(s suite.Stream) error {
	h.opened[s.Stream] = true
	return h.device.Open(s.Stream, s.Domain)
}

func (h *Hardware) take(in *suite.Input) error {
	switch {
	case in.Port == suite.PortRx && in.Stream != nil:
		if op := in.Hex; len(op) >= 6 && mayInvalidate(op) {
			h.forget(int(op[2])<<16 | int(op[3])<<8 | int(op[4])) // index of the STag that it invalidates
		}
		h.longest = max(h.longest, len(in.Hex))
		h.hashed += in.Hashed()
		h.device.Send(*in.Stream, in.Hex)
	case in.Port == suite.PortWork && in.Work != nil:
		h.device.PostWork(in.Work.Request())
	case in.Port == suite.PortReceive && in.Receive != nil:
		h.device.PostReceive(in.Receive.Request())
	case in.Port == suite.PortControl && in.Region != nil:
		return h.store(in.Region.Row())
	case in.Port == suite.PortControl && in.Open != nil:
		return h.open(*in.Open)
	case in.Port == suite.PortControl && in.Shut != nil:
		return h.device.Shut(*in.Shut)
	case in.Port == suite.PortControl && in.Read != "":
		return h.read(in.Read)
	case in.Port == suite.PortTx && in.Hold != nil:
		return h.hold(*in.Hold)
	case in.Port == suite.PortFlushed && in.Hold != nil:
		h.silent = *in.Hold
		h.device.HoldFlushes(h.silent)
	default:
		return fmt.Errorf("port %s has no matching content; allowed: hex on %s, work on %s, receive on %s, region, open, shut or read on %s, hold on %s or %s", in.Port,
			suite.PortRx, suite.PortWork, suite.PortReceive, suite.PortControl, suite.PortTx, suite.PortFlushed)
	}
	return nil
}

// mayInvalidate reports whether a segment may have an Invalidate STag, with or without extensions.
func mayInvalidate(segment []byte) bool {
	return spec.Opcode(segment[1]&(1<<spec.OpcodeBits-1)).Is(spec.SendInvalidate) || spec.AllExtensions.Is(opcodeOf(segment), spec.Committing)
}

func (h *Hardware) hold(on bool) error {
	h.held = on
	stall := h.stall
	if on {
		stall = simulator.Stall{Mode: simulator.StallRandom, Chance: 256}
	}
	return h.device.Stall(suite.PortTx, stall)
}

// draining returns the additional cycles needed to discard a long refused segment on an 8-octet bus, and to compute
// digests; no port shows this.
func (h *Hardware) draining() uint64 { return uint64(max(0, h.longest-1024))/8 + uint64(h.hashed) }

// rest runs cycles until the device is idle. In the middle of a test, an input that the device does not accept may wait
// at its port.
func (h *Hardware) rest(middle bool) error {
	if h.watch != nil {
		if err := h.watchMemory(); err != nil {
			return err
		}
	}
	for cycles := uint64(0); cycles < mostCycles; {
		most := uint64(mostCycles)
		if h.held {
			most = heldCycles
		}
		r, err := h.device.Run(most, h.Quiet+h.draining())
		h.collect()
		var stuck *simulator.StuckError
		if errors.As(err, &stuck) && middle {
			return nil
		}
		if err != nil {
			return hang(err)
		}
		cycles += r.Cycles
		if h.device.Flushing() && !h.silent {
			continue
		}
		if h.device.Waiting() == 0 && (r.Why == simulator.Quiet || h.held && r.Why == simulator.MaxCycles) {
			h.longest = 0
			return nil
		}
	}
	return &HangError{fmt.Errorf("it is not idle after %d cycles", mostCycles)}
}

func hang(err error) error {
	var stuck *simulator.StuckError
	var protocol *simulator.ProtocolError
	if errors.As(err, &stuck) || errors.As(err, &protocol) {
		return &HangError{err}
	}
	return err
}

// watchMemory runs single cycles, so that each outcome is seen when it occurs.
func (h *Hardware) watchMemory() error {
	most := max(h.Quiet, watchedCycles) + h.draining()
	if h.stall.Mode != simulator.StallNone {
		most = max(most, stalledCycles)
	}
	for still := uint64(0); still < most || h.device.Flushing() && !h.silent; still++ {
		before := len(h.out)
		if _, err := h.device.Run(1, 0); err != nil {
			return hang(err)
		}
		h.collect()
		for i := before; i < len(h.out); i++ {
			still = 0
			if err := h.lookUp(&h.out[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookUp reads the memory that must have been written before an outcome.
func (h *Hardware) lookUp(e *suite.Expect) error {
	q := e.Sequence()
	n := h.seen[q]
	h.seen[q]++
	if n >= len(h.watch[q]) {
		return nil
	}
	for _, m := range h.watch[q][n].Memory {
		is := make([]byte, len(m.Hex))
		if err := h.device.Memory().Read(uint64(m.Address), is); err != nil {
			return err
		}
		e.Memory = append(e.Memory, suite.Octets{Address: m.Address, Hex: is})
	}
	return nil
}

func (h *Hardware) collect() {
	out := h.device.Take()
	for _, s := range out.Segments {
		h.out = append(h.out, suite.Expect{Port: suite.PortTx, Stream: s.Stream, Hex: suite.HexOctets(bytes.Clone(s.Octets))})
	}
	for _, c := range out.Completions {
		h.out = append(h.out, suite.CompletionOf(c.Stream, c.ID, c.Recv, int(c.Status), int(c.Opcode), c.Length, c.Data, c.STag))
	}
	for _, f := range out.Flushes {
		h.out = append(h.out, suite.FlushOf(f.Address, f.Octets, f.Type, f.Persistent, f.Visible))
	}
	for _, e := range out.Events {
		h.out = append(h.out, suite.EventOf(e.Stream, int(e.Kind), e.Term))
	}
}
