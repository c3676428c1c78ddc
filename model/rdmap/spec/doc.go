// Package spec is RDMAP and DDP as data: one row per operation and one row per rule that a segment can break, from RFC
// 5040, RFC 5041 and RFC 7306, and in tables of their own those of the extensions. The golden model and the hardware both
// read it. It contains no decisions: each of the two determines independently whether a rule is broken and which of
// several broken rules is reported.
package spec
