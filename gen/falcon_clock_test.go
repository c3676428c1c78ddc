package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/host"
	"github.com/rnicgen/rnicgen/gen/engine/memory"
	"github.com/rnicgen/rnicgen/gen/engine/request"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/synth"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconDefault is the default configuration with RDMA over Falcon.
func falconDefault() engine.Config {
	c := gen.Default().Engine()
	c.Profile, c.RetirePort = falcon.Profile{Order: spec.Drawn, Connections: 64, Window: 64, BufferOctets: 64}, false
	return c
}

// estimate checks the estimated delay of a block, in ns, on UltraScale+. If a change makes it faster, lower its limit.
func estimate[P any](t *testing.T, b hdl.Block[P], most float64) {
	t.Run(b.Kind, func(t *testing.T) {
		d, err := hdl.Compile(b)
		require.NoError(t, err)
		target, err := synth.TargetNamed("xcup")
		require.NoError(t, err)
		r, err := synth.Run(d, target, synth.Options{Paths: 1})
		require.NoError(t, err)
		t.Logf("%.2f ns, %.2f inside, %d LUT, %d FF, %d LUT RAM, %d block RAM", r.Delay, r.Inner, r.LUT, r.FF, r.LUTRAM, r.BlockRAM)
		assert.LessOrEqual(t, r.Delay, most, "%+v", r.Paths)
		assert.Greater(t, r.Delay, 0.7*most, "lower the limit")
	})
}

func TestFalconClock(t *testing.T) {
	t.Parallel()
	require.NoError(t, synth.CheckTools())
	c := falconDefault()
	estimate(t, falcon.Check(c), 3.6)
	estimate(t, falcon.Order(c), 3.6)
	estimate(t, falcon.Tx(c), 3.2)
	estimate(t, falcon.RefusalResponder(c), 1.9)
	estimate(t, transmit.TxNumbered(c), 2.6)
	estimate(t, request.RequestMessages(c), 3.2)
	estimate(t, request.WorkRing(c), 3.9)
	estimate(t, request.SendCompletion(c), 3.6)
	estimate(t, falcon.Responses(c), 3.6)
	estimate(t, falcon.Gather(c), 3.6)
	estimate(t, falcon.Scatter(c), 3.6)
	estimate(t, host.ListedReceiveRing(c), 3.6)
	estimate(t, host.SharedReceiveRing(c), 3.6)
	estimate(t, memory.PieceWriter(c), 3.6)
	estimate(t, transmit.TxEngine(c), 3.9)

	estimate(t, falcon.Requests(c), 3.6)
	estimate(t, falcon.Transactions(c), 3.6)
}
