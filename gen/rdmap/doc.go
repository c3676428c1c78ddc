// Package rdmap is the hardware of the profile RDMAP over DDP (RFC 5040, RFC 5041, RFC 7306): the segment parser, the checks of the
// receive side, the headers of requests and responses, Terminates, and the register map. Operations, header tables and rules are rows
// of model/rdmap/spec and model/wire; all decision logic is written here independently of the golden model, so that comparing the two
// is meaningful.
package rdmap
