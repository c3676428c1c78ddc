package capture_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
)

type counts = map[string]int

// The contents of the iWARP captures. TestTsharkAgrees compares tshark's counts with the same numbers.
var siwCaptures = []struct {
	file                          string
	packets, streams, fpdus       int
	checked, bad                  int
	segments                      counts
	initiatorFPDUs, responseFPDUs int // of the first stream
}{
	{"siw612_crc_nvmeof", 365, 2, 151, 151, 0, counts{"rdma_write": 67, "read_request": 2, "read_response": 19, "send": 45, "send_inv": 18}, 23, 56},
	{"siw612_crc_rping_S4097", 105, 1, 55, 55, 0, counts{"rdma_write": 15, "read_request": 5, "read_response": 15, "send": 20}, 25, 30},
	{"siw612_crc_rtest_ops", 158, 1, 85, 85, 0, rtestOps, 58, 27},
	{"siw612_crc_term01_wbadkey_64", 14, 1, 3, 3, 0, counts{"rdma_write": 1, "send": 1, "terminate": 1}, 2, 1},
	{"siw612_crc_term05_rbadkey_64", 14, 1, 3, 3, 0, counts{"read_request": 1, "send": 1, "terminate": 1}, 2, 1},
	{"siw612_crc_term20_send_too_long", 14, 1, 3, 3, 0, counts{"send": 2, "terminate": 1}, 2, 1},
	{"siw612_ib_read_bw_100", 66, 2, 42, 0, 0, counts{"read_request": 5, "read_response": 5, "send": 32}, 16, 16},
	{"siw612_ib_write_bw_bidir_2qp", 139, 3, 76, 0, 0, counts{"rdma_write": 40, "send": 36}, 18, 18},
	{"siw612_mpaq02_c0_1", 11, 1, 0, 0, 0, counts{}, 0, 0},
	{"siw612_mpav1_crc_ops", 22, 1, 8, 8, 0, counts{"rdma_write": 4, "send": 3, "send_se": 1}, 8, 0},
	{"siw612_mtu600", 40, 1, 20, 0, 0, counts{"rdma_write": 7, "read_request": 1, "read_response": 6, "send": 6}, 14, 6},
	{"siw612_netem_loss_reorder", 168, 1, 85, 0, 0, rtestOps, 58, 27},
	{"siw612_p2p_read_rtr_crc", 18, 1, 6, 6, 0, counts{"rdma_write": 1, "read_request": 2, "read_response": 2, "send": 1}, 4, 2},
	{"siw612_packed_nagle_crc", 136, 1, 91, 91, 0, counts{"rdma_write": 47, "read_request": 1, "read_response": 1, "send": 42}, 90, 1},
	{"siw612_raw01_badcrc", 12, 1, 2, 2, 1, counts{"rdma_write": 1, "terminate": 1}, 1, 1},
	{"siw612_raw04_atomicreq_opcodeA", 12, 1, 2, 0, 0, counts{"atomic_request": 1, "terminate": 1}, 1, 1},
	{"siw612_raw15_two_fpdus_one_segment", 12, 1, 2, 0, 0, counts{"send": 1, "send_se": 1}, 2, 0},
	{"siw612_rping_S4096", 200, 1, 110, 0, 0, counts{"rdma_write": 30, "read_request": 10, "read_response": 30, "send": 40}, 50, 60},
	{"siw612_rping_S64", 90, 1, 70, 0, 0, counts{"rdma_write": 10, "read_request": 10, "read_response": 10, "send": 40}, 30, 40},
	{"siw612_rping_S77", 90, 1, 70, 0, 0, counts{"rdma_write": 10, "read_request": 10, "read_response": 10, "send": 40}, 30, 40},
	{"siw612_rtest_ops", 174, 1, 85, 0, 0, rtestOps, 58, 27},
}

