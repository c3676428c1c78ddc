package cosim

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
)

// Load packs random traffic for the inputs of a design, to be offered round and round without a model behind it. Nothing in
// it is wrong, for a window with STag 0 and base 0: no stream dies, so that every round is as much work as the first.
func Load(c gen.Config, d *engine.Design, seed uint64, messages int) ([][]uint64, error) {
	p, err := findPorts(d)
	if err != nil {
		return nil, err
	}
	if p.rx < 0 {
		return nil, fmt.Errorf("%s takes no segments", d.Top)
	}
	beats := make([][]uint64, len(d.Streams))
	t := NewTraffic(c, seed)
	t.s.sound, t.s.stag, t.s.base = true, 0, 0
	for range messages {
		stream, segment := t.Next()
		beats[p.rx] = p.rxBeats.append(beats[p.rx], stream, segment)
	}
	return beats, nil
}
