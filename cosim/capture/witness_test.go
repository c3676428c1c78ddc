package capture_test

import (
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Compares each capture field by field and FPDU by FPDU: tshark and the wire tables agree.
func TestTsharkAgrees(t *testing.T) {
	files, err := filepath.Glob("testdata/siw/*.pcap")
	require.NoError(t, err)
	require.Len(t, files, 21)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			c, err := capture.Open(file)
			require.NoError(t, err)
			w := tshark(t, file)
			compare(t, c, w)
			checkCounts(t, c.Summary(), w)
		})
	}
}

func compare(t *testing.T, c *capture.Capture, w witness) {
	t.Helper()
	require.Len(t, w.streams, len(c.Streams), "TCP streams")
	for i, s := range c.Streams {
		theirs := w.streams[i]
		name := fmt.Sprintf("stream %d", i)
		assert.Empty(t, differences(expectStartup(s.Request), theirs.startup[0]), "%s: request", name)
		assert.Empty(t, differences(expectStartup(s.Reply), theirs.startup[1]), "%s: reply", name)
		for side, d := range []capture.Direction{s.ToServer, s.ToClient} {
			require.Len(t, theirs.fpdus[side], len(d.FPDUs), "%s, direction %d: FPDUs", name, side)
			for k, f := range d.FPDUs {
				assert.Empty(t, differences(expectFPDU(f, s.CRC), theirs.fpdus[side][k]), "%s, direction %d, FPDU %d: %x", name, side, k, f.ULPDU[:min(72, len(f.ULPDU))])
			}
		}
	}
}

// checkCounts compares the counts of tshark's dissection with those of the summary.
func checkCounts(t *testing.T, s capture.Summary, w witness) {
	t.Helper()
	assert.Equal(t, len(w.streams), s.TCPStreams)
	fpdus, checked, bad := 0, 0, 0
	segments := map[string]int{}
	for _, stream := range w.streams {
		for _, f := range append(stream.fpdus[0], stream.fpdus[1]...) {
			fpdus++
			if verdict := f["iwarp_mpa.crc_check"]; verdict != "" {
				checked++
				if verdict != "good" {
					bad++
				}
			}
			opcode, err := strconv.ParseUint(f["iwarp_rdma.opcode"], 16, 8)
			require.NoError(t, err)
			segments[tsharkNames[opcode]]++
		}
	}
	assert.Equal(t, []int{fpdus, checked, bad}, []int{s.FPDUs, s.CRCChecked, s.CRCBad}, "FPDUs, with CRC, with a bad CRC")
	assert.Equal(t, segments, s.Segments)
}

// tsharkNames are the summary's names by the opcodes of RFC 5040 and RFC 7306.
var tsharkNames = []string{"rdma_write", "read_request", "read_response", "send", "send_inv", "send_se", "send_se_inv",
	"terminate", "immediate", "immediate_se", "atomic_request", "atomic_response"}

// notCompared are the fields of tshark that have no counterpart, with the reason.
var notCompared = map[string]string{
	"iwarp_mpa.crc": "shown when CRC is not in use; the field has no meaning then",
	"iwarp_mpa.pad": "ignored on receive; siw sends stale buffer contents when CRC is not in use",

	"iwarp_mpa.marker_res":     "ignored on receive",
	"iwarp_mpa.marker_fpduptr": "removed by the reader; TestWrittenMarkersAreReadByTshark checks it",
}

// differences lists the fields that differ, in a fixed order.
func differences(ours expected, theirs map[string]string) []string {
	var list []string
	for name, value := range ours {
		if theirs[name] != value {
			list = append(list, fmt.Sprintf("%s: ours %s, tshark's %q", name, value, theirs[name]))
		}
	}
	for name, value := range theirs {
		if _, ok := ours[name]; !ok && notCompared[name] == "" {
			list = append(list, fmt.Sprintf("%s: tshark's %s, not in ours", name, value))
		}
	}
	slices.Sort(list)
	return list
}

