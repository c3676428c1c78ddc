package spec

import "fmt"

// PacketType is the type of a Falcon packet that carries an RDMA packet, with the code of the Falcon base header (FTP
// 7.2). The ULP's push request travels as Push Data.
type PacketType uint8

const (
	PullRequest PacketType = 0b0000
	PullData    PacketType = 0b0011
	PushRequest PacketType = 0b0101
)

// String returns the snake-case name.
func (t PacketType) String() string {
	switch t {
	case PullRequest:
		return "pull_request"
	case PullData:
		return "pull_data"
	case PushRequest:
		return "push_request"
	}
	return fmt.Sprintf("packet_type(%d)", uint8(t))
}

// NACK is a NACK code of Falcon that the target's ULP asks for, FTP 7.8.
type NACK uint8

const (
	NACKRNR NACK = 2 // receiver not ready: the request is sent again after the timeout
	NACKCIE NACK = 6 // complete in error
	NACKNRE NACK = 7 // non-recoverable error
	NACKCID NACK = 8 // invalid CID
)

// ULPCode is the ULP NACK code, 8 bits, which Falcon does not interpret. Its values are InfiniBand's syndromes (I-64).
type ULPCode uint8

const (
	NoCode         ULPCode = 0
	InvalidRequest ULPCode = 0x61
	AccessError    ULPCode = 0x62
	OperationError ULPCode = 0x63
)

// Completion is the code of a transaction's completion at the initiator, 4 bits: FTP 11. A pull without error completes
// with its data instead.
type Completion uint8

const (
	CompletedAck       Completion = 0x0 // kCmplAck
	CompletedCIE       Completion = 0x1 // kCmplTargetNackCIE
	CompletedNRE       Completion = 0x3 // kCmplTargetNackNRE
	CompletedCID       Completion = 0x4 // kCmplTargetNackCID
	CompletedLocalTO   Completion = 0x8 // kCmplLocalTO: timeout
	CompletedOpErr     Completion = 0x9 // kCmplOpErr: pull data longer than requested
	CompletedDeadConn  Completion = 0xA // kCmplDeadConn
	CompletedLocalRsrc Completion = 0xB // kCmplLocalRsrc: rejected, no resources at the initiator
	CompletedCdtErr    Completion = 0xC // kUlpCmplCdtErr: credit error
	CompletedRemoteErr Completion = 0xD // kCmplRemoteErr: dropped by a filter at the target
	CompletedLocalXlr  Completion = 0xF // kCmplLocalXlr: dropped by a filter at the initiator
)

// CompletionRow is one completion code. Fatal: the QP of a connection goes to Error in both error modes; CIE does so with
// Verbs compatible errors only. A UD QP never does (I-105).
type CompletionRow struct {
	Code  Completion
	Name  string // as FTP 11 prints it in its table of values
	Push  bool   // of a push
	Pull  bool   // of a pull
	Fatal bool
}

// Completions lists the assigned codes.
var Completions = [...]CompletionRow{
	{CompletedAck, "kCmplAck", true, false, false},
	{CompletedCIE, "kCmplTargetNackCIE", true, false, false},
	{CompletedNRE, "kCmplTargetNackNRE", true, false, true},
	{CompletedCID, "kCmplTargetNackCID", true, false, true},
	{CompletedLocalTO, "kCmplLocalTO", true, true, true},
	{CompletedOpErr, "kCmplOpErr", false, true, true},
	{CompletedDeadConn, "kCmplDeadConn", true, true, true},
	{CompletedLocalRsrc, "kCmplLocalRsrc", true, true, true},
	{CompletedCdtErr, "kUlpCmplCdtErr", true, true, true},
	{CompletedRemoteErr, "kCmplRemoteErr", true, true, true},
	{CompletedLocalXlr, "kCmplLocalXlr", true, true, true},
}

// Row returns the row of a code; one that is fatal for reserved codes.
func (c Completion) Row() CompletionRow {
	for _, r := range Completions {
		if r.Code == c {
			return r
		}
	}
	return CompletionRow{Code: c, Name: fmt.Sprintf("reserved(0x%X)", uint8(c)), Fatal: true}
}

// Credits counts the resources of Falcon that a connection may use, or that a transaction costs: FTP 8.2.3.
type Credits struct {
	RequestTxPackets, RequestTxBuffers int
	RequestRxPackets, RequestRxBuffers int
	DataTxPackets, DataTxBuffers       int
}

// Add and Sub return sums and differences by counter.
func (c Credits) Add(d Credits) Credits {
	return Credits{c.RequestTxPackets + d.RequestTxPackets, c.RequestTxBuffers + d.RequestTxBuffers,
		c.RequestRxPackets + d.RequestRxPackets, c.RequestRxBuffers + d.RequestRxBuffers,
		c.DataTxPackets + d.DataTxPackets, c.DataTxBuffers + d.DataTxBuffers}
}

func (c Credits) Sub(d Credits) Credits {
	return c.Add(Credits{-d.RequestTxPackets, -d.RequestTxBuffers, -d.RequestRxPackets, -d.RequestRxBuffers, -d.DataTxPackets, -d.DataTxBuffers})
}

// Negative reports whether a counter is below zero.
func (c Credits) Negative() bool {
	return min(c.RequestTxPackets, c.RequestTxBuffers, c.RequestRxPackets, c.RequestRxBuffers, c.DataTxPackets, c.DataTxBuffers) < 0
}

// Cost is the price of a transaction of length octets with buffers of unit octets. The length is the Request Length of
// Falcon: a push's own packet, the response that a pull expects, a pull response's own packet (I-75).
func Cost(t PacketType, length, unit int) Credits {
	buffers := (length + unit - 1) / unit
	switch t {
	case PushRequest:
		return Credits{RequestTxPackets: 1, RequestTxBuffers: buffers, RequestRxPackets: 1}
	case PullRequest:
		return Credits{RequestTxPackets: 1, RequestTxBuffers: 1, RequestRxPackets: 1, RequestRxBuffers: buffers}
	default:
		return Credits{DataTxPackets: 1, DataTxBuffers: buffers}
	}
}

// RNRTimeouts is the delay of each RNR NACK timeout code, 5 bits, in units of 10 microseconds: FTP 7.8.
var RNRTimeouts = [32]uint32{
	65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192,
	256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
}

// MessageWindow is the number of messages that a QP may have open at once, of those that take a receive and of pulls
// (I-72).
const MessageWindow = 256
