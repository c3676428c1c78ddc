package simulator

// Memory is the memory connected to an AXI4 master of the design (Design.Memories): a byte for each of 2^64 addresses, initially
// zero. It responds during the run, identically on every engine.
//
// A write burst is complete when its address and all of its data have been accepted, in either order; a read burst when its
// address has. Then its latency starts, which is drawn for each burst: a burst that is complete in cycle c with latency n is
// due in cycle c + n, but not before an earlier one of its ID and direction. Bursts take effect in the order in which they are
// due, at most one write and then one read per cycle, before the logic settles:
//
//   - a write stores all of its bytes at once, in the first cycle in which its response could be on B, whatever happens on B.
//   - a read samples all of its bytes at once, in the first cycle in which its first beat could be on R, after the write of the
//     same cycle.
//
// Responses are sent in that order, one beat per cycle; with SetInterleave, beats of read bursts with different IDs are
// interleaved. A stall of the five streams (Engine.SetStall) delays the channel, not the effect.
//
// A burst is incrementing, every beat is as wide as the bus and aligned to it, and no burst crosses a 4 KiB boundary. A
// violation of this, or of another rule of Rule, ends Run with a *ProtocolError.
//
// Engine.Reset drops the bursts that have not taken effect, and the responses. Bytes are kept.
type Memory interface {
	// Read copies bytes out of the memory, Write into it, in the state after the last cycle. A range must end at 2^64 or before.
	Read(address uint64, bytes []byte) error
	Write(address uint64, bytes []byte) error

	// SetLatency sets the ranges from which latencies are drawn, for bursts that become complete from now on. Initially they
	// are 1 cycle, which is the minimum.
	SetLatency(read, write Latency) error

	// SetSlow replaces the ranges of slow memory, at most 16, and sets their latency: it is drawn instead of that of SetLatency for
	// bursts that touch one. As every burst, a later one of the same ID and direction is not due before.
	SetSlow(l Latency, ranges ...Range) error

	// SetOutstanding sets how many bursts are held in each direction, 1 to 1024 (the default). A burst is held from its first
	// beat of address or data to the last beat of its response. At the limit, no more are accepted.
	SetOutstanding(bursts int) error

	// SetInterleave interleaves read bursts with different IDs on R, at random, beat by beat.
	SetInterleave(on bool) error

	// SetLateReady makes AW, W and AR ready only for a beat that was already offered in the previous cycle, as AXI4 permits
	// (A3.2.2): a master that waits for ready before it asserts valid waits forever.
	SetLateReady(on bool) error

	// SetErrors replaces the ranges that respond SLVERR or DECERR, at most 16; where two overlap, the first one counts. A write
	// beat that touches one stores nothing; a read beat that touches one returns the complement of the bytes, and the error.
	// Other beats of the burst are unaffected. A write has the response of its first failing beat.
	SetErrors(ranges ...Range) error

	// SetBounds replaces the ranges that the design may access; initially, and with no ranges, it may access everything. Each
	// byte with a strobe of a write must be in a range for writes, and at least one byte of each read beat must be in a range for
	// reads; otherwise RuleBounds is broken. This is not a rule of AXI4 but detects stray accesses. Ranges with errors may be
	// in or out of bounds.
	SetBounds(ranges ...Range) error

	// SetLog sets the size of the log: at least 2 effects, or none (the default). It drops effects not taken yet. Run ends with
	// OutputFull when the effects of another cycle might not fit, and does not start until some are taken.
	SetLog(effects int) error

	// Effects takes effects out of the log, in order, and returns how many.
	Effects(effects []Effect) (int, error)
}

// MemoryPort is an AXI4 master of a design that is connected to memory: the streams whose ports are PREFIX_aw*, PREFIX_w* and
// PREFIX_b*, or PREFIX_ar* and PREFIX_r*, or all of them. Push, Pop and the like do not work on them; SetStall and Stats do.
type MemoryPort struct {
	Name   string
	Prefix string // m_axi
	Bytes  int    // width of the bus: a power of two from 8 to 128
}

// Latency is a range of cycles, both ends included.
type Latency struct{ Least, Most uint64 }

// Range is a range of addresses, both ends included, for reads, writes or both.
type Range struct {
	First, Last   uint64
	Reads, Writes bool
	Decode        bool // errors are DECERR instead of SLVERR
}

// Effect is a burst that took effect.
type Effect struct {
	Cycle   uint64
	Write   bool
	ID      uint64
	Address uint64
	Bytes   int  // in all beats; a write may store fewer
	Error   bool // one of its beats had an error
}

// Rule is a rule for the master of a memory: one of AXI4, or RuleBounds.
type Rule int

const (
	RuleNone     Rule = iota
	RuleValid         // valid fell before ready
	RuleStable        // the beat changed before ready
	RuleAligned       // the address is not a multiple of the bus width
	RuleSize          // the beats are not as wide as the bus
	RuleBurst         // the burst is not incrementing
	RuleBoundary      // the burst crosses a 4 KiB boundary
	RuleLast          // wlast is not on exactly the last beat of the burst
	RuleBounds        // the burst touches bytes out of bounds (Memory.SetBounds)
)

var ruleNames = [...]string{
	"no rule",
	"valid fell before ready",
	"the beat changed before ready",
	"the address is not a multiple of the bus width",
	"the beats are not as wide as the bus",
	"the burst is not incrementing",
	"the burst crosses a 4 KiB boundary",
	"wlast is not on the last beat of the burst",
	"the burst touches bytes out of bounds",
}

func (r Rule) String() string {
	if r < 0 || int(r) >= len(ruleNames) {
		return "unknown"
	}
	return ruleNames[r]
}

// MaxOutstanding is the maximum number of bursts a memory can hold in each direction.
const MaxOutstanding = 1024

// MaxErrorRanges is the maximum number of ranges of a memory that respond with errors, and of those that are slow.
const MaxErrorRanges = 16
