// Package roce decodes RoCE v2, InfiniBand's transport over UDP, as far as captures of atomic operations
// need it: the requests, and the responder's responses.
//
// InfiniBand's FetchAdd and CmpSwap are RFC 7306's with fixed masks (0 for FetchAdd: one 64-bit field; all
// ones for CmpSwap), so that captures of RoCE are evidence about the atomic operations although no
// iWARP implementation with atomics is at hand.
package roce
