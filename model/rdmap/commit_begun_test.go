package rdmap

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/wire"
)

// TestBegunFlush: a Flush that the platform has been asked for is being executed, and ends although its STags are gone
// (I-56); an Invalidate STag that is gone is not invalidated again, even if its row has another key.
func TestBegunFlush(t *testing.T) {
	e := committer(t)
	take(t, e, flush(0xDAD, 1, 0x8A8, 8, 0x10, 3))
	_, _, _, flags, is := e.NextFlush(1)
	require.True(t, is)
	assert.Equal(t, wire.Persistence|wire.GlobalVisibility, flags)
	e.BeginFlush(1)
	victim, known := e.table.Named(0xDAD)
	require.True(t, known)
	victim.Key ^= 1
	require.NoError(t, e.SetRegion(8, memory.Region{}))
	require.NoError(t, e.SetRegion(13, victim))
	_, _, _, _, is = e.NextFlush(1)
	assert.True(t, is)
	segments, x := execute(t, e)
	assert.Equal(t, hexes(t, "414D 00000000 00000003 00000001 00000000"), segments)
	assert.Equal(t, ExecutedRequest, x.Kind)
	assert.True(t, e.IsOpen(1))
	assert.Zero(t, e.Counters().Invalidations)
	assert.True(t, e.table.Known(0xDAD^1))
}
