package rnic

import (
	"math/rand/v2"
	"slices"
)

// demand says how much of an epoch's work each stream gets: in every third epoch all the same; otherwise one or two streams get
// half of it, and half of the streams next to nothing.
type demand struct {
	all, busy []uint32
	hot       int // of busy, the first ones
}

func newDemand(active []uint32, r *rand.Rand) demand {
	d := demand{all: active, busy: active}
	if r.IntN(3) > 0 {
		d.busy = slices.Clone(active)
		r.Shuffle(len(d.busy), func(i, j int) { d.busy[i], d.busy[j] = d.busy[j], d.busy[i] })
		d.busy = d.busy[:(len(d.busy)+1)/2]
		d.hot = min(len(d.busy), 1+r.IntN(2))
	}
	return d
}

// stream draws the stream of the next work request.
func (d demand) stream(r *rand.Rand) uint32 {
	from := d.busy
	switch n := r.IntN(16); {
	case n == 0:
		from = d.all
	case n < 8 && d.hot > 0:
		from = d.busy[:d.hot]
	}
	return from[r.IntN(len(from))]
}
