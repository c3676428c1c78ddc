package rnic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
)

func TestTraffic(t *testing.T) {
	c := gen.DefaultRNIC()
	c.Streams, c.STags = 4, 64
	for _, peer := range []string{"model", "rtl"} {
		r, err := rnic.Run(rnic.Plan{Config: c, Engine: "go", Peer: peer, Messages: 300, Seed: 1})
		require.NoError(t, err)
		t.Logf("%+v", r)
	}
}
