package system

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func run(t testing.TB, c Config) Report {
	t.Helper()
	r, err := Run(c)
	require.NoError(t, err)
	return r
}

// One request at a time: the response time is always two link latencies plus the memory latency.
func TestResponseTimeOfOneOutstandingRequest(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		link, memory, expect time.Duration
		rate                 int
	}{
		{"a link of 1 us, memory of 100 ns", 1000, 100, 2100, 0},
		{"in one rack", 37, 211, 285, 0},
		{"memory alone", 0, 100, 100, 0},
		{"no time at all", 0, 0, 0, 0},
		// An Atomic Request is 70 octets, its FPDU 76, its packet 154: 1,232 bits, 13 ns at 100 Gbit/s. The
		// response is 30, 36 and 114 octets: 912 bits, 10 ns.
		{"100 Gbit/s", 1000, 100, 2100 + 13 + 10, 100},
		{"1 Gbit/s", 1000, 100, 2100 + 1232 + 912, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := run(t, Config{Requesters: 1, Requests: 50, ORD: 1, Words: 4,
				LinkLatency: tt.link, LinkRate: tt.rate, MemoryLatency: tt.memory, MemoryInterval: 0})
			assert.Equal(t, []Statistics{{Completions: 50, Min: tt.expect, Mean: tt.expect, Max: tt.expect}}, r.Requesters)
			assert.Equal(t, 50*tt.expect, r.Elapsed)
		})
	}
}

// Throughput is ORD / response time until the memory saturates: one access every 10 ns is 100 per microsecond, which
// 210 outstanding requests reach over a round trip of 2.1 us.
func TestThroughputScalesWithORD(t *testing.T) {
	c := Config{Requesters: 1, Requests: 20000, Words: 64, LinkLatency: 1000, MemoryLatency: 100, MemoryInterval: 10}
	for _, tt := range []struct {
		ord            int
		perMicrosecond float64
	}{
		{1, 0.476}, {2, 0.952}, {16, 7.62}, {128, 60.95}, {210, 100}, {512, 100}, {2048, 100},
	} {
		c.ORD = tt.ord
		r := run(t, c)
		assert.InEpsilon(t, tt.perMicrosecond, r.PerMicrosecond(), 0.02, "ORD %d", tt.ord)
		if tt.ord < 210 {
			assert.Less(t, r.Requesters[0].Mean, 2100*time.Nanosecond+time.Duration(10*tt.ord), "ORD %d: no long queueing", tt.ord)
		}
	}
}

// Beyond saturation, a larger ORD only increases the response time (Little's law: requests in flight / throughput).
func TestSaturationCostsResponseTime(t *testing.T) {
	r := run(t, Config{Requesters: 4, Requests: 5000, ORD: 100, Words: 64, LinkLatency: 500, MemoryLatency: 100, MemoryInterval: 10})
	assert.InEpsilon(t, 100, r.PerMicrosecond(), 0.02)
	for i, s := range r.Requesters {
		assert.InEpsilon(t, 4*100*10, int64(s.Mean), 0.05, "requester %d has its fair share", i)
		assert.GreaterOrEqual(t, s.Min, 1100*time.Nanosecond)
	}
}

// A slow link saturates too: 1,232 bits per request at 10 Gbit/s take 124 ns.
func TestLinkRateLimits(t *testing.T) {
	r := run(t, Config{Requesters: 1, Requests: 5000, ORD: 64, Words: 64, LinkLatency: 1000, LinkRate: 10, MemoryLatency: 100, MemoryInterval: 1})
	assert.InEpsilon(t, 1000.0/124, r.PerMicrosecond(), 0.02)
}

