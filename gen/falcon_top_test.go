package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// No tool has a warning about the engine of the profile, on the narrowest bus and on a wide one.
func TestFalconTopInTools(t *testing.T) {
	long.Test(t)
	t.Parallel()
	for i, bus := range []int{8, 64} {
		c := gen.DefaultOf(gen.ProfileFalcon)
		c.BusBytes, c.Streams, c.STags, c.BitOrder = bus, 8, 32, spec.BitOrder(i).String()
		require.NoError(t, c.Check())
		clean(t, gen.Falcon(c))
	}
}

// sharedModules are the same Verilog in both profiles; kinds of others are the same Go code, with the tags of a profile in their ports.
var sharedModules = []string{"opening_fork", "stag_table", "fifo", "merge", "axi_write_arbiter", "axi_read_arbiter"}

var sharedKinds = []string{"placement", "receive_ring", "delivery_gate", "atomic_unit", "request_turns", "request_order", "work_ring", "request_messages", "send_completion", "requester", "tx_arbiter",
	"tx_turns", "tx_fetch", "tx_realign", "tx_engine", "failure_gather", "csr"}

// Where the parameters are equal, the modules of the engine are byte for byte the same in both profiles.
func TestModulesOfBothProfiles(t *testing.T) {
	c := gen.Default()
	c.RetirePort = false
	rdmap, err := gen.Compile(c)
	require.NoError(t, err)
	falcon, err := gen.Compile(gen.DefaultOf(gen.ProfileFalcon))
	require.NoError(t, err)
	text := map[string]string{}
	for _, f := range rdmap.Files() {
		text[f.Name] = f.Text
	}
	var same, kinds []string
	for _, f := range falcon.Files() {
		name := f.Name[:len(f.Name)-len(".v")]
		switch other, has := text[f.Name]; {
		case other == f.Text:
			same = append(same, name)
		case has && name != gen.Top:
			kinds = append(kinds, name)
		}
	}
	assert.ElementsMatch(t, sharedModules, same)
	assert.ElementsMatch(t, sharedKinds, kinds)
}
