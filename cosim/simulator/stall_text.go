package simulator

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseStall parses none, random:N or bursts:N, where N of 256 cycles are stalled on average, or the fraction of cycles that are
// stalled at random.
func ParseStall(text string) (Stall, error) {
	if p, err := strconv.ParseFloat(text, 64); err == nil && p >= 0 && p < 1 {
		return Stall{Mode: StallRandom, Chance: min(255, int(math.Round(256*p)))}, nil
	}
	mode, number, given := strings.Cut(text, ":")
	for _, m := range []StallMode{StallNone, StallRandom, StallBursts} {
		if m.String() != mode || given == (m == StallNone) {
			continue
		}
		if m == StallNone {
			return Stall{}, nil
		}
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n <= 255 {
			return Stall{Mode: m, Chance: n}, nil
		}
	}
	return Stall{}, fmt.Errorf("stall %q; allowed: none, a fraction of all cycles such as 0.25, random:N or bursts:N with N from 0 to 255", text)
}
