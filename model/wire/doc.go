// Package wire defines every header of the protocol once, as a table of fields, and the codec built from those tables.
//
// The tables of this package are the only place where a bit position appears: the Go codec, the hardware generator and
// the printed documentation all use them. All fields are in network byte order. Bit 0 is the first transmitted bit of a
// header, the most significant bit of its first octet, as in the figures of the RFCs.
//
// Opcodes, queues, lengths and rules are data of package spec. Classify uses them to decide which received segments are
// valid; it is written for readers of RFC 5040, RFC 5041 and RFC 7306, in the order of the layers.
//
// Decoding never panics for any input, and does not allocate unless it reports an error.
package wire
