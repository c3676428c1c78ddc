package bench

import (
	"fmt"
	"math/big"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// recorder is an engine without a design: it takes all that it is given, and puts out nothing but responses of registers. It writes the
// script.
type recorder struct {
	simulator.Engine
	*script
	design *simulator.Design
	writes []uint64 // addresses of register writes whose data has not arrived
	owed   [2]int   // responses to writes and reads of registers
}

// Push writes what a stream is given: a beat of an image, or an access of a register.
func (r *recorder) Push(stream int, beats []uint64) (int, error) {
	layout, err := r.design.Layout(stream)
	if err != nil {
		return 0, err
	}
	n := len(beats) / layout.Words
	for i := range n {
		beat := beats[i*layout.Words : (i+1)*layout.Words]
		switch name := r.design.Streams[stream].Name; name {
		case registerPort + "_aw":
			r.writes = append(r.writes, beat[0]&(1<<layout.Fields[0].Width-1))
		case registerPort + "_w":
			r.command(commandWrite, 0, uint32(r.writes[0]), beat[0]&0xFFFFFFFF)
			r.writes = r.writes[1:]
			r.owed[0]++
		case registerPort + "_ar":
			r.owed[1]++
		default:
			r.give(name, beat)
		}
	}
	return n, nil
}

// Pop returns responses of registers: the status says that nothing is in progress.
func (r *recorder) Pop(stream int, beats, _ []uint64) (int, error) {
	is := func(suffix string) bool { return r.design.Streams[stream].Name == registerPort+suffix }
	switch {
	case is("_b") && r.owed[0] > 0:
		r.owed[0]--
		clear(beats)
		return 1, nil
	case is("_r") && r.owed[1] > 0:
		r.owed[1]--
		clear(beats)
		r.command(commandSettle, 0, 0, 0)
		return 1, r.setData(stream, beats)
	}
	return 0, nil
}

// idle is the value of the register status when nothing is in progress.
const idle = 4

func (r *recorder) setData(stream int, beat []uint64) error {
	layout, err := r.design.Layout(stream)
	for i, f := range layout.Fields {
		if r.design.Streams[stream].Fields[i] == registerPort+"_rdata" {
			simulator.SetBits(beat, f.Offset, f.Width, idle)
		}
	}
	return err
}

// Run is the end of an input if the caller waits for the design to become idle.
func (r *recorder) Run(_, idleCycles uint64) (simulator.Result, error) {
	if idleCycles > 0 {
		r.rest()
	}
	return simulator.Result{Why: simulator.Quiet}, nil
}

// SetStatic is the only static input, xoff.
func (r *recorder) SetStatic(port string, words ...uint64) error {
	if port != "xoff" {
		return fmt.Errorf("static %q; allowed: xoff", port)
	}
	r.command(commandXoff, uint32(words[0]), 0, 0)
	return nil
}

func (r *recorder) Accepted(int, []uint64) (int, error)     { return 0, nil }
func (r *recorder) SetStall(int, simulator.Stall) error     { return nil }
func (r *recorder) Stats(int) simulator.Stats               { return simulator.Stats{} }
func (r *recorder) Cycle() uint64                           { return 0 }
func (r *recorder) Reset(uint64) error                      { return nil }
func (r *recorder) Close() error                            { return nil }
func (r *recorder) Memory(string) (simulator.Memory, error) { return nowhere{}, nil }

// nowhere is memory that keeps nothing: the bench fills its own.
type nowhere struct{ simulator.Memory }

func (nowhere) Read(uint64, []byte) error                             { return nil }
func (nowhere) Write(uint64, []byte) error                            { return nil }
func (nowhere) SetLatency(simulator.Latency, simulator.Latency) error { return nil }

// hexOf is a beat as a number.
func hexOf(beat []uint64) string {
	n := new(big.Int)
	for i := len(beat) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(beat[i]))
	}
	return n.Text(16)
}
