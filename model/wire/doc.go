// Package wire holds every header of the protocol once, as a table of fields, and the codec built from
// those tables.
//
// A layout that is written twice disagrees with itself sooner or later. So the tables of this package are
// the only place where a bit position appears: the Go codec, the hardware generator and the printed
// documentation all read them. Everything in network byte order; bit 0 is the first transmitted bit of a
// header, the most significant bit of its first octet, as the figures of the RFCs count.
//
// What goes with the headers, opcodes, queues, lengths and rules, is data of package spec. On top of it Classify
// decides which of the received segments are valid; it is written for the reader of RFC 5040, RFC 5041 and RFC 7306, in
// the order of the layers.
//
// Decoding never panics, whatever the octets, and does not allocate unless it has an error to report.
package wire
