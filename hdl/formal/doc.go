// Package formal proves properties of a design for all inputs: by k-induction if that closes, otherwise for a number of cycles
// from reset. It inserts the property files into the printed Verilog and runs yosys and an SMT solver; inductions and searches from reset
// run on gates, with ABC, if memories are small.
//
// A property file consists of module items, inserted before endmodule. It can use all signals of the module, and `WIDTH_x of
// a signal or memory, `HAS_x, 1 if there is one of this name and 0 otherwise, `ifdef IS_x for items that need one, `DEPTH_x of a memory, and `VALID_x, `READY_x and `DATA_x of
// a stream; started is 0 in the first cycle, which is one of reset. [Spec.With] expands `EACH_LIST(text) for lists of names. Every assert
// and assume has a label, declared in comments:
//
//	// property NAME: what always holds         assertions with this label; all of them
//	// invariant NAME: what always holds        the same, used only to prove others; needs no control
//	// control NAME: OLD => NEW                 negative control: with this edit of the module's text NAME must fail; <N> is any number
//	// bounded NAME CYCLES: why                 is shown for this many cycles from reset only
//	// alone NAME                               is proven without the assumptions of the file
//	// assume NAME: who; shown by KIND/NAME     assumptions with this label, who guarantees them, and the properties that show it
//	// excused handshake_STREAM: why            the rule of this stream is not required to hold
//	// depth CYCLES                             depth of the induction
//	// bound CYCLES                             cycles from reset within which controls must fail
//	// uses MODULE                              a module in addition to the design
//	// reset once                               there is no reset except in the first cycle
//	// gates                                    no property reads the large memories, so gates are small
package formal
