package simulator

// Memory is the memory behind an AXI4 master of the design (Design.Memories): a byte for each of 2^64 addresses, at first
// zero. It answers inside the run, on every engine in exactly the same way.
//
// A write burst is complete when its address and all of its data have been accepted, data before the address or after it; a
// read burst when its address has. From then on a latency runs, drawn for each burst: a burst that is complete in cycle c
// with latency n is due in cycle c + n, but not before an earlier one of its ID and direction. Bursts take effect in the
// order in which they are due, at most one write and then one read a cycle, before the logic settles:
//
//   - a write stores all of its bytes at once, when its response could first be on B. What becomes of B does not matter.
//   - a read takes all of its bytes at once, when its first beat could first be on R, with the write of the same cycle done.
//
// Responses leave in that order, one beat a cycle; with SetInterleave, beats of read bursts of different IDs take turns. A
// stall of the five streams (Engine.SetStall) holds the channel back and not the effect.
//
// A burst is incrementing, every beat as wide as the bus and aligned to it, and does not cross a 4 KiB boundary. Whatever
// breaks this, or the other rules of Rule, ends Run with a *ProtocolError.
//
// Engine.Reset drops the bursts that have not taken effect, and the responses. Bytes stay.
type Memory interface {
	// Read copies bytes out of the memory, Write into it, as they are after the last cycle. A range ends at 2^64.
	Read(address uint64, bytes []byte) error
	Write(address uint64, bytes []byte) error

	// SetLatency sets from which ranges latencies are drawn, for bursts that become complete from now on. At first they are
	// 1 clock, which is the least.
	SetLatency(read, write Latency) error

	// SetOutstanding sets how many bursts are held in each direction, 1 to 1024, which is what it is at first: from the first
	// beat of address or data to the last of the response. When so many are held, no more are accepted.
	SetOutstanding(bursts int) error

	// SetInterleave lets bursts of reads with different IDs take turns on R, at random, beat by beat.
	SetInterleave(on bool) error

	// SetLateReady lets AW, W and AR be ready only for a beat that was on offer in the cycle before, as AXI4 permits
	// (A3.2.2): a master that waits for ready before it is valid waits forever.
	SetLateReady(on bool) error

	// SetErrors sets the ranges that answer SLVERR or DECERR, at most 16, in place of those from before; where two overlap, the
	// first one counts. A beat of a write that touches one stores nothing; a beat of a read that touches one has the complement
	// of the bytes, and its response. Other beats of the burst are as ever. A write has the response of its first such beat.
	SetErrors(ranges ...Range) error

	// SetBounds sets what the design may touch, in place of what it could before; at first, and with no ranges, it may touch
	// everything. Each byte that a write has a strobe for is in a range for writes, and of each beat of a read a byte is in a
	// range for reads; else RuleBounds is broken. This is no rule of AXI4 but keeps a design from writing where it has no
	// business. Errors may be in bounds or not.
	SetBounds(ranges ...Range) error

	// SetLog makes room for a number of effects, at least 2, or for none, which is how it is at first, and forgets those not
	// taken yet. Run ends, OutputFull, when there is no room for the effects of another cycle, and does not start before some are
	// taken.
	SetLog(effects int) error

	// Effects takes effects out of the log, in their order, and returns how many.
	Effects(effects []Effect) (int, error)
}

// MemoryPort is an AXI4 master of a design with memory behind it: the streams whose ports are PREFIX_aw*, PREFIX_w* and
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
	Decode        bool // errors are DECERR and not SLVERR
}

// Effect is a burst that took effect.
type Effect struct {
	Cycle   uint64
	Write   bool
	ID      uint64
	Address uint64
	Bytes   int  // of all beats; a write may store fewer
	Error   bool // one of its beats had an error
}

// Rule is a rule for the master of a memory: one of AXI4, or RuleBounds.
type Rule int

const (
	RuleNone     Rule = iota
	RuleValid         // valid fell before ready was there
	RuleStable        // the beat changed before ready was there
	RuleAligned       // the address is no multiple of the bus width
	RuleSize          // the beats are not as wide as the bus
	RuleBurst         // the burst is not incrementing
	RuleBoundary      // the burst crosses a 4 KiB boundary
	RuleLast          // wlast is not on the last beat of the burst, and nowhere else
	RuleBounds        // the burst touches bytes which are out of bounds (Memory.SetBounds)
)

var ruleNames = [...]string{
	"no rule",
	"valid fell before ready was there",
	"the beat changed before ready was there",
	"the address is no multiple of the bus width",
	"the beats are not as wide as the bus",
	"the burst is not incrementing",
	"the burst crosses a 4 KiB boundary",
	"wlast is not on the last beat of the burst",
	"the burst touches bytes which are out of bounds",
}

func (r Rule) String() string {
	if r < 0 || int(r) >= len(ruleNames) {
		return "unknown"
	}
	return ruleNames[r]
}

// MaxOutstanding is how many bursts a memory can hold in each direction.
const MaxOutstanding = 1024

// MaxErrorRanges is how many ranges of a memory can answer errors.
const MaxErrorRanges = 16