func expectStartup(f *wire.MPAStartup) expected {
	if f == nil {
		return nil
	}
	octets, err := wire.AppendMPAStartup(nil, *f)
	if err != nil {
		return expected{"error": err.Error()}
	}
	key := "iwarp_mpa.key.req"
	if f.Reply {
		key = "iwarp_mpa.key.rep"
	}
	e := expected{key: digits(hex.EncodeToString(octets[:16]))}
	e.table(wire.MPAStartupTable, octets, map[string]string{
		"m": "iwarp_mpa.marker_flag", "c": "iwarp_mpa.crc_flag", "r": "iwarp_mpa.rej_flag",
		"rev": "iwarp_mpa.rev", "pd_length": "iwarp_mpa.pdlength",
	})
	e["iwarp_mpa.res"] = strconv.FormatUint(uint64(octets[16]&0x1F), 16) // tshark does not dissect the S flag: 5 reserved bits
	if len(octets) > 20 {
		e["iwarp_mpa.privatedata"] = digits(hex.EncodeToString(octets[20:]))
	}
	return e
}

type expected map[string]string

// table adds the fields of one header under tshark's names.
func (e expected) table(t *wire.Table, b []byte, names map[string]string) {
	for _, f := range t.Fields {
		if name, ok := names[f.Name]; ok {
			v, _ := f.Get(b)
			e[name] = strconv.FormatUint(v, 16)
		}
	}
}

func (e expected) octets(name string, b []byte) { e[name] = digits(hex.EncodeToString(b)) }

var controlNames = map[string]string{
	"t": "iwarp_ddp.tagged_flag", "l": "iwarp_ddp.last_flag", "ddp_reserved": "iwarp_ddp.rsvd", "dv": "iwarp_ddp.dv",
	"rv": "iwarp_rdma.version", "rdmap_reserved": "iwarp_rdma.rsv", "opcode": "iwarp_rdma.opcode",
	"stag": "iwarp_ddp.stag", "to": "iwarp_ddp.tagged_offset",
	"queue_number": "iwarp_ddp.qn", "msn": "iwarp_ddp.msn", "mo": "iwarp_ddp.mo",
}

// expectFPDU returns the expected dissection of an FPDU, according to the wire tables.
func expectFPDU(f capture.FPDU, crc bool) expected {
	b := f.ULPDU
	e := expected{"iwarp_mpa.ulpdulength": strconv.FormatInt(int64(len(b)), 16)}
	if crc {
		e["iwarp_mpa.crc_check"] = map[bool]string{true: "good", false: "bad"}[f.CRCOK]
	}
	if len(b) < wire.DDPTaggedTable.Octets {
		return e
	}
	if b[0]&0x80 != 0 {
		e.table(wire.DDPTaggedTable, b, controlNames)
		return e
	}
	e.table(wire.DDPUntaggedTable, b, controlNames)
	e.octets("iwarp_ddp.rsvdulp", b[1:6])
	rest := b[wire.DDPUntaggedTable.Octets:]
	opcode := wire.Opcode(b[1] & 0xF)
	switch opcode {
	case wire.OpSendInv, wire.OpSendSEInv:
		e.octets("iwarp_rdma.inval_stag", b[2:6])
	case wire.OpImmediate, wire.OpImmediateSE: // tshark 4.0 calls them unknown
	case wire.OpAtomicRequest, wire.OpAtomicResponse: // no ULP word shown
	default:
		e.octets("iwarp_rdma.reserved", b[2:6])
	}
	switch opcode {
	case wire.OpReadRequest:
		e.table(wire.ReadRequestTable, rest, map[string]string{
			"data_sink_stag": "iwarp_rdma.sinkstag", "data_sink_to": "iwarp_rdma.sinkto", "read_message_size": "iwarp_rdma.rdmardsz",
			"data_source_stag": "iwarp_rdma.srcstag", "data_source_to": "iwarp_rdma.srcto",
		})
	case wire.OpTerminate:
		e.terminate(rest)
	case wire.OpAtomicRequest:
		e.atomicRequest(rest)
	case wire.OpAtomicResponse:
		e.table(wire.AtomicResponseTable, rest, map[string]string{
			"original_request_identifier": "iwarp_rdma.atomic.original_request_identifier",
			"original_remote_data_value":  "iwarp_rdma.atomic.original_remote_data_value",
		})
	}
	return e
}

