// Package bench writes vectors of the profile falcon as a self-checking Verilog-2005 bench for the generated hardware: a script of
// commands and images of inputs and expected outputs, all read with $readmemh, and the bench that executes them.
//
// What the hardware is given is recorded while the tests run on a device without hardware; what it must put out is what the tests say.
// The bench works at transaction level: outputs of a step are compared in the order that the test demands, not by cycle.
package bench
