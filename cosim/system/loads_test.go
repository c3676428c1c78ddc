package system

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/system"
)

// load is operations between two nodes without a network in the way, so that the RNICs and their memory decide how long they take.
type load struct {
	name        string
	mix         string
	streams     int
	outstanding int
	objects     string
	within      float64 // how far rate and mean latency of the model may be from those of the hardware, as a fraction
}

// steps is a transaction of operations, written as letters: w and W are Writes of 8 and of 1,024 octets, r and R Reads, S a Send of 1,000
// with its reply, F a FetchAdd.
func steps(letters string) string {
	each := map[rune]string{'w': "write, octets: 8", 'W': "write, octets: 1024", 'r': "read, octets: 8, at: 2048", 'R': "read, octets: 1024, at: 2048",
		'S': "send, octets: 1000, reply: true", 'F': "fetch_add, at: 1024"}
	var list []string
	for _, l := range letters {
		list = append(list, "{operation: "+each[l]+"}")
	}
	return fmt.Sprintf("{name: %s, back_to_back: %t, steps: [%s]}", letters, len(list) > 1, strings.Join(list, ", "))
}

func mixOf(kinds ...string) string {
	var list []string
	for _, k := range kinds {
		list = append(list, steps(k))
	}
	return strings.Join(list, ", ")
}

const (
	same    = "{octets: 4096}"
	anyOf64 = "{count: 64, octets: 4096, pick: uniform}"
)

// loads are single operations, several of a stream in every order of kinds, and operations under load. Single is how far the model may be
// from the hardware without load.
func loads(single float64) (list []load) {
	for _, k := range []string{"w", "W", "r", "R", "S", "F", "FF", "rr", "ww", "FrFr", "FFrr", "rrFF", "FrrF", "rFFr", "WF", "FW", "WFWF", "FFWW", "WFFW", "WRRW", "RWWR", "FrrrrF"} {
		list = append(list, load{name: k, mix: steps(k), streams: 1, outstanding: 1, objects: same, within: single})
	}
	for _, k := range []struct {
		name string
		mix  string
	}{{"W", mixOf("W")}, {"R", mixOf("R")}, {"F", mixOf("F")}, {"r", mixOf("r")}, {"W or R", mixOf("W", "R")}, {"W or F", mixOf("W", "F")}, {"r or F", mixOf("r", "F")}} {
		for _, streams := range []int{1, 8, 32} {
			list = append(list, load{name: fmt.Sprintf("%s on %d streams", k.name, streams), mix: k.mix, streams: streams, outstanding: 8, objects: anyOf64, within: 0.05})
		}
	}
	return append(list, load{name: "F on one word", mix: mixOf("F"), streams: 32, outstanding: 8, objects: same, within: 0.05})
}

// compareLoads runs loads with the model and with the hardware; the short test one of so many.
func compareLoads(t *testing.T, list []load, short int, options func(w *system.Workload) system.Options) {
	for i, l := range list {
		if testing.Short() && i%short != 0 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			transactions := 10
			if l.outstanding > 1 {
				transactions = max(20, 400/l.streams)
			}
			w, err := system.ReadWorkload(strings.NewReader(fmt.Sprintf(`
network: {link_latency: 0s, link_gbps: 1000000}
memory: {latency: 80ns}
flows:
  - {from: 0, to: 1, transactions: %d, streams: %d, outstanding: %d, objects: %s, mix: [%s]}
`, transactions, l.streams, l.outstanding, l.objects, l.mix)))
			require.NoError(t, err)
			list, err := Compare(l.name, w, options(&w))
			require.NoError(t, err)
			for _, c := range list {
				rate, _, _ := c.Ratios()
				mean := c.Model.Latency.Mean / c.RTL.Latency.Mean
				t.Logf("%-10s n %5d  rate %8.3f %8.3f %.3f  mean %6.0f %6.0f %.3f", c.Model.Name, c.Model.Count, c.Model.PerMicrosecond, c.RTL.PerMicrosecond, rate,
					c.Model.Latency.Mean, c.RTL.Latency.Mean, mean)
				assert.LessOrEqual(t, math.Abs(rate-1), l.within, "rate")
				assert.LessOrEqual(t, math.Abs(mean-1), l.within, "mean latency")
			}
		})
	}
}

// The model takes as long as the hardware.
func TestModelTakesAsLongAsHardware(t *testing.T) { compareLoads(t, loads(0.02), 4, optionsOf) }
