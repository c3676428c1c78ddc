package bench

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/sarchlab/akita/v3/sim"

	rtl "github.com/rnicgen/rnicgen/cosim/system"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/system"
)

// ring is a number of nodes, each of which writes to and reads from the next on 32 streams: 64 QPs at each.
func ring(nodes, transactions int) (system.Workload, error) {
	return system.ReadWorkload(strings.NewReader(fmt.Sprintf(`
nodes: %d
flows:
  - {from: all, to: all, neighbors: 1, streams: 32, transactions: %d, objects: {count: 64, octets: 512}, mix: [{steps: [{operation: write, octets: 512}, {operation: read, octets: 64}]}]}
`, nodes, transactions)))
}

// ringMessages is the number of messages of a transaction of a ring: a Write, a Read Request and a Read Response.
const ringMessages = 3

// simulated runs a ring, and returns the seconds that the run took and the memory that the system holds at its end, in octets.
func simulated(nodes, transactions int, parallel bool, prepared func(sim.Engine, []system.Part)) (seconds float64, memory int64, err error) {
	w, err := ring(nodes, transactions)
	if err != nil {
		return 0, 0, err
	}
	before := heap()
	o := rtl.SystemOf(gen.Default(), rtl.Options{})
	o.Parallel, o.Prepared = parallel, prepared
	s, err := system.New(w, o)
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	_, err = s.Run()
	seconds = time.Since(start).Seconds()
	memory = heap() - before
	runtime.KeepAlive(s)
	return seconds, memory, err
}

// events is a hook of an engine that counts its events.
type events struct{ count int }

// Func counts an event before it runs.
func (e *events) Func(c sim.HookCtx) {
	if c.Pos == sim.HookPosBeforeEvent {
		e.count++
	}
}

// simulationSpeeds are events and messages in a second on the serial engine of akita and on the parallel one.
func simulationSpeeds() ([]Figure, error) {
	const nodes, transactions = 64, 20
	var all events
	if _, _, err := simulated(nodes, transactions, false, func(e sim.Engine, _ []system.Part) { e.AcceptHook(&all) }); err != nil {
		return nil, err
	}
	var seconds [2]float64
	for range 2 { // alternately
		for i, parallel := range []bool{false, true} {
			s, _, err := simulated(nodes, transactions, parallel, nil)
			if err != nil {
				return nil, err
			}
			seconds[i] = least(seconds[i], s)
		}
	}
	messages := float64(nodes * 32 * transactions * ringMessages)
	var out []Figure
	for i, name := range []string{"serial", "parallel"} {
		out = append(out,
			AtLeast("simulation, 64 nodes, "+name+": events", "million/s", float64(all.count)/seconds[i]/1e6, 0.1),
			AtLeast("simulation, 64 nodes, "+name+": messages", "thousand/s", messages/seconds[i]/1e3, 10))
	}
	return append(out, AtLeast("simulation, 64 nodes: parallel against serial", "times", seconds[0]/seconds[1], 1.6)), nil
}

// simulationSizes are memory and processor time of a node among few and among many.
func simulationSizes() ([]Figure, error) {
	const transactions = 10
	nodes := [2]int{2, 256}
	runs := [2]int{32, 1}
	var memory, seconds [2]float64
	for range 2 { // alternately
		for i, n := range nodes {
			start := processor()
			for range runs[i] {
				_, octets, err := simulated(n, transactions, true, nil)
				if err != nil {
					return nil, err
				}
				memory[i] = float64(octets) / float64(n)
			}
			seconds[i] = least(seconds[i], (processor()-start)/float64(runs[i]*n))
		}
	}
	return []Figure{
		AtMost("simulation, memory of a QP, 64 at each of 256 nodes", "octets", memory[1]/64, 16384),
		AtMost("simulation, memory of a node with 64 QPs: 256 nodes against 2", "times", memory[1]/memory[0], 1.2),
		AtMost("simulation, processor time of a node with 64 QPs: 256 nodes against 2", "times", seconds[1]/seconds[0], 1.2),
	}, nil
}

// least is the lesser of two times; the first may be missing.
func least(a, b float64) float64 {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// processor returns the seconds for which processors have worked for this program.
func processor() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // its arguments are right
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
}

// heap returns the octets in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