// rtestOps are the operations sent by one program; loss, retransmission and reordering do not change them.
var rtestOps = counts{"rdma_write": 28, "read_request": 10, "read_response": 27, "send": 16, "send_inv": 1, "send_se": 2, "send_se_inv": 1}

func TestIWARPSummaries(t *testing.T) {
	for _, c := range siwCaptures {
		t.Run(c.file, func(t *testing.T) {
			got, err := capture.Open(filepath.Join("testdata", "siw", c.file+".pcap"))
			require.NoError(t, err)
			assert.Equal(t, capture.Summary{
				Packets: c.packets, TCPStreams: c.streams, FPDUs: c.fpdus, CRCChecked: c.checked, CRCBad: c.bad,
				Segments: c.segments, RoCEOperations: counts{},
			}, got.Summary())
			first := got.Streams[0]
			assert.Len(t, first.ToServer.FPDUs, c.initiatorFPDUs)
			assert.Len(t, first.ToClient.FPDUs, c.responseFPDUs)
			for _, s := range got.Streams {
				assert.True(t, s.IsIWARP())
				assert.Equal(t, "10.8.0.1", s.Client.Addr().String())
				assert.Equal(t, "10.8.0.2", s.Server.Addr().String())
			}
		})
	}
}

var rxeCaptures = []struct {
	file                        string
	packets                     int
	operations                  counts
	atomics, responded, refused int
}{
	{"rxe612_flush_atomicwrite", 25, counts{"rc_acknowledge": 2, "rc_atomic_acknowledge": 1, "rc_atomic_write": 2, "rc_fetch_add": 1, "rc_flush": 4,
		"rc_read_request": 1, "rc_read_response_only": 7, "rc_send_only": 1, "rc_write_only": 1, "ud_send_only": 5}, 1, 1, 0},
	{"rxe612_ib_atomic_bw_CMP_AND_SWAP", 40, counts{"rc_atomic_acknowledge": 20, "rc_cmp_swap": 20}, 20, 20, 0},
	{"rxe612_ib_atomic_bw_FETCH_AND_ADD", 40, counts{"rc_atomic_acknowledge": 20, "rc_fetch_add": 20}, 20, 20, 0},
	{"rxe612_ib_send_bw_UD", 5, counts{"ud_send_only": 5}, 0, 0, 0},
	{"rxe612_nak08_faddkey_1", 9, counts{"rc_acknowledge": 2, "rc_fetch_add": 1, "rc_send_only": 1, "ud_send_only": 5}, 1, 0, 1},
	{"rxe612_rtest_ops", 159, counts{"rc_acknowledge": 31, "rc_atomic_acknowledge": 7, "rc_cmp_swap": 3, "rc_fetch_add": 4,
		"rc_read_request": 11, "rc_read_response_first": 2, "rc_read_response_last": 2, "rc_read_response_middle": 21, "rc_read_response_only": 9,
		"rc_send_first": 2, "rc_send_last": 1, "rc_send_last_imm": 1, "rc_send_middle": 5, "rc_send_only": 12, "rc_send_only_imm": 3, "rc_send_only_inv": 1,
		"rc_write_first": 3, "rc_write_last": 2, "rc_write_last_imm": 1, "rc_write_middle": 23, "rc_write_only": 8, "rc_write_only_imm": 2,
		"ud_send_only": 5}, 7, 7, 0},
}

func TestRoCESummaries(t *testing.T) {
	for _, c := range rxeCaptures {
		t.Run(c.file, func(t *testing.T) {
			got, err := capture.Open(filepath.Join("testdata", "rxe", c.file+".pcap"))
			require.NoError(t, err)
			assert.Equal(t, capture.Summary{
				Packets: c.packets, Segments: counts{}, RoCEPackets: c.packets, RoCEOperations: c.operations,
				Atomics: c.atomics, AtomicsAnswered: c.responded, AtomicsRefused: c.refused,
			}, got.Summary())
		})
	}
}
