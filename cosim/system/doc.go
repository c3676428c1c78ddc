// Package system puts the hardware into the simulated network of model/system.
//
// An RNIC of NewRTL is rnic on a simulator, which runs one cycle in each cycle of the network. Its streams are akita's messages: a
// Segment, a Work or a Receive is queued when the hardware has accepted the previous one, and what a port cannot send stalls the stream
// that it comes from. Packets of the profile falcon, their answers, completions and credits pass the Falcon of the node. Its memory
// port is divided into accesses of lines, which go to one of akita's memory controllers.
//
// Measure finds the Delays of the hardware: the cycles from one event at its ports to the next. MeasureFalcon finds the FalconDelays of that of
// the profile falcon.
package system
