package gen_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// No tool has a warning for the initiator's blocks, in small and large configurations.
func TestFalconInitiatorInTools(t *testing.T) {
	long.Test(t)
	t.Parallel()
	small, large := newInitiatorConfig(), newInitiatorConfig()
	small.window, small.ord, small.depth, small.streams, small.order = 2, 2, 2, 2, spec.Mirrored
	large.window, large.ord, large.depth, large.streams, large.mtu, large.unit = 256, 32, 32, 64, 4096, 1
	for _, c := range []initiatorConfig{small, newInitiatorConfig(), large} {
		clean(t, falcon.Requests(c.engine()))
		clean(t, falcon.Transactions(c.engine()))
		clean(t, falcon.Initiator(c.engine()))
	}
}
