package batch

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// Memory is the state of a memory, shared with a driver: shim/memory.h has the same struct. All fields are 64 bits wide.
type Memory struct {
	ReadLeast, ReadMost   uint64 // latency
	WriteLeast, WriteMost uint64
	ReadRandom            uint64 // states of the generators of latencies
	WriteRandom           uint64
	TurnRandom            uint64 // state of the generator of turns on R
	Outstanding           uint64 // bursts held in each direction
	Interleave            uint64
	LateReady             uint64
	Log                   *Effect
	LogCapacity           uint64 // 0: no log is kept
	LogHead, LogTail      uint64 // effects taken out and put in since the log was created
	Rule                  uint64 // simulator.Rule that was broken first
	Channel               uint64 // stream
	RuleCycle             uint64
	RuleAddress           uint64
	RuleBeats             uint64
	ErrorCount            uint64
	Errors                [simulator.MaxErrorRanges]Range
	Bounds                *Range
	BoundCount            uint64 // 0: no bounds
	SlowLeast, SlowMost   uint64 // latency of the slow ranges
	SlowCount             uint64
	Slow                  [simulator.MaxErrorRanges]Range
}

// Effect is a simulator.Effect.
type Effect struct{ Cycle, Write, ID, Address, Bytes, Error uint64 }

// Range is a simulator.Range.
type Range struct{ First, Last, Reads, Writes, Decode uint64 }

// maxLatency avoids overflow in counting cycles and in the product with a random number.
const maxLatency = 1 << 31

// startMemories gives the memories of a fresh instance their default state. The numbers of their random generators follow
// those of the streams.
func startMemories(seed uint64, streams int, memories []*Memory) {
	for i, m := range memories {
		first := uint64(streams + 3*i)
		m.ReadRandom, m.WriteRandom, m.TurnRandom = Seed(seed, first), Seed(seed, first+1), Seed(seed, first+2)
		m.ReadLeast, m.ReadMost, m.WriteLeast, m.WriteMost = 1, 1, 1, 1
		m.Outstanding = simulator.MaxOutstanding
	}
}

// access is a simulator.Memory.
type access struct {
	engine *Engine
	index  int
}

var _ simulator.Memory = access{}

// Memory gives access to a memory.
func (e *Engine) Memory(name string) (simulator.Memory, error) {
	i, err := e.design.Memory(name)
	if err != nil {
		return nil, err
	}
	return access{e, i}, nil
}

// shared returns the memory's state while the engine is open, even after a rule was broken.
func (a access) shared() (*Memory, error) {
	if a.engine.closed {
		return nil, simulator.ErrClosed
	}
	return a.engine.memories[a.index], nil
}

func (a access) Read(address uint64, bytes []byte) error {
	return a.copy("read", address, bytes, a.engine.driver.ReadMemory)
}

func (a access) Write(address uint64, bytes []byte) error {
	return a.copy("write", address, bytes, a.engine.driver.WriteMemory)
}

func (a access) copy(verb string, address uint64, bytes []byte, copy func(memory int, address uint64, bytes []byte)) error {
	if _, err := a.shared(); err != nil || len(bytes) == 0 {
		return err
	}
	if address+uint64(len(bytes)-1) < address {
		return fmt.Errorf("%s %s: %d bytes from 0x%x end beyond the last address", verb, a.name(), len(bytes), address)
	}
	copy(a.index, address, bytes)
	return nil
}

func (a access) name() string { return a.engine.design.Memories[a.index].Name }

func (a access) SetLatency(read, write simulator.Latency) error {
	m, err := a.shared()
	if err != nil {
		return err
	}
	if err := errors.Join(a.checkLatency(read), a.checkLatency(write)); err != nil {
		return err
	}
	m.ReadLeast, m.ReadMost, m.WriteLeast, m.WriteMost = read.Least, read.Most, write.Least, write.Most
	return nil
}

func (a access) SetOutstanding(bursts int) error {
	m, err := a.shared()
	if err != nil {
		return err
	}
	if bursts < 1 || bursts > simulator.MaxOutstanding {
		return fmt.Errorf("%s: %d outstanding bursts; it must be from 1 to %d", a.name(), bursts, simulator.MaxOutstanding)
	}
	m.Outstanding = uint64(bursts)
	return nil
}

func (a access) SetInterleave(on bool) error {
	m, err := a.shared()
	if err == nil {
		m.Interleave = number(on)
	}
	return err
}

func (a access) SetLateReady(on bool) error {
	m, err := a.shared()
	if err == nil {
		m.LateReady = number(on)
	}
	return err
}

func (a access) SetErrors(ranges ...simulator.Range) error {
	m, list, err := a.ranges(ranges)
	if err != nil {
		return err
	}
	if len(list) > simulator.MaxErrorRanges {
		return fmt.Errorf("%s: %d error ranges; at most %d are allowed", a.name(), len(list), simulator.MaxErrorRanges)
	}
	m.ErrorCount = uint64(copy(m.Errors[:], list))
	return nil
}

