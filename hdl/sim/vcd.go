package sim

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// TraceVCD writes every signal of the design in each cycle from now on, in the format of IEEE 1364-2005 section 18.2. A cycle takes 10 time
// units; values change at its start, clk falls in its middle. The returned function completes the file and returns the first write error.
func (s *Sim) TraceVCD(w io.Writer) (finish func() error) {
	v := &vcd{w: bufio.NewWriter(w), sim: s}
	for _, name := range s.Signals() {
		sig, _ := s.Signal(name) // the names are the simulator's own
		v.lanes = append(v.lanes, vcdLane{Signal: sig, id: vcdID(len(v.lanes) + 1), last: make([]uint64, sig.words)})
	}
	v.header()
	s.OnStep(v.sample)
	return func() error {
		v.printf("#%d\n", 10*v.clocks)
		return v.w.Flush()
	}
}

type vcd struct {
	w      *bufio.Writer
	sim    *Sim
	lanes  []vcdLane
	clocks uint64
}

type vcdLane struct {
	Signal
	id   string
	last []uint64
}

// printf leaves errors to the Flush at the end, which reports the first one.
func (v *vcd) printf(format string, args ...any) { fmt.Fprintf(v.w, format, args...) }

// vcdID is a short name out of the printable characters.
func vcdID(n int) string {
	id := ""
	for {
		id += string(rune('!' + n%94))
		if n /= 94; n == 0 {
			return id
		}
	}
}

func (v *vcd) header() {
	v.printf("$timescale 1ns $end\n$scope module top $end\n$var wire 1 %s clk $end\n", vcdID(0))
	var open []string
	for _, l := range v.lanes {
		path := strings.Split(l.Name, ".")
		path, name := path[:len(path)-1], path[len(path)-1]
		for !slices.Equal(open, path[:min(len(open), len(path))]) {
			v.printf("$upscope $end\n")
			open = open[:len(open)-1]
		}
		for _, scope := range path[len(open):] {
			v.printf("$scope module %s $end\n", scope)
			open = append(open, scope)
		}
		if l.Width > 1 {
			name += fmt.Sprintf(" [%d:0]", l.Width-1)
		}
		v.printf("$var wire %d %s %s $end\n", l.Width, l.id, name)
	}
	for range open {
		v.printf("$upscope $end\n")
	}
	v.printf("$upscope $end\n$enddefinitions $end\n")
}

func (v *vcd) sample() {
	v.printf("#%d\n1%s\n", 10*v.clocks, vcdID(0))
	for i := range v.lanes {
		l := &v.lanes[i]
		now := v.sim.words[l.slot : l.slot+l.words]
		if v.clocks > 0 && slices.Equal(now, l.last) {
			continue
		}
		copy(l.last, now)
		if l.Width == 1 {
			v.printf("%d%s\n", now[0], l.id)
			continue
		}
		v.printf("b%b", now[len(now)-1])
		for j := len(now) - 2; j >= 0; j-- {
			v.printf("%064b", now[j])
		}
		v.printf(" %s\n", l.id)
	}
	v.printf("#%d\n0%s\n", 10*v.clocks+5, vcdID(0))
	v.clocks++
}
