package bench

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/vectors/suite"
)

// image is a file for $readmemh. Fields are joined by underscores, which Verilog reads over.
type image struct {
	name  string
	width int // hexadecimal digits of a line
	lines int
	text  bytes.Buffer
}

func (i *image) add(format string, values ...any) int {
	fmt.Fprintf(&i.text, format+"\n", values...)
	i.lines++
	return i.lines - 1
}

// octets adds one octet a line, and returns the line of the first.
func (i *image) octets(b []byte) int {
	first := i.lines
	for n := range b {
		i.text.Write(append(hex.AppendEncode(i.text.AvailableBuffer(), b[n:n+1]), '\n'))
	}
	i.lines += len(b)
	return first
}

// whole ends the image with a line of ones, which shows the bench that nothing is missing.
func (i *image) whole() []byte {
	return append(bytes.Clone(i.text.Bytes()), strings.Repeat("f", i.width)+"\n"...)
}

// packetImage is a list of packets and the octets that they are made of.
type packetImage struct{ packets, octets image }

func (p *packetImage) add(tcID int, stream uint32, octets []byte) {
	p.packets.add("%08x_%04x_%08x_%08x", tcID, stream, len(octets), p.octets.octets(octets))
}

// images are all images of a suite.
type images struct {
	script, rx       image
	tx, payload      packetImage
	records, retired image
	answers          image
}

// Commands of the script and the numbers of its ports, as in the bench.
const (
	cmdWindow = 1 + iota
	cmdSetup
	cmdHost
	cmdTest
	cmdExpect
	cmdSegment
	cmdSettle
	cmdQuiet
	cmdReset
	cmdEnd
)

const (
	portTx = iota
	portRecord
	portPayload
	portAnswer
	portRetire
)

func (m *images) list(retirePort bool) []*image {
	list := []*image{&m.script, &m.rx, &m.tx.packets, &m.tx.octets, &m.payload.packets, &m.payload.octets, &m.records, &m.answers}
	if retirePort {
		list = append(list, &m.retired)
	}
	return list
}

func (m *images) command(command int, stream uint32, a uint32, b uint64) {
	m.script.add("%02x_%04x_%08x_%016x", command, stream, a, b)
}

func imagesOf(s *suite.Suite) (*images, error) {
	m := &images{
		script: image{name: "script.hex", width: 30}, rx: image{name: "rx_octets.hex", width: 2},
		tx:      packetImage{image{name: "tx_packets.hex", width: 28}, image{name: "tx_octets.hex", width: 2}},
		payload: packetImage{image{name: "payload_packets.hex", width: 28}, image{name: "payload_octets.hex", width: 2}},
		records: image{name: "records.hex", width: 165}, retired: image{name: "retired.hex", width: 53},
		answers: image{name: "answers.hex", width: 25},
	}
	for i := range s.Groups {
		g := &s.Groups[i]
		m.start(g)
		for j := range g.Tests {
			if err := m.test(&g.Tests[j], s.Config.RetirePort); err != nil {
				return nil, fmt.Errorf("tcId %d: %w", g.Tests[j].TcID, err)
			}
		}
	}
	m.command(cmdEnd, 0, uint32(s.NumberOfTests), 0)
	return m, nil
}

// start sets up a group's state.
func (m *images) start(g *suite.Group) {
	r := g.Regions[0]
	m.command(cmdWindow, 0, uint32(r.STag), uint64(r.Base))
	for _, s := range g.Streams {
		m.command(cmdSetup, s.Stream, s.MSN, 0)
	}
	m.command(cmdExpect, portAnswer, uint32(m.next(portAnswer)), 0)
	for _, w := range r.Memory {
		m.command(cmdHost, 1, uint32(w.Index), uint64(w.Data))
		m.answer(0, nil)
	}
	m.command(cmdSettle, portAnswer, uint32(m.next(portAnswer)), 0)
	m.command(cmdQuiet, 0, 0, 0)
}

