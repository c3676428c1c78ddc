package wire

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// witness maps a field of Wireshark's dissector to a field of a table. base is the octet of the segment at which the
// table starts.
type witness struct {
	tshark string
	table  *Table
	field  string
	base   int
}

var ddpWitnesses = []witness{
	{"iwarp_ddp.tagged_flag", DDPUntaggedTable, "t", 0},
	{"iwarp_ddp.last_flag", DDPUntaggedTable, "l", 0},
	{"iwarp_ddp.dv", DDPUntaggedTable, "dv", 0},
	{"iwarp_rdma.version", DDPUntaggedTable, "rv", 0},
	{"iwarp_rdma.opcode", DDPUntaggedTable, "opcode", 0},
}

var taggedWitnesses = []witness{
	{"iwarp_ddp.stag", DDPTaggedTable, "stag", 0},
	{"iwarp_ddp.tagged_offset", DDPTaggedTable, "to", 0},
}

var untaggedWitnesses = []witness{
	{"iwarp_ddp.qn", DDPUntaggedTable, "queue_number", 0},
	{"iwarp_ddp.msn", DDPUntaggedTable, "msn", 0},
	{"iwarp_ddp.mo", DDPUntaggedTable, "mo", 0},
}

var invalidateWitness = witness{"iwarp_rdma.inval_stag", DDPUntaggedTable, "invalidate_stag", 0}

// headerWitnesses covers the RDMAP headers. tshark 4.0 does not dissect Immediate Data.
var headerWitnesses = map[Opcode][]witness{
	OpReadRequest: {
		{"iwarp_rdma.sinkstag", ReadRequestTable, "data_sink_stag", 18},
		{"iwarp_rdma.sinkto", ReadRequestTable, "data_sink_to", 18},
		{"iwarp_rdma.rdmardsz", ReadRequestTable, "read_message_size", 18},
		{"iwarp_rdma.srcstag", ReadRequestTable, "data_source_stag", 18},
		{"iwarp_rdma.srcto", ReadRequestTable, "data_source_to", 18},
	},
	OpTerminate: {
		{"iwarp_rdma.term_layer", TerminateTable, "layer", 18},
		{"iwarp_rdma.term_hdrct_m", TerminateTable, "hdrct_m", 18},
		{"iwarp_rdma.hdrct_d", TerminateTable, "hdrct_d", 18},
		{"iwarp_rdma.hdrct_r", TerminateTable, "hdrct_r", 18},
	},
	OpAtomicRequest: {
		{"iwarp_rdma.atomic.opcode", AtomicRequestTable, "aopcode", 18},
		{"iwarp_rdma.atomic.request_identifier", AtomicRequestTable, "request_identifier", 18},
		{"iwarp_rdma.atomic.remote_stag", AtomicRequestTable, "remote_stag", 18},
		{"iwarp_rdma.atomic.remote_tagged_offset", AtomicRequestTable, "remote_to", 18},
	},
	OpAtomicResponse: {
		{"iwarp_rdma.atomic.original_request_identifier", AtomicResponseTable, "original_request_identifier", 18},
		{"iwarp_rdma.atomic.original_remote_data_value", AtomicResponseTable, "original_remote_data_value", 18},
	},
}

// operandWitnesses have names that depend on the operation. tshark 4.0 does not support Swap: it shows its Swap Data as
// Compare Data.
var operandWitnesses = map[AOpCode][]witness{
	FetchAdd: {
		{"iwarp_rdma.atomic.add_data", AtomicRequestTable, "add_or_swap_data", 18},
		{"iwarp_rdma.atomic.add_mask", AtomicRequestTable, "add_or_swap_mask", 18},
		{"iwarp_rdma.atomic.compare_data", AtomicRequestTable, "compare_data", 18},
		{"iwarp_rdma.atomic.compare_mask", AtomicRequestTable, "compare_mask", 18},
	},
	CmpSwap: {
		{"iwarp_rdma.atomic.swap_data", AtomicRequestTable, "add_or_swap_data", 18},
		{"iwarp_rdma.atomic.swap_mask", AtomicRequestTable, "add_or_swap_mask", 18},
		{"iwarp_rdma.atomic.compare_data", AtomicRequestTable, "compare_data", 18},
		{"iwarp_rdma.atomic.compare_mask", AtomicRequestTable, "compare_mask", 18},
	},
}

func witnesses(s Segment, segment []byte) []witness {
	all := append([]witness(nil), ddpWitnesses...)
	if s.Header.Tagged {
		return append(all, taggedWitnesses...)
	}
	all = append(append(all, untaggedWitnesses...), headerWitnesses[s.Header.Opcode]...)
	if m, _ := s.Header.Opcode.Operation(); m.InvalidateSTag {
		all = append(all, invalidateWitness)
	}
	if d, _ := TerminateTable.MustField("hdrct_d").Get(s.Payload); s.Header.Opcode == OpTerminate && d == 1 {
		all = append(all, witness{"iwarp_rdma.term_ddp_seg_len", TerminatedLengthTable, "ddp_segment_length", 22})
	}
	if s.Header.Opcode == OpAtomicRequest {
		all = append(all, operandWitnesses[AOpCode(segment[21]&0xF)]...)
	}
	return all
}

