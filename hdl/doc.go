// Package hdl is a small hardware description language embedded in Go. It exists so that a generator can be
// written as typed Go and still print Verilog that reads as if written by hand with care.
//
// A [Block] is a module: a name, a plain struct of ports and a Build function. Expressions are values
// ([Value]); widths are strictly equal and never adjusted silently; statements are values too. Registers,
// memories, wires and instances have names given by the author, and everything else is printed in place, so
// that no invented name appears, except for expressions that Verilog cannot select bits from: they are named
// after their use and operation (carry_sum). Ports are types: an [In] can be read, an [Out] can be driven, a [Sink]
// delivers a stream and a [Source] takes one, as a receive-only and a send-only channel do.
//
// Mistakes are collected, not thrown: a bad expression becomes a poisoned value that raises no second
// message, and [Compile] reports all of them, each with its line of the generator.
//
// All registers share one clock, clk, and one synchronous active-high reset, rst.
package hdl
