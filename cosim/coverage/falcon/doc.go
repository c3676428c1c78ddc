// Package falcon measures the coverage of the hardware of the profile falcon: its vectors, random traffic, and a packet for each bin.
//
// Lines, branches and toggles are those of package coverage. A bin is a received packet, by opcode, rule that it breaks, ordering mode,
// error mode and length; see Rules. Bins count the packets of vectors and of the walk, where the golden model says which rule is broken
// and everything that the hardware does about it is compared.
package falcon
