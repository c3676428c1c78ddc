package cosim

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
)

// Load packs the random traffic of a seed for every input of a design, to be offered without a model behind it.
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
	for range messages {
		stream, segment := t.Next()
		beats[p.rx] = p.rxBeats.append(beats[p.rx], stream, segment)
	}
	return beats, nil
}
