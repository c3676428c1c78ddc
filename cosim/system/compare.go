package system

import (
	"errors"
	"fmt"
	"math"

	"github.com/rnicgen/rnicgen/model/system"
)

// Comparison is a kind of transaction of a workload, with the model and with the hardware as the RNIC of all nodes.
type Comparison struct {
	Workload string     `json:"workload"`
	Model    system.Row `json:"model"`
	RTL      system.Row `json:"rtl"`
}

// Ratios returns the model's rate and latency over those of the hardware.
func (c *Comparison) Ratios() (rate, p50, p99 float64) {
	return c.Model.PerMicrosecond / c.RTL.PerMicrosecond, c.Model.Latency.P50 / c.RTL.Latency.P50, c.Model.Latency.P99 / c.RTL.Latency.P99
}

// Closeness is how far the model's rate and latency may be from those of the hardware, as a fraction; tail is the number of transactions
// from which on p99 counts: of fewer it is decided by a few of them.
const (
	Closeness = 0.05
	tail      = 2000
)

// Near reports whether the model is as fast as the hardware.
func (c *Comparison) Near() bool {
	rate, p50, p99 := c.Ratios()
	near := func(ratio float64) bool { return math.Abs(ratio-1) <= Closeness }
	return near(rate) && near(p50) && (near(p99) || c.Model.Count < tail)
}

// Compare runs a workload on both and compares what hosts see: the same transactions, the same memory, and how long it takes.
func Compare(name string, w system.Workload, o system.Options) (list []Comparison, err error) {
	run := func(rtl string) (*system.Report, error) {
		w.RTL, _ = system.ParseNodes([]string{rtl})
		if rtl == "" {
			w.RTL = system.Nodes{}
		}
		s, err := system.New(w, o)
		if err != nil {
			return nil, err
		}
		r, err := s.Run()
		return r, errors.Join(err, s.Close())
	}
	hardware, err := run("all")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	model, err := run("")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, row := range model.Rows {
		if i >= len(hardware.Rows) || hardware.Rows[i].Name != row.Name || hardware.Rows[i].Flow != row.Flow {
			return nil, fmt.Errorf("%s: the hardware did other transactions than the model", name)
		}
		if !row.Operation {
			list = append(list, Comparison{name, row, hardware.Rows[i]})
		}
	}
	return list, nil
}
