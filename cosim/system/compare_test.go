package system

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/system"
)

// plain and committing are the options of the default configuration and of that with commit; the hardware is compiled once for all tests.
var plain, committing = optionsWith(), optionsWith("commit")

func optionsWith(extensions ...string) system.Options {
	c := gen.Default()
	c.Extensions = extensions
	return SystemOf(c, Options{Quick: true})
}

// optionsOf are those that a workload needs.
func optionsOf(w *system.Workload) system.Options {
	if w.Commits() {
		return committing
	}
	return plain
}

func shipped(t *testing.T, name string) system.Workload {
	text, err := system.OpenShipped(name)
	require.NoError(t, err)
	w, err := system.ReadWorkload(bytes.NewReader(text))
	require.NoError(t, err)
	return w
}

// near runs a workload with the model and with the hardware, and compares what takes part in the verdict. The short test runs fewer
// transactions.
func near(t *testing.T, name string, w system.Workload, o system.Options) {
	if testing.Short() {
		for i := range w.Flows {
			w.Flows[i].Transactions /= 10
			w.Flows[i].For /= 4
		}
	}
	list, err := Compare(name, w, o)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	for _, c := range list {
		rate, p50, p99 := c.Ratios()
		t.Logf("%-10s %-10s n %6d  rate %8.3f %8.3f %.3f  p50 %6.0f %6.0f %.3f  p99 %6.0f %6.0f %.3f", c.Model.Flow, c.Model.Name, c.Model.Count, c.Model.PerMicrosecond,
			c.RTL.PerMicrosecond, rate, c.Model.Latency.P50, c.RTL.Latency.P50, p50, c.Model.Latency.P99, c.RTL.Latency.P99, p99)
		assert.True(t, c.Near(), "%s %s", c.Model.Flow, c.Model.Name)
	}
}

// The model is as fast as the hardware, on every workload that comes with the program.
func TestModelIsAsFastAsHardware(t *testing.T) {
	for _, name := range system.Shipped() {
		t.Run(name, func(t *testing.T) {
			w := shipped(t, name)
			if w.Commits() || len(w.Flows) > 1 || name == "lock" {
				long.Test(t)
			}
			near(t, name, w, optionsOf(&w))
		})
	}
}

// A network in which some nodes are hardware does the same as one in which all are the model: the same transactions, and the same memory.
func TestSomeNodesAreHardware(t *testing.T) {
	w := shipped(t, "all-to-all")
	w.Flows[0].Transactions = 10
	w.Flows = append(w.Flows, shipped(t, "get").Flows[0])
	w.Flows[1].Transactions = 10
	w.Flows[1].Objects.Base, w.Flows[1].Streams = 1<<20, 1
	run := func(parallel bool, rtl ...string) *system.Report {
		o := optionsOf(&w)
		o.Parallel = parallel
		var err error
		w.RTL, err = system.ParseNodes(rtl)
		require.NoError(t, err)
		s, err := system.New(w, o)
		require.NoError(t, err)
		r, err := s.Run()
		require.NoError(t, err)
		require.NoError(t, s.Close())
		return r
	}
	mixed := run(false, "2-3")
	model := run(false)
	for i := range mixed.Nodes {
		assert.Equal(t, model.Nodes[i].Memory, mixed.Nodes[i].Memory, "memory of node %d", i)
		assert.Equal(t, model.Nodes[i].Transactions, mixed.Nodes[i].Transactions)
	}
	require.Len(t, mixed.Rows, len(model.Rows))
	for i := range mixed.Rows {
		assert.Equal(t, model.Rows[i].Count, mixed.Rows[i].Count)
	}
	assert.NotEqual(t, model.Nodes[0].Memory, model.Nodes[1].Memory)
	assert.Equal(t, mixed, run(true, "2-3"), "serial and parallel")
}
