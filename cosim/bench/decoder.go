package bench

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
)

// decoder counts the allocations of model/wire for a mix of valid and invalid segments.
func decoder() ([]Figure, error) {
	segments := mixedSegments(1000)
	allocs := testing.AllocsPerRun(10, func() {
		for _, s := range segments {
			wire.Classify(s)
		}
	})
	return []Figure{AtMost("model/wire: allocations for each segment decoded", "allocations", allocs/float64(len(segments)), 0)}, nil
}

// generate generates the Verilog of the default configuration twice.
func generate() ([]Figure, error) {
	start := time.Now()
	first, err := gen.Generate(gen.Default())
	if err != nil {
		return nil, err
	}
	elapsed := time.Since(start).Seconds()
	second, err := gen.Generate(gen.Default())
	if err != nil {
		return nil, err
	}
	if len(first) != len(second) {
		return nil, errors.New("two runs give different files")
	}
	same := 0.0
	for i := range first {
		if first[i].Name == second[i].Name && bytes.Equal(first[i].Data, second[i].Data) {
			same++
		}
	}
	return []Figure{
		AtMost("generate, default configuration", "s", elapsed, 1),
		AtLeast("generate twice: files that are byte-identical", "%", 100*same/float64(len(first)), 100),
	}, nil
}
