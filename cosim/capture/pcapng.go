package capture

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/pcapgo"
)

// Block types of pcapng that matter here.
const (
	blockSection  = 0x0A0D0D0A
	blockPacket   = 2 // obsolete, still written by old tools
	blockSimple   = 3
	blockEnhanced = 6
)

func isPcapng(data []byte) bool {
	return len(data) >= 4 && binary.BigEndian.Uint32(data) == blockSection
}

// checkBlocks walks the blocks of a pcapng. pcapgo's reader trusts every length in the file: it would accept a
// truncated file as complete, and allocate any size that a packet block requests.
func checkBlocks(file string, data []byte) error {
	var order binary.ByteOrder = binary.LittleEndian
	for at := 0; at < len(data); {
		fail := func(problem string, args ...any) error {
			return &InputError{File: file, Offset: int64(at), Problem: fmt.Sprintf(problem, args...), Allowed: "whole pcapng blocks to the end of the file"}
		}
		b := data[at:]
		if len(b) < 12 {
			return fail("the file ends inside a block, %d octets of at least 12 are there", len(b))
		}
		if binary.BigEndian.Uint32(b) == blockSection {
			order = binary.LittleEndian
			if binary.BigEndian.Uint32(b[8:]) == 0x1A2B3C4D {
				order = binary.BigEndian
			}
		}
		kind, length := order.Uint32(b), uint64(order.Uint32(b[4:]))
		switch {
		case length < 12 || length%4 != 0:
			return fail("the block's length is %d, which is not a multiple of 4 from 12 on", length)
		case length > uint64(len(b)):
			return fail("the file ends inside a block, %d octets of %d are there", len(b), length)
		case uint64(order.Uint32(b[length-4:])) != length:
			return fail("the block's two lengths differ: %d and %d", length, order.Uint32(b[length-4:]))
		}
		header := map[uint32]int{blockPacket: 28, blockEnhanced: 28, blockSimple: 12}[kind]
		if header > 0 {
			if length < uint64(header)+4 {
				return fail("the packet block's length is %d, less than its header", length)
			}
			captured := order.Uint32(b[8:]) // the length on the wire: a cut packet is refused anyway
			if kind != blockSimple {
				captured = order.Uint32(b[20:])
			}
			if uint64(captured) > length-uint64(header)-4 {
				return fail("the packet has %d octets, its block room for %d", captured, length-uint64(header)-4)
			}
		}
		at += int(length)
	}
	return nil
}

// newNgReader opens pcapgo's pcapng reader.
func newNgReader(r io.Reader) (_ packetReader, err error) {
	defer recovered(&err)
	return pcapgo.NewNgReader(r, pcapgo.NgReaderOptions{WantMixedLinkType: true})
}

// readPacket reads one packet. pcapgo's pcapng reader panics on some impossible options, such as a time
// resolution of 2^-64 seconds; that is an error of the file.
func readPacket(r packetReader) (data []byte, info gopacket.CaptureInfo, err error) {
	defer recovered(&err)
	return r.ReadPacketData()
}

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("impossible option: %v", r)
	}
}
