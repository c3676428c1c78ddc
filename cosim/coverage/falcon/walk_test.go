package falcon

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/hardware"
	"github.com/rnicgen/rnicgen/vectors/falcon/replay"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// Hardware agrees with the model about a packet that breaks each rule, and about all responses without payload.
func TestWalkOnHardware(t *testing.T) {
	c := suite.DefaultConfig()
	c.BusBytes = 16
	h := hardware.Config(c)
	h.Streams = 32
	d, err := falcon.Open(h, falcon.Options{Engine: "go", Seed: 1})
	require.NoError(t, err)
	defer func() { assert.NoError(t, d.Close()) }()
	var list []Packet
	seen := map[spec.Rule]bool{}
	possible, _ := Bins()
	for _, p := range possible {
		if p.isResponse() && p.Length == empty || !seen[p.Error] && !isHeld(p) {
			seen[p.Error] = true
			list = append(list, p)
		}
	}
	b := NewCounter(c)
	for i, some := range groups(list, mostVisits) {
		g, test, err := walkOf(c, rand.New(rand.NewPCG(2, uint64(i))), some)
		require.NoError(t, err)
		want, err := replay.Runner{Config: c}.Run(g, test)
		require.NoError(t, err)
		got, err := hardware.Runner{Config: c, Device: d}.Run(g, want)
		require.NoError(t, err)
		assert.Nil(t, suite.Compare(g, want, got), want.Comment)
		b.Take(g, want)
	}
	for _, p := range list {
		assert.NotZero(t, b.count[p], p)
	}
	assert.True(t, slices.ContainsFunc(list, func(p Packet) bool { return p.Opcode == "XRC read_response_last" && p.Length == empty }))
}
