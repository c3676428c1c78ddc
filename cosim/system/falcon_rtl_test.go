package system

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/system"
)

// allKinds has all kinds of operations of several QPs, of several packets and back to back, in a network that reorders. With one transaction
// of a QP at a time, what is in memory at the end does not depend on time.
const allKinds = `
nodes: 3
network: {reorder: 1us, link_gbps: 40}
memory: {latency: 300ns}
flows:
  - name: some
    from: all
    to: all
    streams: 2
    transactions: 10
    outstanding: OUTSTANDING
    ordering: ORDERING
    objects: {count: 8, octets: 8192, pick: own}
    mix:
      - {name: several, back_to_back: true, steps: [{operation: write, octets: 3000, at: 11}, {operation: fetch_add, at: 4096, add: 7}, {operation: read, octets: 2500, at: 100}, {operation: fetch_add, at: 4096, add: 7}, {operation: write, octets: 40, at: 5000}]}
      - {name: message, steps: [{operation: send, octets: 900, reply: true}]}
`

// Hardware and model run next to each other, in each ordering mode, and have the same memory at the end.
func TestFalconHardwareAmongModels(t *testing.T) {
	c := gen.DefaultOf(gen.ProfileFalcon)
	c.Streams, c.STags, c.BusBytes = 16, 16, 32
	o := SystemOf(c, Options{Quick: true})
	for _, ordering := range []system.Ordering{system.Weak, system.Strong, system.Unordered} {
		t.Run(string(ordering), func(t *testing.T) {
			if ordering != system.Weak {
				long.Test(t)
			}
			run := func(outstanding string, nodes ...string) *system.Report {
				w, err := system.ReadWorkload(strings.NewReader(strings.NewReplacer("ORDERING", string(ordering), "OUTSTANDING", outstanding).Replace(allKinds)))
				require.NoError(t, err)
				w.RTL, err = system.ParseNodes(nodes)
				require.NoError(t, err)
				s, err := system.New(w, o)
				require.NoError(t, err)
				r, err := s.Run()
				require.NoError(t, errors.Join(err, s.Close()))
				return r
			}
			models := run("1")
			for _, nodes := range []string{"1-2", "all"} {
				r := run("1", nodes)
				for i, n := range r.Nodes {
					assert.Equal(t, models.Nodes[i].Transactions, n.Transactions)
					assert.Equal(t, models.Nodes[i].Memory, n.Memory, "%s, node %d", nodes, i)
				}
			}
			for _, n := range run("3", "0-1").Nodes {
				assert.EqualValues(t, 40, n.Transactions)
			}
		})
	}
}
