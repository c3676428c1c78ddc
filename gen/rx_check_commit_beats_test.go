package gen_test

import (
	"encoding/binary"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// rxDelivery is a delivery with what the extension commit adds; without it that is 0.
type rxDelivery deliveryBeatOf[rxRequestBeat]

type rxRequestBeat struct {
	inboundRequestBeat
	commitFields
}

// wide adds the fields of the extension, as 0.
func (d deliveryBeat) wide() rxDelivery {
	return rxDelivery{Kind: d.Kind, Place: d.Place, ID: d.ID, Opcode: d.Opcode, Length: d.Length, Rule: d.Rule, Queue: d.Queue, Request: rxRequestBeat{inboundRequestBeat: d.Request}}
}

// rxExpecting is an awaited response with the hash that it is compared with.
type rxExpecting struct {
	expectingBeat
	Compares int // bit 0: octets 0 to 3, bit 1: 4 to 7, bit 2: 8 to 31
	Hash     [32]byte
}

// rxFailure is a failure with what a Terminate returns of its request.
type rxFailure struct {
	failureBeat
	Control             uint16 // octet 0 in the low bits
	InvalidateSTag, Msn uint32
	Length              int // 0: no request
}

// of adds the request whose segment this is.
func (f rxFailure) of(segment []byte) rxFailure {
	f.Control, f.InvalidateSTag, f.Msn = binary.LittleEndian.Uint16(segment), binary.BigEndian.Uint32(segment[2:]), binary.BigEndian.Uint32(segment[10:])
	f.Length = len(segment)
	return f
}

// header is the DDP header of the request.
func (f rxFailure) header() (octets []byte) {
	octets = binary.LittleEndian.AppendUint16(octets, f.Control)
	for _, word := range []uint32{f.InvalidateSTag, spec.QueueRequest, f.Msn, 0} {
		octets = binary.BigEndian.AppendUint32(octets, word)
	}
	return octets
}
