package sim_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

func TestMain(m *testing.M) { hdltest.Main(m, 100) }

type octet struct{ Data hdl.Value }

type skidPorts struct {
	In  hdl.Sink[octet]
	Out hdl.Source[octet]
}

// skid is a stream register with a second slot, so that ready comes from a register: a beat that arrives
// while the output is stalled goes to the second slot.
func skid() hdl.Block[skidPorts] {
	beat := octet{hdl.Bits(8)}
	return hdl.Block[skidPorts]{
		Kind: "skid", Doc: "skid is a stream register; no path leads from out_ready to in_ready.",
		Ports: skidPorts{hdl.NewSink(beat), hdl.NewSource(beat)},
		Build: func(m *hdl.Module, p skidPorts) {
			full, aside := m.Reg("full_q", 1, hdl.ResetTo(0)), m.Reg("aside_q", 1, hdl.ResetTo(0))
			front, back := hdl.NewRegOf(m, "front", beat, hdl.NoReset), hdl.NewRegOf(m, "back", beat, hdl.NoReset)
			open := m.Let("open", full.Not().Or(p.Out.Ready))
			take := m.Let("take", p.In.Valid.And(aside.Not()))
			m.OnClock(
				hdl.If(open,
					full.Set(take.Or(aside.Value)),
					aside.Set(hdl.Zero(1)),
					front.Set(octet{hdl.Mux(aside.Value, back.Q.Data, p.In.Data.Data)}),
				).ElseIf(take,
					aside.Set(hdl.Ones(1)),
					back.Set(p.In.Data),
				),
			)
			p.In.Accept(m, aside.Not())
			p.Out.Drive(m, full.Value, front.Q)
		},
	}
}

// Beats 1, 2, 3, ... go to a consumer that is ready only in some cycles. While out_ready is 0, out_data stays, one
// more beat is accepted, and in_ready falls one cycle later; no beat is lost or duplicated.
func TestSkidUnderBackPressure(t *testing.T) {
	assert.Equal(t, `
               ┌───────────────────────────────────┐
in_valid       │                                   │
           ────┘                                   └───────
           ────────────────┐       ┌───────┐   ┌───────────
in_ready                   │       │       │   │
                           └───────┘       └───┘
           ┌───┬───┬───┬───┬───────────┬───┬───────┬───────
in_data    │0  │1  │2  │3  │4          │5  │6      │0
           └───┴───┴───┴───┴───────────┴───┴───────┴───────
                   ┌───────────────────────────────────┐
out_valid          │                                   │
           ────────┘                                   └───
           ────────────┐       ┌───────┐   ┌───────────────
out_ready              │       │       │   │
                       └───────┘       └───┘
           ┌───────┬───┬───────────┬───┬───────┬───┬───┬───
out_data   │0      │1  │2          │3  │4      │5  │6  │0
           └───────┴───┴───────────┴───┴───────┴───┴───┴───
`, "\n"+skidWave(t, []int{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}, []int{1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1}))
}

// skidWave offers a beat in each cycle in which offer is 1, and returns the waveform.
func skidWave(t *testing.T, offer, ready []int) string {
	s := run(t, skid())
	s.Reset(1)
	w, err := sim.NewWave(s.Sim, "in_valid", "in_ready", "in_data", "out_valid", "out_ready", "out_data")
	require.NoError(t, err)
	next, valid := uint64(1), false
	for i := range offer {
		valid = valid || offer[i] == 1
		s.set("in_valid", bit(valid))
		s.set("in_data", next*bit(valid))
		s.set("out_ready", uint64(ready[i]))
		if valid && s.get("in_ready") == 1 {
			next, valid = next+1, false
			s.Step()
			continue
		}
		s.Step()
	}
	return w.String()
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Whatever the timing of producer and consumer, all beats leave in order; an offered beat stays until it
// is accepted; without idle cycles one beat passes per cycle.
func TestSkidIdleAndBackPressure(t *testing.T) {
	for _, idle := range []float64{0, 0.3, 0.9} {
		for _, pressure := range []float64{0, 0.3, 0.9} {
			s := run(t, skid(), sim.RandomInit(1))
			s.Reset(1)
			r := rand.New(rand.NewPCG(1, uint64(100*idle+pressure)))
			sent, got, offered, held := uint64(0), uint64(0), false, false
			for range 500 {
				offered = offered || r.Float64() >= idle
				s.set("in_valid", bit(offered))
				s.set("in_data", sent&0xff)
				s.set("out_ready", bit(r.Float64() >= pressure))
				if s.get("out_valid") == 1 {
					require.Equal(t, got&0xff, s.get("out_data"))
				}
				require.False(t, held && s.get("out_valid") == 0, "an offered beat was withdrawn")
				held = s.get("out_valid") == 1 && s.get("out_ready") == 0
				got += s.get("out_valid") & s.get("out_ready")
				if offered && s.get("in_ready") == 1 {
					sent, offered = sent+1, false
				}
				s.Step()
			}
			require.LessOrEqual(t, sent-got, uint64(2))
			if idle == 0 && pressure == 0 {
				require.Equal(t, uint64(499), got)
			}
		}
	}
}
