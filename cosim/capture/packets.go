package capture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// packet is one complete packet of the file.
type packet struct {
	number int   // from 1, as tshark counts frames
	offset int64 // of its record in the file
	link   layers.LinkType
	data   []byte
}

// packetReader is the common interface of pcapgo's two readers.
type packetReader interface {
	ReadPacketData() ([]byte, gopacket.CaptureInfo, error)
}

const (
	allowedFile   = "a pcap or pcapng file"
	allowedRecord = "whole packet records to the end of the file"
)

// maxSnapLength is the largest snap length that capture programs use.
const maxSnapLength = 262144

// linkTypes lists the supported link layers. All of them carry IPv4 or IPv6.
var linkTypes = []layers.LinkType{
	layers.LinkTypeEthernet, layers.LinkTypeRaw, 12, layers.LinkTypeNull, layers.LinkTypeLoop,
	layers.LinkTypeLinuxSLL, layers.LinkTypeLinuxSLL2, layers.LinkTypeIPv4, layers.LinkTypeIPv6,
}

// eachPacket calls f for all packets of a capture file in order.
func eachPacket(file string, data []byte, f func(packet)) error {
	// The readers buffer their input; supplying the buffer ourselves keeps the file offset known.
	rest := bytes.NewReader(data)
	buffer := bufio.NewReaderSize(rest, 1<<16)
	offset := func() int64 { return int64(len(data)) - int64(rest.Len()) - int64(buffer.Buffered()) }
	fail := func(at int64, problem string, err error, allowed string) error {
		return &InputError{File: file, Offset: at, Problem: problem, Err: err, Allowed: allowed}
	}

	if len(data) == 0 {
		return fail(0, "the file is empty", nil, allowedFile)
	}
	reader, link, err := openReader(file, data, buffer)
	if err != nil {
		return err
	}
	for number := 1; ; number++ {
		at := offset()
		raw, info, err := readPacket(reader)
		if err == io.EOF && (at == int64(len(data)) || isPcapng(data)) { // checkBlocks has checked the end of a pcapng
			return nil
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return fail(at, fmt.Sprintf("the file ends inside packet %d", number), nil, allowedRecord)
		}
		if err != nil {
			return fail(at, fmt.Sprintf("packet %d", number), err, allowedRecord)
		}
		if info.CaptureLength < info.Length {
			return fail(at, fmt.Sprintf("packet %d was cut by the snap length: %d of its %d octets are there", number, info.CaptureLength, info.Length),
				nil, "whole packets (tcpdump -s 0)")
		}
		p := packet{number: number, offset: at, link: link, data: raw}
		if len(info.AncillaryData) > 0 {
			p.link, _ = info.AncillaryData[0].(layers.LinkType)
		}
		if !understood(p.link) {
			return fail(at, fmt.Sprintf("packet %d has link type %d", number, p.link), nil,
				"Ethernet (1), raw IP (12, 101, 228, 229), loopback (0, 108), Linux cooked (113, 276)")
		}
		f(p)
	}
}

func understood(link layers.LinkType) bool {
	for _, l := range linkTypes {
		if l == link {
			return true
		}
	}
	return false
}

// openReader opens the reader for the file's format; in a pcapng each packet has a link type.
func openReader(file string, data []byte, buffer *bufio.Reader) (packetReader, layers.LinkType, error) {
	refuse := func(problem string, err error) (packetReader, layers.LinkType, error) {
		return nil, 0, &InputError{File: file, Problem: problem, Err: err, Allowed: allowedFile}
	}
	switch {
	case isPcapng(data):
		if err := checkBlocks(file, data); err != nil {
			return nil, 0, err
		}
		r, err := newNgReader(buffer)
		if err != nil {
			return refuse("the file starts as a pcapng, but is none", err)
		}
		return r, 0, nil
	case isPcap(data):
		r, err := pcapgo.NewReader(buffer)
		if err != nil {
			return refuse("the file starts as a pcap, but is none", err)
		}
		r.SetSnaplen(uint32(min(max(len(data), maxSnapLength), 1<<30))) // ignores the header: pcapgo allocates before it reads
		return r, r.LinkType(), nil
	}
	n := min(4, len(data))
	return refuse(fmt.Sprintf("the first octets are % x", data[:n]), nil)
}

// isPcap checks for the four magic numbers: both octet orders, microseconds and nanoseconds.
func isPcap(data []byte) bool {
	if len(data) < 4 {
		return false
	}
	for _, m := range []uint32{binary.BigEndian.Uint32(data), binary.LittleEndian.Uint32(data)} {
		if m == 0xA1B2C3D4 || m == 0xA1B23C4D {
			return true
		}
	}
	return false
}
