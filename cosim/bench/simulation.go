package bench

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"strings"

	rtl "github.com/rnicgen/rnicgen/cosim/system"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/system"
)

// simulations compare the model in a network with the hardware, and the memory that simulations of few and of many nodes take, each with
// 64 QPs.
func simulations() ([]Figure, error) {
	away, err := deviation("all-to-all")
	if err != nil {
		return nil, err
	}
	few, err := memoryOfNode(33)
	if err != nil {
		return nil, err
	}
	many, err := memoryOfNode(256)
	if err != nil {
		return nil, err
	}
	return []Figure{
		AtMost("simulation, all-to-all: rate, p50 and p99 of the model away from those of the hardware", "%", 100*away, 5),
		AtMost("simulation, memory of a node with 64 QPs: 256 nodes against 33", "times", many/few, 1.2),
	}, nil
}

// deviation is the largest of a workload, as a fraction.
func deviation(name string) (away float64, err error) {
	text, err := system.OpenShipped(name)
	if err != nil {
		return 0, err
	}
	w, err := system.ReadWorkload(bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	list, err := rtl.Compare(name, w, rtl.SystemOf(gen.Default(), rtl.Options{}))
	for _, c := range list {
		rate, p50, p99 := c.Ratios()
		away = max(away, math.Abs(rate-1), math.Abs(p50-1), math.Abs(p99-1))
	}
	return away, err
}

// memoryOfNode is that of a simulation by node, in octets, after all have written to their neighbors.
func memoryOfNode(nodes int) (float64, error) {
	w, err := system.ReadWorkload(strings.NewReader(fmt.Sprintf(`
nodes: %d
flows:
  - {from: all, to: all, neighbors: 32, transactions: 2, objects: {count: 64, octets: 512}, mix: [{steps: [{operation: write, octets: 512}, {operation: read, octets: 64}]}]}
`, nodes)))
	if err != nil {
		return 0, err
	}
	before := heap()
	s, err := system.New(w, rtl.SystemOf(gen.Default(), rtl.Options{}))
	if err != nil {
		return 0, err
	}
	if _, err := s.Run(); err != nil {
		return 0, err
	}
	memory := heap() - before
	runtime.KeepAlive(s)
	return float64(memory) / float64(nodes), nil
}

// heap returns the octets in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
