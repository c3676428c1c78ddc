package falcon_test

import (
	"fmt"
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var setups = func() (list []setup) {
	for _, kind := range []spec.QPType{spec.QPRC, spec.QPUD, spec.QPXRCInitiator} {
		for o := spec.Strong; o <= spec.Unordered; o++ {
			for m := spec.Verbs; m <= spec.CompleteInError; m++ {
				if o != spec.Unordered || m == spec.CompleteInError {
					list = append(list, newSetup(kind, o, m))
				}
			}
		}
	}
	return list
}()

func (s setup) String() string { return fmt.Sprintf("%v_%v_%v", s.kind, s.ordering, s.errors) }

// Two nodes over a link that reorders, delays and retries: memory, completions and events are those of the oracle.
func TestRandomTraffic(t *testing.T) {
	for _, s := range setups {
		t.Run(s.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := s
				s.bits = spec.BitOrder(rapid.IntRange(0, 1).Draw(t, "bits"))
				s.shared = rapid.Bool().Draw(t, "shared")
				s.reorder = rapid.SampledFrom([]int{1, 2, 8, 64}).Draw(t, "reorder")
				s.window = rapid.SampledFrom([]int{1, 3, 64}).Draw(t, "window")
				s.ord = rapid.IntRange(1, 8).Draw(t, "ord")
				s.irrq = s.ord
				few := rapid.IntRange(1, 20).Draw(t, "credits") // of packets; buffers for the longest one at least
				s.credits = spec.Credits{RequestTxPackets: few, RequestTxBuffers: few + 4, RequestRxPackets: few, RequestRxBuffers: few + 4,
					DataTxPackets: few, DataTxBuffers: few + 4}
				o := newOracle(t, s)
				o.play(rapid.IntRange(1, 40).Draw(t, "requests"))
				for n := range 2 {
					o.checkSent(n)
					o.checkReceived(n)
					at, differ := o.node[n].Memory().Difference(o.memory[n])
					require.False(t, differ, "memory of node %d differs at 0x%X", n, at)
					require.Empty(t, o.events(n))
					if s.kind != spec.QPUD {
						require.Equal(t, s.credits, o.node[n].Credits(o.cid[n]), "credits return")
					}
				}
			})
		})
	}
}
