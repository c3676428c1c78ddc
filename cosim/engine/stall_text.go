package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseStall reads none, random:N or bursts:N, where N of 256 cycles are stalled on average.
func ParseStall(text string) (Stall, error) {
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
	return Stall{}, fmt.Errorf("stall %q; allowed: none, random:N or bursts:N with N from 0 to 255", text)
}
