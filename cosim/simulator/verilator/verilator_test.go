package verilator

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/enginetest"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
	"github.com/rnicgen/rnicgen/internal/long"
)

func TestEngine(t *testing.T) { enginetest.Conform(t, Open) }

func start(t *testing.T, d *simulator.Design, o simulator.Options) simulator.Engine {
	t.Helper()
	e, err := Open(d, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// The input is octets with a last flag; the expected beats are packed four octets at a time.
func TestWidthConverterUnderStalls(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for seed := range uint64(8) {
		e := start(t, testdesign.Widen(), simulator.Options{Seed: seed, Buffer: 4096})
		for stream := range 2 {
			chance := random.IntN(200)
			require.NoError(t, e.SetStall(stream, simulator.Stall{Mode: simulator.StallMode(seed % 3), Chance: chance}))
		}
		var octets, want []uint64
		for range 100 {
			packet := make([]uint64, 1+random.IntN(9))
			for i := range packet {
				packet[i] = random.Uint64() & 0xFF
				octets = append(octets, packet[i])
			}
			octets[len(octets)-1] |= 1 << 8 // last
			for at := 0; at < len(packet); at += 4 {
				var beat uint64
				for i, octet := range packet[at:min(at+4, len(packet))] {
					beat |= octet<<(8*i) | 1<<(32+i)
				}
				if at+4 >= len(packet) {
					beat |= 1 << 36
				}
				want = append(want, beat)
			}
		}
		n, err := e.Push(0, octets)
		require.NoError(t, err)
		require.Len(t, octets, n)
		result, err := e.Run(100_000, 500)
		require.NoError(t, err)
		require.Equal(t, simulator.Quiet, result.Why)
		got := make([]uint64, len(want)+1)
		n, err = e.Pop(1, got, nil)
		require.NoError(t, err)
		require.Equal(t, want, got[:n])
	}
}

func TestWatchdogNamesTheStreams(t *testing.T) {
	e := start(t, testdesign.Deadlock(), simulator.Options{})
	_, err := e.Push(0, []uint64{1, 2, 3, 4, 5, 6, 7, 8})
	require.NoError(t, err)
	result, err := e.Run(1000, 50)
	assert.Equal(t, simulator.Result{Cycles: 55, Why: simulator.Stuck}, result)
	require.EqualError(t, err, `stuck in cycle 59: no handshake for 50 cycles
  sink   s: valid 1, ready 0, 5 beats passed, 3 queued
  source m: valid 0, ready 1, 0 beats passed, 0 queued`)
	var stuck *simulator.StuckError
	require.ErrorAs(t, err, &stuck)
	assert.Equal(t, uint64(3), stuck.Streams[0].Queued)

	result, err = e.Run(20, 0)
	assert.Equal(t, simulator.Result{Cycles: 20, Why: simulator.MaxCycles}, result, "without a limit the run continues")
	assert.NoError(t, err)
}

// In a cycle without valid the data pins carry the complement of the last beat.
func TestSamplingDataWithoutValidIsDetected(t *testing.T) {
	e := start(t, testdesign.Careless(), simulator.Options{})
	_, err := e.Push(0, []uint64{0x5A})
	require.NoError(t, err)
	_, err = e.Run(100, 10)
	require.NoError(t, err)
	got := make([]uint64, 1)
	n, err := e.Pop(1, got, nil)
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	assert.Equal(t, uint64(0xA5), got[0])
}

func TestModelThatFails(t *testing.T) {
	e := start(t, testdesign.Diverge(), simulator.Options{})
	_, err := e.Push(0, []uint64{1, 7})
	require.NoError(t, err)
	result, err := e.Run(100, 10)
	assert.Equal(t, simulator.Failed, result.Why)
	var failed *simulator.FailedError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, uint64(5), failed.Cycle)
	assert.Contains(t, failed.Message, "did not converge")
	_, err = e.Run(1, 0)
	assert.Equal(t, failed, err, "the failure persists")

	e = start(t, testdesign.Counter(), simulator.Options{})
	_, err = e.Run(1000, 0)
	require.ErrorAs(t, err, &failed)
	assert.Regexp(t, `^counter\.v:\d+: \$finish$`, failed.Message)
}

func TestRandomInitFollowsTheSeed(t *testing.T) {
	first := func(o simulator.Options) uint64 {
		e := start(t, testdesign.Counter(), o)
		_, err := e.Run(1, 0)
		require.NoError(t, err)
		word := make([]uint64, 1)
		_, err = e.Pop(0, word, nil)
		require.NoError(t, err)
		return word[0]
	}
	assert.Zero(t, first(simulator.Options{Seed: 1}))
	seen := map[uint64]bool{}
	for seed := range uint64(6) {
		v := first(simulator.Options{Seed: seed, RandomInit: true})
		assert.Equal(t, v, first(simulator.Options{Seed: seed, RandomInit: true}))
		seen[v] = true
	}
	assert.Greater(t, len(seen), 4)
}

func TestTraces(t *testing.T) {
	long.Test(t)
	hash := func(path string) uint64 {
		e, err := Open(testdesign.FIFO(), simulator.Options{Hash: true, Trace: path})
		require.NoError(t, err)
		_, err = e.Push(0, []uint64{0xABC, 1})
		require.NoError(t, err)
		_, err = e.Run(46, 0)
		require.NoError(t, err)
		require.NoError(t, e.Close())
		return e.TraceHash()
	}
	plain := hash("")

	vcd := filepath.Join(t.TempDir(), "a.vcd")
	assert.Equal(t, plain, hash(vcd), "tracing changes nothing")
	text, err := os.ReadFile(vcd)
	require.NoError(t, err)
	clk := regexp.MustCompile(`\$var wire +1 (\S+) clk \$end`).FindSubmatch(text)
	require.NotNil(t, clk)
	assert.Equal(t, 50, strings.Count(string(text), "\n1"+string(clk[1])+"\n"), "4 cycles of reset and 46 of the run")
	assert.Contains(t, string(text), "b"+strings.Repeat("0", 52)+"101010111100 ")
	assert.Contains(t, string(text), "head_q", "internal signals included")

	fst := filepath.Join(t.TempDir(), "a.fst")
	assert.Equal(t, plain, hash(fst))
	info, err := os.Stat(fst)
	require.NoError(t, err)
	assert.Greater(t, info.Size(), int64(300))

	_, err = Open(testdesign.FIFO(), simulator.Options{Trace: "a.txt"})
	assert.EqualError(t, err, "trace file a.txt: the name must end in .vcd or .fst")
	nowhere := filepath.Join(t.TempDir(), "none", "a.vcd")
	_, err = Open(testdesign.FIFO(), simulator.Options{Trace: nowhere})
	assert.EqualError(t, err, "trace file "+nowhere+" cannot be written: no such file or directory")
}

// Every library has a class Vdut; each must see its own.
func TestDifferentDesignsAtOnce(t *testing.T) {
	var group sync.WaitGroup
	for i, d := range []*simulator.Design{testdesign.FIFO(), testdesign.Widen(), testdesign.Wide(), testdesign.Deadlock()} {
		e := start(t, d, simulator.Options{Hash: true})
		again := start(t, d, simulator.Options{Hash: true})
		group.Go(func() {
			layout, err := d.Layout(0)
			assert.NoError(t, err, i)
			for _, e := range []simulator.Engine{e, again} {
				n, err := e.Push(0, make([]uint64, 5*layout.Words))
				assert.NoError(t, err)
				assert.Equal(t, 5, n)
				_, err = e.Run(30_000, 0)
				assert.NoError(t, err)
				assert.Equal(t, uint64(5), e.Stats(0).Beats)
			}
			assert.Equal(t, e.TraceHash(), again.TraceHash())
		})
	}
	group.Wait()
}
