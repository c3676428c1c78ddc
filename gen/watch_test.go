package gen_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// watch checks in every cycle that an offered beat stays unchanged until it is accepted.
type watch struct {
	simulator.Model
	t      testing.TB
	design *simulator.Design
	held   map[string][]uint64 // by stream: the beat not accepted yet
	also   func(pin func(port string) uint64)
}

// Clock is called with the logic settled.
func (w *watch) Clock() {
	defer w.Model.Clock()
	if w.pin("rst") == 1 {
		clear(w.held)
		return
	}
	for _, s := range w.design.Streams {
		if s.Dir == simulator.Sink || s.Ready == "" {
			continue
		}
		held, valid, ready := w.held[s.Name], w.pin(s.Valid) == 1, w.pin(s.Ready) == 1
		delete(w.held, s.Name)
		if held == nil && (!valid || ready) {
			continue
		}
		offer := w.offer(s)
		if held != nil && (!valid || !slices.Equal(held, offer)) && !w.t.Failed() {
			w.t.Errorf("%s: a beat changed before it was accepted: valid is %v, its ports were %x, are %x", s.Name, valid, held, offer)
		}
		if valid && !ready {
			w.held[s.Name] = offer
		}
	}
	if w.also != nil {
		w.also(w.pin)
	}
}

func (w *watch) pin(port string) uint64 {
	i, err := w.design.Port(port)
	if err != nil {
		require.NoError(w.t, err)
	}
	value := make([]uint64, w.design.Ports[i].Words())
	w.Get(i, value)
	return value[0]
}

func (w *watch) offer(s simulator.Stream) (words []uint64) {
	for _, f := range s.Fields {
		i, err := w.design.Port(f)
		if err != nil {
			require.NoError(w.t, err)
		}
		value := make([]uint64, w.design.Ports[i].Words())
		w.Get(i, value)
		words = append(words, value...)
	}
	return words
}
