package crash

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// small is a plan for a small engine with this many streams, of which all have a log.
func small(streams int) Plan {
	c := gen.Default()
	c.Extensions = []string{"commit"}
	c.BusBytes, c.Streams, c.STags, c.IRD, c.ORD, c.AtomicDepth = 8, streams, max(16, streams), 8, 4, 4
	return Plan{Config: c, Engine: "go", Streams: streams, Records: 6, Octets: 100, Line: 64, Latency: 40, Seed: 1}
}

// No crash after any cycle leaves a tail that names a record that is not whole, whatever the caches have evicted.
func TestLogsSurvive(t *testing.T) {
	for name, change := range map[string]func(*Plan){
		"one stream":             func(p *Plan) { p.Streams = 1 },
		"four streams":           func(*Plan) {},
		"words":                  func(p *Plan) { p.Line, p.Octets = 8, 33 },
		"large lines":            func(p *Plan) { p.Line, p.Octets = 4096, 1 },
		"long records":           func(p *Plan) { p.Octets, p.Records = 5000, 2 },
		"memory without latency": func(p *Plan) { p.Latency = 1 },
		"slow memory":            func(p *Plan) { p.Latency = 1000 },
		"64 streams":             func(p *Plan) { *p = small(64); p.Records = 3 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := small(4)
			change(&p)
			r, err := Run(p)
			require.NoError(t, err)
			t.Log(&r)
			assert.Empty(t, r.Fault)
			assert.Equal(t, r.Damaged, r.Ended, "each damaged record is found")
			assert.NotZero(t, r.Acknowledged)
		})
	}
}

// A log that lacks a step, or a platform that does, is found out.
func TestBreaks(t *testing.T) {
	for b, says := range map[Break]string{Flush: "may be missing", Persistence: "may be missing", Verify: "may be missing", Platform: "was answered"} {
		t.Run(string(b), func(t *testing.T) {
			t.Parallel()
			p := small(2)
			p.Break = b
			r, err := Run(p)
			require.NoError(t, err)
			assert.Contains(t, r.Fault, says)
		})
	}
}

// So is hardware that starts a request before what it has to wait for, or that forgets to flush.
func TestFaultsOfHardware(t *testing.T) {
	for _, tt := range []struct {
		name, module, value string
		is                  uint64
	}{
		{"a request does not wait for those of other kinds", "request_turns_4_8_4", "differs", 0},
		{"requests pass the placement of what precedes them", "delivery_gate_4_8", "has_arrived", 1},
		{"a Flush is done without the platform", "flush_unit_4_8", "has_no_octets", 1},
		{"a Verify finds every digest right", "digest_unit_8_4_8", "difference", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := small(4)
			d, err := gen.Compile(p.Config)
			require.NoError(t, err)
			hdltest.Force(t, d, tt.module, tt.value, tt.is)
			p.Design = rnic.DesignOf(p.Config, d)
			for p.Seed = 1; p.Seed <= 4; p.Seed++ {
				r, err := Run(p)
				require.NoError(t, err)
				if r.Fault != "" {
					t.Log(r.Fault)
					return
				}
			}
			t.Error("not found")
		})
	}
}

// The same plan does the same.
func TestRunsAreReproducible(t *testing.T) {
	first, err := Run(small(2))
	require.NoError(t, err)
	second, err := Run(small(2))
	require.NoError(t, err)
	assert.Equal(t, first, second)
}

func TestPlansThatCannotRun(t *testing.T) {
	for _, tt := range []struct {
		says   string
		change func(*Plan)
	}{
		{"extensions is []; a crash needs commit among them", func(p *Plan) { p.Config.Extensions = nil }},
		{"streams is 3; allowed: 1 to 2", func(p *Plan) { p.Streams = 3 }},
		{"records is 0; allowed: 1 to 4096", func(p *Plan) { p.Records = 0 }},
		{"octets is 65537; allowed: 1 to 65536", func(p *Plan) { p.Octets = MaxOctets + 1 }},
		{"latency is 0; allowed: 1 to 65536", func(p *Plan) { p.Latency = 0 }},
		{"line is 24; allowed: a power of two, 8 to 4096", func(p *Plan) { p.Line = 24 }},
		{`break is "fence"; allowed: [flush persistence verify platform]`, func(p *Plan) { p.Break = "fence" }},
	} {
		p := small(2)
		tt.change(&p)
		_, err := Run(p)
		assert.EqualError(t, err, tt.says)
	}
}

// The timeline has a line for each message, and two for what memory holds. One that has ended in the middle has no marks for the rest.
func TestTimeline(t *testing.T) {
	p := small(2)
	p.Streams = 1
	r, err := Run(p)
	require.NoError(t, err)
	drawn := r.Transaction.Draw()
	lines := strings.Split(drawn, "\n")
	t.Log("\n" + drawn)
	require.Len(t, lines, 2+7+3)
	assert.Regexp(t, `^  the record is +\| +v+P+\|$`, lines[3])
	assert.Regexp(t, `^Flush of the record +\| *>+\.+~+<+ *\|$`, lines[4])
	assert.Regexp(t, `^  the tail is +\| +v+P+\|$`, lines[7])

	cut := *r.Transaction
	cut.Steps[flush] = Step{Message: "Flush"}
	assert.Contains(t, cut.Draw(), "\nFlush                     |"+strings.Repeat(" ", timelineColumns+1)+"|\n")
}