// Wireshark's dissector is an independent implementation of the same RFCs. It decodes the example segments and
// Terminates, and must agree with the tables in every field.
func TestTsharkReadsTheSameFields(t *testing.T) {
	path, err := exec.LookPath("tshark")
	require.NoError(t, err, "install it with: apt-get install tshark")

	var ulpdus [][]byte
	for _, s := range segments {
		ulpdus = append(ulpdus, octets(t, s.hex))
	}
	for _, tt := range terminates {
		ulpdus = append(ulpdus, AppendTerminate(nil, tt.want))
	}

	var names []string
	seen := map[string]int{}
	for _, b := range ulpdus {
		s, kind := Classify(b)
		require.Equal(t, spec.None, kind)
		for _, w := range witnesses(s, b) {
			if _, ok := seen[w.tshark]; !ok {
				seen[w.tshark] = len(names)
				names = append(names, w.tshark)
			}
		}
	}
	args := []string{"-r", capture(t, ulpdus), "-o", "tcp.try_heuristic_first:TRUE", "--disable-protocol", "rpcordma",
		"-Y", "iwarp_ddp", "-T", "fields", "-E", "separator=;"}
	for _, name := range names {
		args = append(args, "-e", name)
	}
	var stderr bytes.Buffer
	command := exec.Command(path, args...)
	command.Stderr = &stderr
	out, err := command.Output()
	require.NoError(t, err, stderr.String())
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	require.Len(t, lines, len(ulpdus), "tshark decodes every segment as DDP\n%s", out)

	for i, b := range ulpdus {
		columns := strings.Split(lines[i], ";")
		s, _ := Classify(b)
		for _, w := range witnesses(s, b) {
			want, ok := w.table.MustField(w.field).Get(b[w.base:])
			require.True(t, ok)
			require.Equal(t, want, number(t, columns[seen[w.tshark]]), "segment %d: %s is %s.%s", i, w.tshark, w.table.Name, w.field)
		}
	}
}

// number reads a value as tshark prints it: decimal, 0x hexadecimal, True or False, or octets in hexadecimal.
func number(t *testing.T, text string) uint64 {
	t.Helper()
	switch text {
	case "True":
		return 1
	case "False":
		return 0
	}
	if v, err := strconv.ParseUint(text, 0, 64); err == nil && (text == "0" || text[0] != '0' || strings.HasPrefix(text, "0x")) {
		return v
	}
	v, err := strconv.ParseUint(text, 16, 64)
	require.NoError(t, err, "tshark prints %q", text)
	return v
}

// capture writes a pcap file with one MPA connection on which a client sends the segments.
func capture(t *testing.T, ulpdus [][]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "segments.pcap")
	file, err := os.Create(path)
	require.NoError(t, err)
	defer file.Close()
	w := pcapgo.NewWriter(file)
	require.NoError(t, w.WriteFileHeader(65536, layers.LinkTypeEthernet))

	next := [2]uint32{1000, 2000}
	packets := 0
	send := func(from int, payload []byte) {
		ports := [2]layers.TCPPort{40000, 4791}
		hosts := [2]net.IP{{10, 0, 0, 1}, {10, 0, 0, 2}}
		ip := &layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolTCP, SrcIP: hosts[from], DstIP: hosts[1-from]}
		tcp := &layers.TCP{SrcPort: ports[from], DstPort: ports[1-from], Seq: next[from], Ack: next[1-from], ACK: true, PSH: true, Window: 65535}
		require.NoError(t, tcp.SetNetworkLayerForChecksum(ip))
		next[from] += uint32(len(payload))
		buffer := gopacket.NewSerializeBuffer()
		require.NoError(t, gopacket.SerializeLayers(buffer, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true},
			&layers.Ethernet{SrcMAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}, DstMAC: net.HardwareAddr{2, 0, 0, 0, 0, 2}, EthernetType: layers.EthernetTypeIPv4},
			ip, tcp, gopacket.Payload(payload)))
		packets++
		require.NoError(t, w.WritePacket(gopacket.CaptureInfo{Timestamp: time.Unix(int64(packets), 0),
			CaptureLength: len(buffer.Bytes()), Length: len(buffer.Bytes())}, buffer.Bytes()))
	}
	for from, reply := range []bool{false, true} {
		frame, err := AppendMPAStartup(nil, MPAStartup{Reply: reply, CRC: true, Revision: 1})
		require.NoError(t, err)
		send(from, frame)
	}
	for _, ulpdu := range ulpdus {
		frame, err := AppendFPDU(nil, ulpdu, true)
		require.NoError(t, err, fmt.Sprintf("%x", ulpdu))
		send(0, frame)
	}
	return path
}
