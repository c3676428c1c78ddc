package simulator

// Stall says how often a driver holds a stream back: a sink does not offer a queued beat (an offered one stays, with
// stable data, until it is accepted), a source is not ready.
//
// Each stream draws from a generator of its own, seeded with the engine's seed and the stream's index, once a cycle
// (StallRandom) or once a run of cycles (StallBursts), whether or not there is a beat. So the stalls of a stream depend
// on the seed and the cycle, and not on the traffic.
type Stall struct {
	Mode   StallMode
	Chance int // out of 256 cycles, how many are stalled on average: 0 none, 256 all
}

// StallMode is the manner of stalling.
type StallMode int

const (
	StallNone   StallMode = iota // never
	StallRandom                  // each cycle for itself
	StallBursts                  // runs of 1 to 64 cycles which are stalled, or not, as a whole
)

func (m StallMode) String() string {
	switch m {
	case StallNone:
		return "none"
	case StallRandom:
		return "random"
	case StallBursts:
		return "bursts"
	}
	return "unknown"
}