// All requesters contend for one counter. No increment is lost, and CmpSwap often misses.
func TestContention(t *testing.T) {
	r := run(t, Config{Requesters: 8, Requests: 500, ORD: 4, Words: 1, CmpSwapPercent: 50,
		LinkLatency: 300, MemoryLatency: 80, MemoryInterval: 5, Seed: 1})
	assert.Equal(t, 4000, r.Completions)
	misses := 0
	for _, s := range r.Requesters {
		misses += s.Misses
	}
	assert.Greater(t, misses, 1000)
	assert.Less(t, misses, 4000)

	alone := run(t, Config{Requesters: 1, Requests: 500, ORD: 1, Words: 1, CmpSwapPercent: 100})
	assert.Zero(t, alone.Requesters[0].Misses, "alone, and one at a time, every CmpSwap hits")
}

func TestEqualConfigsGiveEqualReports(t *testing.T) {
	c := Config{Requesters: 5, Requests: 200, ORD: 7, Words: 3, CmpSwapPercent: 30,
		LinkLatency: 123, LinkRate: 40, MemoryLatency: 77, MemoryInterval: 3, Seed: 42}
	first := run(t, c)
	assert.Equal(t, first, run(t, c))
	c.Seed++
	assert.NotEqual(t, first, run(t, c), "another seed produces another load")
}

func TestConfigErrors(t *testing.T) {
	good := Config{Requesters: 1, Requests: 1, ORD: 1, Words: 1}
	for _, tt := range []struct {
		change func(*Config)
		text   string
	}{
		{func(c *Config) { c.Requesters = 0 }, "system: Requesters is 0; allowed: 1..16384"},
		{func(c *Config) { c.Requests = 0 }, "system: Requests is 0; allowed: 1..16777216"},
		{func(c *Config) { c.Requesters, c.Requests = 1024, 1<<20 }, "system: Requests is 1048576; allowed: 1..16384"},
		{func(c *Config) { c.ORD = 16384 }, "system: ORD is 16384; allowed: 1..16383"},
		{func(c *Config) { c.LinkRate = -1 }, "system: LinkRate is -1; allowed: 0..1048576"},
		{func(c *Config) { c.Words = 0 }, "system: Words is 0; allowed: 1..1048576"},
		{func(c *Config) { c.CmpSwapPercent = 101 }, "system: CmpSwapPercent is 101; allowed: 0..100"},
		{func(c *Config) { c.LinkLatency = -1 }, "system: LinkLatency is -1ns; allowed: 0s..1s"},
		{func(c *Config) { c.MemoryLatency = time.Minute }, "system: MemoryLatency is 1m0s; allowed: 0s..1s"},
		{func(c *Config) { c.MemoryInterval = -2 }, "system: MemoryInterval is -2ns; allowed: 0s..1s"},
	} {
		c := good
		tt.change(&c)
		_, err := Run(c)
		assert.EqualError(t, err, tt.text)
	}
	assert.Equal(t, 1, run(t, good).Completions)
}

// What ORD is worth having over 10 km of fibre, 50 us one way? A link of 100 Gbit/s carries one request in
// 13 ns, 77 in a microsecond; filling and draining the link costs some of it. Twice that ORD only waits.
func ExampleRun() {
	for _, ord := range []int{64, 1024, 8192, 16383} {
		r, err := Run(Config{Requesters: 1, Requests: 50000, ORD: ord, Words: 1024,
			LinkLatency: 50 * time.Microsecond, LinkRate: 100, MemoryLatency: 200, MemoryInterval: 4})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("ORD %5d: %5.1f atomics/us, response time %v\n", ord, r.PerMicrosecond(), r.Requesters[0].Mean.Round(time.Microsecond))
	}
	// Output:
	// ORD    64:   0.6 atomics/us, response time 100µs
	// ORD  1024:  10.2 atomics/us, response time 100µs
	// ORD  8192:  66.6 atomics/us, response time 114µs
	// ORD 16383:  66.6 atomics/us, response time 211µs
}

func BenchmarkRun(b *testing.B) {
	c := Config{Requesters: 4, Requests: 1000, ORD: 16, Words: 64, LinkLatency: 1000, LinkRate: 100, MemoryLatency: 100, MemoryInterval: 4}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(c); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*4000)/b.Elapsed().Seconds(), "atomics/s")
}
