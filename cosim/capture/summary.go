package capture

import "github.com/rnicgen/rnicgen/model/wire"

// Summary counts the contents of a capture. Two programs that read the same file can compare it.
type Summary struct {
	Packets    int            `json:"packets"`
	Ignored    int            `json:"ignored"`
	TCPStreams int            `json:"tcp_streams"`
	FPDUs      int            `json:"fpdus"`
	CRCChecked int            `json:"crc_checked"` // FPDUs of streams with CRC
	CRCBad     int            `json:"crc_bad"`
	Trailing   int64          `json:"trailing_octets"` // octets of iWARP directions outside FPDUs
	Segments   map[string]int `json:"segments"`        // by the opcode's name; opcodes that do not occur are absent

	RoCEPackets     int            `json:"roce_packets"`
	RoCEMalformed   int            `json:"roce_malformed"`
	RoCEOperations  map[string]int `json:"roce_operations"` // packets by the opcode's name
	Atomics         int            `json:"roce_atomics"`    // requests, duplicates not counted
	AtomicsAnswered int            `json:"roce_atomics_answered"`
	AtomicsRefused  int            `json:"roce_atomics_refused"`
}

// Summary counts.
func (c *Capture) Summary() Summary {
	s := Summary{
		Packets: c.Packets, Ignored: c.Ignored, TCPStreams: len(c.Streams), Segments: map[string]int{},
		RoCEPackets: len(c.RoCE.Packets), RoCEMalformed: len(c.RoCE.Malformed), RoCEOperations: map[string]int{},
		Atomics: len(c.RoCE.Atomics),
	}
	for _, stream := range c.Streams {
		for _, d := range []*Direction{&stream.ToServer, &stream.ToClient} {
			if stream.IsIWARP() {
				s.Trailing += int64(len(d.Trailing)) + d.Skipped
			}
			for _, f := range d.FPDUs {
				s.FPDUs++
				s.Segments[segmentName(f.ULPDU)]++
				if stream.CRC {
					s.CRCChecked++
				}
				if !f.CRCOK {
					s.CRCBad++
				}
			}
		}
	}
	for _, p := range c.RoCE.Packets {
		s.RoCEOperations[p.Opcode.String()]++
	}
	for _, x := range c.RoCE.Atomics {
		if x.Answered {
			s.AtomicsAnswered++
		}
		if x.Refused {
			s.AtomicsRefused++
		}
	}
	return s
}

// segmentName returns the name of the segment's opcode: "short" for a segment too short to have one, "empty"
// for a segment without octets, the RTR indication of RFC 6581.
func segmentName(ulpdu []byte) string {
	if len(ulpdu) == 0 {
		return "empty"
	}
	opcode, ok := wire.DDPTaggedTable.MustField("opcode").Get(ulpdu)
	if !ok {
		return "short"
	}
	return wire.Opcode(opcode).Name()
}
