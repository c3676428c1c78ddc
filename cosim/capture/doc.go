// Package capture reads real RDMA traffic from packet captures and writes such captures.
//
// A golden model that was only ever compared with hardware of the same authors proves little. Captures of
// other implementations are evidence from outside: this package turns a pcap or pcapng file into what
// the model and the hardware consume, DDP segments in order (iWARP) and atomic exchanges (RoCE v2).
//
// It reads what the sender's TCP meant, not what the packets looked like: octets sent twice, out of order, or
// many FPDUs in one packet make no difference. It does not repair: what the capture lacks is reported, and
// nothing behind a gap is guessed at. Content that cannot be (a bad CRC, a bad Marker) is data, reported
// with the stream; a file that cannot be read is an error, which is ErrInput.
//
// WriteIWARP is the other direction: segments as a pcap which any dissector can read.
package capture
