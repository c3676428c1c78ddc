// Package rdmap is the hardware of the profile RDMAP over DDP (RFC 5040, RFC 5041, RFC 7306): the parser of segments, the rules that
// the receive side checks, the headers of requests and responses, Terminates, and the names of the host's registers. Operations,
// header tables and rules are rows of model/rdmap/spec and model/wire; everything that decides is written here a second time,
// independently of the golden model, so that comparing the two means something.
package rdmap
