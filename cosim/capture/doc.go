// Package capture reads real RDMA traffic from packet captures and writes such captures.
//
// A comparison of a golden model with hardware of the same authors proves little. Captures of other implementations are independent
// evidence: this package converts a pcap or pcapng file to the input of model and hardware, which is DDP segments in order (iWARP)
// and atomic exchanges (RoCE v2).
//
// It reconstructs the sender's TCP stream: retransmitted or reordered octets, or several FPDUs in one packet,
// make no difference. It does not repair: missing octets are reported, and nothing after a gap is guessed.
// Invalid content (a bad CRC, a bad Marker) is data, reported with the stream; an unreadable file is an
// error, which is ErrInput.
//
// WriteIWARP is the other direction: it writes segments as a pcap that any dissector can read.
package capture
