package falcon_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// A planted fault that traffic detects is shown again by a short run, without stalls, slow memory and errors.
func TestShorten(t *testing.T) {
	stall := simulator.Stall{Mode: simulator.StallRandom, Chance: 64}
	for _, tt := range []struct {
		name, module, value string
		is                  uint64
		most                uint64 // messages of the short run
	}{
		{"payload leaves without its first octets", "tx_realign_16_256", "joins", 1, 2},
		{"packets that break a rule are accepted", "falcon_check_4_2_8_256_4_64", "is_refused_packet", 0, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := gen.DefaultOf(gen.ProfileFalcon)
			c.BusBytes, c.Streams, c.STags, c.MaxPayload, c.IRD, c.ORD, c.ReceiveDepth = 16, 4, 16, 256, 2, 2, 8
			d, err := gen.Compile(c)
			require.NoError(t, err)
			hdltest.Force(t, d, tt.module, tt.value, tt.is)
			p := falcon.Plan{Config: c, Engine: "go", Peer: "model", Operations: 500, Seed: 9, ErrorRate: 0.1, Latency: simulator.Latency{Least: 1, Most: 20}, Stall: stall, Design: falcon.DesignOf(c, d)}
			s, mismatch := falcon.Run(p)
			require.True(t, falcon.IsMismatch(mismatch), "%v", mismatch)
			short, mismatch := falcon.Shorten(t.Context(), p, s.Posted, mismatch, 30)
			t.Logf("%d messages instead of %d: %v", short.Operations, s.Posted, mismatch)
			assert.LessOrEqual(t, short.Operations, tt.most)
			assert.Less(t, short.Operations, s.Posted)
			assert.Zero(t, short.ErrorRate)
			assert.Equal(t, simulator.Stall{}, short.Stall)
			assert.Equal(t, simulator.Latency{Least: 1, Most: 1}, short.Latency)
			_, again := falcon.Run(short)
			assert.EqualError(t, again, mismatch.Error())
		})
	}
}
