// Package formal proves properties of a design for all inputs: by k-induction where that closes, else for a number of clocks
// from reset. It prints the Verilog with the property files in it and runs yosys and an SMT solver; searches from reset run on
// gates, with ABC, where memories are small.
//
// A property file is body items of a module: what stands before its endmodule. It sees all signals of the module, and `WIDTH_x of
// a signal or memory, `DEPTH_x of a memory, `VALID_x, `READY_x and `DATA_x of a stream; started is 0 in the first clock, which is
// one of reset. Every assert and assume has a label. Comments say what the labels mean:
//
//	// property NAME: what always holds         assertions with this label; all of them
//	// invariant NAME: what always holds        the same, there only so that others can be proven; needs no control
//	// control NAME: OLD => NEW                    with this edit of the module's text NAME must fail; <N> is any number
//	// bounded NAME CLOCKS: why                 is shown for so many clocks from reset, not for all
//	// alone NAME                               is proven without what the file assumes
//	// assume NAME: who; shown by KIND/NAME     assumptions with this label, who guarantees them, and the properties that show it
//	// excused handshake_STREAM: why            the rule of this stream is not meant to hold
//	// depth CLOCKS                             that induction looks back
//	// bound CLOCKS                             from reset in which controls have to fail
//	// uses MODULE                              a module beside the design
//	// reset once                               there is no reset but that of the first clock
package formal
