package simulator

// Stall sets how often a driver stalls a stream: a sink does not offer a queued beat (an offered one remains stable until
// it is accepted), a source is not ready.
//
// Each stream draws from its own generator, seeded with the engine's seed and the stream's index, once per cycle
// (StallRandom) or once per run of cycles (StallBursts), whether or not there is a beat. So the stalls of a stream depend
// on the seed and the cycle, and not on the traffic.
type Stall struct {
	Mode   StallMode
	Chance int // average number of stalled cycles out of 256: 0 none, 256 all
}

// StallMode is the pattern of stalls.
type StallMode int

const (
	StallNone   StallMode = iota // never
	StallRandom                  // each cycle independently
	StallBursts                  // runs of 1 to 64 cycles that are stalled, or not, as a whole
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
