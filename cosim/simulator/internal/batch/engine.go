package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// Driver runs the pins of one instance with the state in a Block and its Streams.
type Driver interface {
	Run()   // up to Block.MaxCycles
	Reset() // for Block.MaxCycles
	SetPort(port int, value []uint64)
	GetPort(port int, value []uint64) // with the logic settled
	ReadMemory(memory int, address uint64, bytes []byte)
	WriteMemory(memory int, address uint64, bytes []byte)
	Close() error
}

// Engine implements simulator.Engine on a driver and the state shared with it.
type Engine struct {
	design  *simulator.Design
	block   *Block
	streams []Stream
	passed  []uint64   // beats of each stream before its ring was rewound
	lent    [][]uint64 // rings in the caller's memory
	driver  Driver
	failed  error
	closed  bool

	options simulator.Options

	memories []*Memory
	memoryOf []int      // by stream; -1: none
	logs     [][]Effect // of the memories
	bounds   [][]Range
}

var _ simulator.Engine = (*Engine)(nil)

// New starts an engine with a reset.
func New(d *simulator.Design, o simulator.Options, b *Block, streams []Stream, memories []*Memory, driver Driver) (*Engine, error) {
	e := &Engine{design: d, block: b, streams: streams, driver: driver,
		passed: make([]uint64, len(streams)), lent: make([][]uint64, len(streams)),
		options: o.WithDefaults(), memories: memories, logs: make([][]Effect, len(memories)), bounds: make([][]Range, len(memories))}
	for i := range streams {
		e.memoryOf = append(e.memoryOf, d.MemoryOf(i))
	}
	startMemories(o.Seed, len(streams), memories)
	if err := e.Reset(o.ResetCycles); err != nil {
		driver.Close()
		return nil, err
	}
	return e, nil
}

// Words returns the size of a stream's beats.
func (e *Engine) Words(stream int) int { return int(e.streams[stream].Words) }

func (e *Engine) Run(maxCycles, idleCycles uint64) (simulator.Result, error) {
	if err := e.usable(); err != nil {
		return simulator.Result{Why: simulator.Failed}, err
	}
	start := e.block.Cycle
	for {
		if e.options.Context.Err() != nil { // checked first: the context may have ended the simulator too
			return simulator.Result{Cycles: e.block.Cycle - start, Why: simulator.Failed}, context.Cause(e.options.Context)
		}
		left := maxCycles - (e.block.Cycle - start)
		e.block.MaxCycles, e.block.IdleLimit = min(left, slice), idleCycles
		e.driver.Run()
		result := simulator.Result{Cycles: e.block.Cycle - start, Why: simulator.Why(e.block.Why)}
		switch {
		case result.Why == simulator.MaxCycles && left > slice:
			continue
		case result.Why == simulator.Stuck:
			return result, e.stuck(idleCycles)
		case result.Why == simulator.Failed && e.options.Context.Err() == nil:
			return result, e.fail()
		case result.Why == simulator.Failed:
			continue
		}
		return result, nil
	}
}

// slice is the number of cycles between two checks of the context: at most a second in the slowest simulator.
const slice = 1024

func (e *Engine) Reset(cycles uint64) error {
	if err := e.usable(); err != nil {
		return err
	}
	for i := range e.streams {
		if s := &e.streams[i]; e.design.Streams[i].Dir == simulator.Sink {
			s.Tail = s.Head
		}
	}
	e.block.MaxCycles, e.block.Idle = cycles, 0
	e.driver.Reset()
	switch {
	case simulator.Why(e.block.Why) != simulator.Failed:
		return nil
	case e.options.Context.Err() != nil:
		return context.Cause(e.options.Context)
	}
	return e.fail()
}

func (e *Engine) SetStatic(port string, words ...uint64) error {
	if err := e.usable(); err != nil {
		return err
	}
	for _, s := range e.design.Statics {
		if s == port {
			i, err := e.value(port, words)
			if err == nil {
				e.block.Idle = 0
				e.driver.SetPort(i, words)
			}
			return err
		}
	}
	return fmt.Errorf("%s has no static input %q", e.design.Top, port)
}

func (e *Engine) Peek(port string, words []uint64) error {
	if err := e.usable(); err != nil {
		return err
	}
	i, err := e.value(port, words)
	if err == nil {
		e.driver.GetPort(i, words)
	}
	return err
}