// atomicRequest adds the fields of an Atomic Request. tshark also shows the compare fields of a FetchAdd, which a receiver ignores.
func (e expected) atomicRequest(b []byte) {
	names := map[string]string{
		"reserved": "iwarp_rdma.atomic.reserved", "aopcode": "iwarp_rdma.atomic.opcode",
		"request_identifier": "iwarp_rdma.atomic.request_identifier",
		"remote_stag":        "iwarp_rdma.atomic.remote_stag", "remote_to": "iwarp_rdma.atomic.remote_tagged_offset",
		"add_or_swap_data": "iwarp_rdma.atomic.add_data", "add_or_swap_mask": "iwarp_rdma.atomic.add_mask",
		"compare_data": "iwarp_rdma.atomic.compare_data", "compare_mask": "iwarp_rdma.atomic.compare_mask",
	}
	if wire.AOpCode(b[3]&0xF) == wire.CmpSwap {
		names["add_or_swap_data"], names["add_or_swap_mask"] = "iwarp_rdma.atomic.swap_data", "iwarp_rdma.atomic.swap_mask"
	}
	e.table(wire.AtomicRequestTable, b, names)
}

// terminate adds the fields of a Terminate. tshark names error type and code by the layer.
func (e expected) terminate(b []byte) {
	layer, etype := b[0]>>4, b[0]&0xF
	names := map[string]string{
		"layer": "iwarp_rdma.term_layer", "hdrct_m": "iwarp_rdma.term_hdrct_m", "hdrct_d": "iwarp_rdma.hdrct_d",
		"hdrct_r": "iwarp_rdma.hdrct_r", "reserved": "iwarp_rdma.term_rsvd",
		"etype":      map[byte]string{0: "iwarp_rdma.term_etype_rdma", 1: "iwarp_rdma.term_etype_ddp", 2: "iwarp_rdma.term_etype_llp"}[layer],
		"error_code": "iwarp_rdma.term_errcode",
	}
	switch {
	case layer == 0 && etype != 0:
		names["error_code"] = "iwarp_rdma.term_errcode_rdma"
	case layer == 1 && etype == 1:
		names["error_code"] = "iwarp_rdma.term_errcode_ddp_tagged"
	case layer == 1 && etype == 2:
		names["error_code"] = "iwarp_rdma.term_errcode_ddp_untagged"
	case layer == 2 && etype == 0:
		names["error_code"] = "iwarp_rdma.term_errcode_llp"
	}
	e.table(wire.TerminateTable, b, names)
	// tshark derives the header length from the error type, not from the terminated header's T bit: 18 octets for an untagged
	// buffer error of DDP, otherwise 14. It shows the last 4 octets of other untagged headers as RDMAP's.
	header := wire.DDPTaggedTable.Octets
	if layer == 1 && etype == 2 {
		header = wire.DDPUntaggedTable.Octets
	}
	rest := b[wire.TerminateTable.Octets:]
	for _, part := range []struct {
		bit    byte
		name   string
		octets int
	}{
		{0x40, "iwarp_rdma.term_ddp_seg_len", wire.TerminatedLengthTable.Octets}, // D announces both, M none (I-31)
		{0x40, "iwarp_rdma.term_ddp_h", header},
		{0x20, "iwarp_rdma.term_rdma_h", wire.ReadRequestTable.Octets},
	} {
		if b[2]&part.bit != 0 {
			e.octets(part.name, rest[:part.octets])
			rest = rest[part.octets:]
		}
	}
}