// answer expects an answer of the host port, which is not compared when the word is undefined.
func (m *images) answer(tcID int, word []byte) {
	if len(word) != 8 {
		m.answers.add("%08x_0_%016x", tcID, 0)
		return
	}
	m.answers.add("%08x_1_%016x", tcID, number64(word))
}

func (m *images) test(t *suite.Test, retirePort bool) error {
	m.command(cmdTest, 0, uint32(t.TcID), 0)
	ports := []int{portTx, portRecord, portPayload, portAnswer}
	if retirePort {
		ports = append(ports, portRetire)
	}
	for _, p := range ports {
		m.command(cmdExpect, uint32(p), uint32(m.next(p)), 0)
	}
	// settle waits for everything that there is so far.
	settle := func() {
		for _, p := range ports {
			m.command(cmdSettle, uint32(p), uint32(m.next(p)), 0)
		}
		m.command(cmdQuiet, 0, 0, 0)
	}
	for i, in := range t.Input {
		outcomes := slices.DeleteFunc(slices.Clone(t.Expect), func(e suite.Expect) bool { return e.Input != i })
		if i > 0 && (in.Port != suite.PortRx || t.Input[i-1].Port != suite.PortRx) {
			settle()
		}
		switch in.Port {
		case suite.PortRx:
			m.command(cmdSegment, in.Stream, uint32(len(in.Hex)), uint64(m.rx.octets(in.Hex)))
		case suite.PortReset:
			m.command(cmdReset, 0, 0, 0)
		case suite.PortSetup:
			if len(in.Hex) != 4 {
				return fmt.Errorf("input %d: hex is %x; allowed: 4 octets", i, []byte(in.Hex))
			}
			m.command(cmdSetup, in.Stream, number32(in.Hex), 0)
		case suite.PortHost:
			if len(in.Hex) != 13 {
				return fmt.Errorf("input %d: hex is %x; allowed: 13 octets", i, []byte(in.Hex))
			}
			m.command(cmdHost, uint32(in.Hex[0]), number32(in.Hex[1:]), number64(in.Hex[5:]))
		}
		for _, e := range outcomes {
			m.outcome(t.TcID, e)
		}
	}
	settle()
	if len(t.Memory) == 0 {
		return nil
	}
	for _, w := range t.Memory {
		m.command(cmdHost, 0, uint32(w.Index), ^uint64(w.Data)) // a read ignores its data
		m.answer(t.TcID, binary.BigEndian.AppendUint64(nil, uint64(w.Data)))
	}
	settle()
	return nil
}

// next is the number of the next outcome on a port.
func (m *images) next(port int) int {
	return [...]int{m.tx.packets.lines, m.records.lines, m.payload.packets.lines, m.answers.lines, m.retired.lines}[port]
}

func (m *images) outcome(tcID int, e suite.Expect) {
	switch e.Port {
	case suite.PortTx:
		m.tx.add(tcID, e.Stream, e.Hex)
	case suite.PortPayload:
		m.payload.add(tcID, e.Stream, e.Hex)
	case suite.PortAnswer:
		m.answer(tcID, e.Hex)
	case suite.PortRetire:
		r := e.Retire
		m.retired.add("%08x_%04x_%01x_%08x_%016x_%016x", tcID, e.Stream, r.Opcode, r.Index, uint64(r.Original), uint64(r.Result))
	case suite.PortRecord:
		r := e.Record
		header := make([]byte, headerOctets) // the most significant digit first: octet 0 comes last
		copy(header, r.Header)
		slices.Reverse(header)
		m.records.add("%08x_%04x_%01x_%01x_%01x_%02x_%04x_%04x_%s", tcID, e.Stream, r.Code, r.TermLayer, r.TermEtype, r.TermCode,
			r.SegmentLength, r.PayloadLength, hex.EncodeToString(header))
	}
}

const headerOctets = 70 // of m_record_header

func number32(b []byte) uint32 { return binary.BigEndian.Uint32(b) }

func number64(b []byte) uint64 { return binary.BigEndian.Uint64(b) }
