package enginetest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/engine/internal/testdesign"
)

// conformMemory runs the tests of engine.Memory.
func (open Open) conformMemory(t *testing.T) {
	t.Run("latency is exact", open.memoryLatency)
	t.Run("latency is hidden at full rate", open.memoryRate)
}

// A burst is due its latency after its last handshake: reads after the address, writes after address and data.
func (open Open) memoryLatency(t *testing.T) {
	r := open.startMemory(t, testdesign.Pass(16), engine.Options{Stamps: true})
	require.NoError(t, r.memory.SetLog(100))
	for _, n := range []uint64{1, 2, 7, 200, 1000} {
		r.latency(n, n)
		r.ask("s_ar", 1, 0x100, 4)
		r.run(1, 0)
		r.ask("s_aw", 2, 0x200, 2)
		r.run(3, 0)
		r.data(make([]byte, 32), nil)
		require.Equal(t, engine.Quiet, r.run(5000, 10).Why, "a latency is not silence")
		asked := r.accepted("s_ar")[0]
		for i, d := range r.taken() {
			assert.Equal(t, asked+n+uint64(i), d.cycle, "a beat a clock")
			assert.Equal(t, i == 3, d.last)
			assert.Equal(t, uint64(1), d.id)
		}
		written := r.accepted("s_w")[1]
		r.accepted("s_aw")
		assert.Equal(t, []response{{2, 0, written + n}}, r.responses())
		assert.ElementsMatch(t, []engine.Effect{
			{Cycle: asked + n, ID: 1, Address: 0x100, Bytes: 64},
			{Cycle: written + n, Write: true, ID: 2, Address: 0x200, Bytes: 32}}, r.effects())
	}
}

// A Mover asks for all it can, so that its copy takes a clock a beat and each latency once, whatever they are.
func (open Open) memoryRate(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, most := range []uint64{1, 20, 200, 500} {
		for _, burst := range []int{1, 16, 256} {
			t.Run(fmt.Sprintf("latency up to %d, bursts of %d", most, burst), func(t *testing.T) {
				r := open.startMemory(t, testdesign.Mover(16), engine.Options{})
				r.latency(1, most)
				bytes := randomBytes(random, 16*4000)
				r.write(0x7000, bytes)
				start := r.Cycle()
				require.False(t, r.move(0x7000, 0x1_0000_0000, 4000, burst, 0))
				assert.Equal(t, bytes, r.read(0x1_0000_0000, len(bytes)))
				limit := 4000 + 2*most + 40
				if burst == 1 { // 256 bursts are held, of which none leaves before its latency
					limit = max(limit, 4000*(most+2)/256+2*most+40)
				}
				assert.Less(t, r.Cycle()-start, limit)
			})
		}
	}
}
