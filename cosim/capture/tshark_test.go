package capture_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// witness is the dissection of a file's iWARP connections by tshark, an independent implementation.
type witness struct {
	streams map[int]*witnessStream // by tshark's tcp.stream, which numbers connections by their first packets
	experts []string               // warnings and errors of its expert system
}

// witnessStream holds the two directions, the one from the initiator (the MPA Request Frame's) first.
type witnessStream struct {
	startup [2]map[string]string // fields of the start-up frames
	fpdus   [2][]map[string]string
	from    string // source port of the request
}

// Only fields with these prefixes are compared; values are tshark's, in hexadecimal without leading zeros.
var witnessFields = []string{"iwarp_mpa.", "iwarp_ddp.", "iwarp_rdma."}

type pdmlField struct {
	Name     string      `xml:"name,attr"`
	Show     string      `xml:"show,attr"`
	Showname string      `xml:"showname,attr"`
	Value    string      `xml:"value,attr"`
	Fields   []pdmlField `xml:"field"`
}

type pdmlPacket struct {
	Protos []pdmlField `xml:"proto"`
}

func (f pdmlField) walk(visit func(pdmlField)) {
	visit(f)
	for _, sub := range f.Fields {
		sub.walk(visit)
	}
}

// tshark runs tshark once over the file.
func tshark(t *testing.T, path string) witness {
	t.Helper()
	program, err := exec.LookPath("tshark")
	require.NoError(t, err, "tshark is missing: apt-get install tshark")
	command := exec.Command(program, "-r", path, "-n",
		"-o", "tcp.try_heuristic_first:TRUE", "-o", "tcp.reassemble_out_of_order:TRUE", "--disable-protocol", "rpcordma",
		"-T", "pdml", "-J", "tcp iwarp_mpa iwarp_ddp_rdmap")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	require.NoError(t, err, "%v\n%s", command, &stderr)
	return parseWitness(t, out)
}

func parseWitness(t *testing.T, pdml []byte) witness {
	t.Helper()
	w := witness{streams: map[int]*witnessStream{}}
	decoder := xml.NewDecoder(bytes.NewReader(pdml))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return w
		}
		require.NoError(t, err)
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "packet" {
			var p pdmlPacket
			require.NoError(t, decoder.DecodeElement(&p, &start))
			w.take(t, p)
		}
	}
}

func (w *witness) take(t *testing.T, p pdmlPacket) {
	var stream *witnessStream
	var port string
	side := 0
	var current map[string]string
	for _, proto := range p.Protos {
		proto.walk(func(f pdmlField) {
			if severity, err := strconv.Atoi(f.Show); f.Name == "_ws.expert.severity" && err == nil && severity >= 0x600000 {
				w.experts = append(w.experts, proto.Showname+": "+f.Showname)
			}
			switch f.Name {
			case "tcp.stream":
				number, err := strconv.Atoi(f.Show)
				require.NoError(t, err)
				if stream = w.streams[number]; stream == nil {
					stream = &witnessStream{}
					w.streams[number] = stream
				}
				if side = 0; stream.from != "" && stream.from != port {
					side = 1
				}
			case "tcp.srcport":
				port = f.Show
			case "iwarp_mpa.req":
				stream.from, side = port, 0
				stream.startup[0] = map[string]string{}
				current = stream.startup[0]
			case "iwarp_mpa.rep":
				stream.startup[1] = map[string]string{}
				current = stream.startup[1]
			case "iwarp_mpa.fpdu":
				current = map[string]string{}
				stream.fpdus[side] = append(stream.fpdus[side], current)
			}
			for _, prefix := range witnessFields {
				if strings.HasPrefix(f.Name, prefix) && f.Value != "" {
					current[f.Name] = digits(f.Value)
					if f.Name == "iwarp_mpa.crc_check" {
						current[f.Name] = map[bool]string{true: "good", false: "bad"}[strings.Contains(f.Showname, "Good")]
					}
				}
			}
		})
	}
}

// digits normalizes a hexadecimal number for comparison.
func digits(hex string) string {
	if hex = strings.TrimLeft(strings.ToLower(hex), "0"); hex == "" {
		return "0"
	}
	return hex
}