// SetBounds shares Go memory with the driver, as Lend does.
func (a access) SetBounds(ranges ...simulator.Range) error {
	m, list, err := a.ranges(ranges)
	if err == nil {
		a.engine.bounds[a.index] = list
		m.Bounds, m.BoundCount = unsafe.SliceData(list), uint64(len(list))
	}
	return err
}

func (a access) ranges(ranges []simulator.Range) (*Memory, []Range, error) {
	m, err := a.shared()
	if err != nil {
		return nil, nil, err
	}
	list := make([]Range, len(ranges))
	for i, r := range ranges {
		if r.Last < r.First {
			return nil, nil, fmt.Errorf("%s: range from 0x%x to 0x%x: the end is before the start", a.name(), r.First, r.Last)
		}
		list[i] = Range{r.First, r.Last, number(r.Reads), number(r.Writes), number(r.Decode)}
	}
	return m, list, nil
}

// SetLog shares Go memory with the driver, as Lend does.
func (a access) SetLog(effects int) error {
	m, err := a.shared()
	if err != nil {
		return err
	}
	if effects < 0 || effects == 1 {
		return fmt.Errorf("%s: a log of %d effects; it must be none or at least 2", a.name(), effects)
	}
	log := make([]Effect, effects)
	a.engine.logs[a.index] = log
	m.Log, m.LogCapacity, m.LogHead, m.LogTail = unsafe.SliceData(log), uint64(effects), 0, 0
	return nil
}

func (a access) Effects(effects []simulator.Effect) (int, error) {
	m, err := a.shared()
	if err != nil {
		return 0, err
	}
	if m.LogCapacity == 0 {
		return 0, fmt.Errorf("%s: no effects are kept; enable them with SetLog", a.name())
	}
	n := min(uint64(len(effects)), m.LogTail-m.LogHead)
	for i := range n {
		e := a.engine.logs[a.index][(m.LogHead+i)%m.LogCapacity]
		effects[i] = simulator.Effect{Cycle: e.Cycle, Write: e.Write != 0, ID: e.ID, Address: e.Address, Bytes: int(e.Bytes), Error: e.Error != 0}
	}
	m.LogHead += n
	return int(n), nil
}

// broken returns the broken AXI4 rule that ended a run.
func (e *Engine) broken() error {
	for i, m := range e.memories {
		if m.Rule != 0 {
			return &simulator.ProtocolError{
				Memory: e.design.Memories[i].Name, Channel: e.design.Streams[m.Channel].Name, Cycle: m.RuleCycle,
				Rule: simulator.Rule(m.Rule), Address: m.RuleAddress, Beats: int(m.RuleBeats)}
		}
	}
	return nil
}

// queue is a stream that the caller pushes to or pops from.
func (e *Engine) queue(stream int) (*Stream, error) {
	s, err := e.stream(stream)
	if err != nil {
		return nil, err
	}
	if i := e.memoryOf[stream]; i >= 0 {
		return nil, fmt.Errorf("stream %s belongs to memory %s", e.design.Streams[stream].Name, e.design.Memories[i].Name)
	}
	return s, nil
}

// logFull reports whether the effects of a cycle might not fit in the log.
func (m *Memory) logFull() bool { return m.LogCapacity != 0 && m.LogCapacity-(m.LogTail-m.LogHead) < 2 }

func (m *Memory) log(e Effect) {
	if m.LogCapacity != 0 {
		unsafe.Slice(m.Log, m.LogCapacity)[m.LogTail%m.LogCapacity] = e
		m.LogTail++
	}
}

// AXI4 responses of a memory.
const (
	okay   = 0
	slverr = 2
	decerr = 3
)

// response returns the response of a beat: an error if it touches an error range.
func (m *Memory) response(address, bytes uint64, write bool) uint64 {
	for i := range m.Errors[:m.ErrorCount] {
		if r := &m.Errors[i]; r.touches(address, bytes, write) {
			return slverr + r.Decode
		}
	}
	return okay
}

// touches reports whether any of the bytes is in the range, covers whether all of them are.
func (r *Range) touches(address, bytes uint64, write bool) bool {
	return r.is(write) && address <= r.Last && address+bytes-1 >= r.First
}

func (r *Range) covers(address, bytes uint64, write bool) bool {
	return r.is(write) && address >= r.First && address+bytes-1 <= r.Last
}

func (r *Range) is(write bool) bool { return write && r.Writes != 0 || !write && r.Reads != 0 }

// violate records the first broken rule.
func (m *Memory) violate(rule simulator.Rule, stream int, cycle, address, beats uint64) {
	if m.Rule == 0 {
		m.Rule, m.Channel, m.RuleCycle, m.RuleAddress, m.RuleBeats = uint64(rule), uint64(stream), cycle, address, beats
	}
}
