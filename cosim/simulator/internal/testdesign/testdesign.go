// Package testdesign contains small designs for the tests of engines: handwritten Verilog and, for some, an independently
// written Go model of the same behaviour, so that two engines can be compared.
package testdesign

import (
	"embed"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

//go:embed testdata/*.v
var verilog embed.FS

// Modelled lists the designs that have a Go model.
func Modelled() []*simulator.Design {
	return []*simulator.Design{FIFO(), Wide()}
}

// FIFO holds 16 beats of 65 bits; input data is XORed with the static mask. Its monitor shows the stored data.
func FIFO() *simulator.Design {
	d := module("fifo", in("mask", 64),
		in("s_data", 64), in("s_last", 1), in("s_valid", 1), out("s_ready", 1),
		out("m_data", 64), out("m_last", 1), out("m_valid", 1), in("m_ready", 1), out("level", 5),
		out("stored_valid", 1), out("stored_data", 64))
	d.Statics = []string{"mask"}
	d.Streams = []simulator.Stream{sink("s", "data", "last"), source("m", "data", "last"), monitor("stored", "data")}
	d.Simulate = func(o simulator.Options) (simulator.Model, error) { return handwritten(d, o, &fifo{}) }
	return d
}

// handwritten returns a handwritten model, or an error for unsupported options.
func handwritten(d *simulator.Design, o simulator.Options, b behavior) (simulator.Model, error) {
	if o.Trace != "" || o.RandomInit {
		return nil, fmt.Errorf("%s: this model writes no trace and starts only from zeros", d.Top)
	}
	return newModel(d, b), nil
}

// Widen gathers octets into beats of 32 bits with tkeep and tlast.
func Widen() *simulator.Design {
	d := module("widen",
		in("s_data", 8), in("s_last", 1), in("s_valid", 1), out("s_ready", 1),
		out("m_data", 32), out("m_keep", 4), out("m_last", 1), out("m_valid", 1), in("m_ready", 1))
	d.Streams = []simulator.Stream{sink("s", "data", "last"), source("m", "data", "keep", "last")}
	return d
}

// Wide passes beats of 724 bits through a register, and beats of 32 bits from stream c to d within the same cycle.
func Wide() *simulator.Design {
	fields := []string{"byte", "header", "short", "quad", "wide"}
	d := module("wide",
		in("a_valid", 1), out("a_ready", 1),
		in("a_byte", 7), in("a_header", 561), in("a_short", 15), in("a_quad", 41), in("a_wide", 100),
		out("b_valid", 1), in("b_ready", 1),
		out("b_byte", 7), out("b_header", 561), out("b_short", 15), out("b_quad", 41), out("b_wide", 100),
		in("c_valid", 1), out("c_ready", 1), in("c_word", 32),
		out("d_valid", 1), in("d_ready", 1), out("d_word", 32))
	d.Streams = []simulator.Stream{sink("a", fields...), source("b", fields...), sink("c", "word"), source("d", "word")}
	d.Simulate = func(o simulator.Options) (simulator.Model, error) { return handwritten(d, o, &wide{}) }
	return d
}

// Lanes does about as much work as a small network card, for speed measurements.
func Lanes() *simulator.Design {
	d := module("lanes",
		in("s_tdata", 512), in("s_tkeep", 64), in("s_tlast", 1), in("s_tuser", 12), in("s_tvalid", 1), out("s_tready", 1),
		out("m_tdata", 512), out("m_tkeep", 64), out("m_tlast", 1), out("m_tuser", 12), out("m_tvalid", 1), in("m_tready", 1))
	d.Streams = []simulator.Stream{
		{Name: "s", Dir: simulator.Sink, Valid: "s_tvalid", Ready: "s_tready", Fields: []string{"s_tdata", "s_tkeep", "s_tlast", "s_tuser"}},
		{Name: "m", Dir: simulator.Source, Valid: "m_tvalid", Ready: "m_tready", Fields: []string{"m_tdata", "m_tkeep", "m_tlast", "m_tuser"}},
	}
	return d
}

// Deadlock accepts five beats and stops.
func Deadlock() *simulator.Design { return octets("deadlock") }

// Careless samples the data one cycle too late.
func Careless() *simulator.Design { return octets("careless") }

// Diverge does not settle once the data is 7.
func Diverge() *simulator.Design { return octets("diverge") }

// Counter outputs one number per cycle from a register without reset, and calls $finish at 100.
func Counter() *simulator.Design {
	d := module("counter", out("m_data", 16), out("m_valid", 1), in("m_ready", 1))
	d.Streams = []simulator.Stream{source("m", "data")}
	return d
}

func octets(name string) *simulator.Design {
	d := module(name, in("s_data", 8), in("s_valid", 1), out("s_ready", 1), out("m_data", 8), out("m_valid", 1), in("m_ready", 1))
	d.Streams = []simulator.Stream{sink("s", "data"), source("m", "data")}
	return d
}

func module(name string, ports ...simulator.Port) *simulator.Design {
	text, err := verilog.ReadFile("testdata/" + name + ".v")
	if err != nil {
		panic(err) // the file is part of this program
	}
	return &simulator.Design{
		Top: name, Files: []simulator.File{{Name: name + ".v", Text: string(text)}}, Clock: "clk", Reset: "rst",
		Ports: append([]simulator.Port{in("clk", 1), in("rst", 1)}, ports...),
	}
}

func in(name string, width int) simulator.Port {
	return simulator.Port{Name: name, Dir: simulator.In, Width: width}
}

func out(name string, width int) simulator.Port {
	return simulator.Port{Name: name, Dir: simulator.Out, Width: width}
}

func sink(name string, fields ...string) simulator.Stream {
	return stream(name, simulator.Sink, fields)
}

func source(name string, fields ...string) simulator.Stream {
	return stream(name, simulator.Source, fields)
}

func monitor(name string, fields ...string) simulator.Stream {
	s := stream(name, simulator.Source, fields)
	s.Ready = ""
	return s
}

func stream(name string, dir simulator.StreamDir, fields []string) simulator.Stream {
	s := simulator.Stream{Name: name, Dir: dir, Valid: name + "_valid", Ready: name + "_ready"}
	for _, f := range fields {
		s.Fields = append(s.Fields, name+"_"+f)
	}
	return s
}