func (e *Engine) SetStall(stream int, stall simulator.Stall) error {
	s, err := e.stream(stream)
	if err != nil {
		return err
	}
	if stall.Chance < 0 || stall.Chance > 256 || stall.Mode < simulator.StallNone || stall.Mode > simulator.StallBursts {
		return fmt.Errorf("stall mode %d with chance %d: allowed are modes 0 to 2 and chances 0 to 256", stall.Mode, stall.Chance)
	}
	if e.design.Streams[stream].Monitor() {
		return fmt.Errorf("stream %s has no ready: it cannot be held back", e.design.Streams[stream].Name)
	}
	s.Mode, s.Chance, s.Burst = uint64(stall.Mode), uint64(stall.Chance), 0
	return nil
}

func (e *Engine) Cycle() uint64 { return e.block.Cycle }

func (e *Engine) TraceHash() uint64 { return e.block.Hash }

func (e *Engine) Stats(stream int) simulator.Stats {
	s, err := e.stream(stream)
	if err != nil {
		return simulator.Stats{}
	}
	beats := s.Head
	if e.design.Streams[stream].Dir == simulator.Source {
		beats = s.Tail
	}
	return simulator.Stats{Queued: s.Tail - s.Head, Beats: e.passed[stream] + beats, Offered: s.Offered}
}

// Close keeps a copy of the counters, so that Cycle and TraceHash still work after the driver has freed its memory.
func (e *Engine) Close() error {
	if e.closed {
		return nil
	}
	last := *e.block
	e.block, e.streams, e.memories, e.closed = &last, nil, nil, true
	return e.options.Traced(e.driver.Close())
}

func (e *Engine) usable() error {
	if e.closed {
		return simulator.ErrClosed
	}
	return e.failed
}

func (e *Engine) stream(i int) (*Stream, error) {
	if i >= 0 && i < len(e.streams) {
		return &e.streams[i], nil
	}
	if e.closed {
		return nil, simulator.ErrClosed
	}
	return nil, fmt.Errorf("stream %d: %s has %d streams", i, e.design.Top, len(e.design.Streams))
}

// value checks a port's name and the words of its value.
func (e *Engine) value(port string, words []uint64) (int, error) {
	i, err := e.design.Port(port)
	if err != nil {
		return 0, err
	}
	if want := e.design.Ports[i].Words(); len(words) != want {
		return 0, fmt.Errorf("port %s: %d words; it has %d bits, which are %d words", port, len(words), e.design.Ports[i].Width, want)
	}
	return i, nil
}

func (e *Engine) fail() error {
	if e.failed = e.broken(); e.failed != nil {
		return e.failed
	}
	e.failed = e.gaveUp()
	return e.failed
}

// gaveUp returns the error of a failed model.
func (e *Engine) gaveUp() error {
	if g, is := e.driver.(*GoDriver); is && g.Err() != nil {
		var unknown *simulator.UnknownError
		if errors.As(g.Err(), &unknown) {
			unknown.Cycle = e.block.Cycle
			return unknown
		}
		var died *simulator.DiedError
		if errors.As(g.Err(), &died) {
			return died
		}
		return &simulator.FailedError{Cycle: e.block.Cycle, Message: g.Err().Error()}
	}
	text, _, _ := bytes.Cut(e.block.Message[:], []byte{0})
	return &simulator.FailedError{Cycle: e.block.Cycle, Message: string(text)}
}

func (e *Engine) stuck(idle uint64) error {
	report := &simulator.StuckError{Cycle: e.block.Cycle, Idle: idle}
	for i, s := range e.design.Streams {
		stats := e.Stats(i)
		report.Streams = append(report.Streams, simulator.StreamState{
			Name: s.Name, Dir: s.Dir, Queued: stats.Queued, Beats: stats.Beats,
			Valid: e.streams[i].Valid != 0, Ready: e.streams[i].Ready != 0,
		})
	}
	return report
}

func (s *Stream) data() []uint64   { return unsafe.Slice(s.Data, s.Capacity*s.Words) }
func (s *Stream) stamps() []uint64 { return unsafe.Slice(s.Stamps, s.Capacity) }
