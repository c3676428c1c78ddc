package system

import (
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Transaction says what a packet of an RNIC is to Falcon.
type Transaction struct {
	Type   spec.PacketType
	RSN    uint32
	Length int // Request Length, of a request
}

// FalconHeader is what a packet of Falcon says. One of an RNIC has a transaction; others acknowledge packets of the receiver, as many as
// there were when it left, or return an RNR NACK to one.
type FalconHeader struct {
	kind packetKind
	Transaction
	acknowledged []acknowledgement
	refused      falcon.Answer // of nack
}

// packetKind says which of these it is.
type packetKind int

const (
	carried packetKind = iota // a packet of an RNIC
	ack                       // FTP 7.7.1
	nack                      // FTP 7.8
)

// acknowledgement is of a push, which the RNIC has answered, or of a response.
type acknowledgement struct {
	rsn      uint32
	response bool
	octets   int // of a response
}

// falconFraming is what a packet occupies on a link beside the Falcon header and what follows it, in the transport mode of FTP 7.1.1: Ethernet
// preamble, header, FCS and gap (38), IPv4 (20), UDP (8), and, as the PSP architecture specification has them, PSP header without virtualization
// cookie (16) and trailer (16).
const falconFraming = 98

// octets is the length of the Falcon header in the figures of FTP 7.3 to 7.8.
func (h *FalconHeader) octets() int {
	switch {
	case h.kind == ack:
		return 32
	case h.kind == nack:
		return 40
	case h.Type == spec.PullRequest:
		return 32
	case h.Type == spec.PushRequest:
		return 28
	}
	return 24 // pull data
}
