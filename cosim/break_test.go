package cosim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
)

// Each of these faults is written into the Verilog, and the comparison finds it: it can fail.
func TestEveryFaultIsCaught(t *testing.T) {
	c := gen.Config{Top: gen.TopAtomics, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: 16, Streams: 8, WindowWords: 16, RetirePort: true}
	random := engine.Stall{Mode: engine.StallRandom, Chance: 100}
	for _, tt := range []struct {
		fault, file, old, new string
		stall                 engine.Stall
		seen                  string // the stream that shows it, or how the run ends
	}{
		{"wrong carry: a field's carry runs into the next one", "atomic_alu_draft00.v",
			"(req_original & keep) + (req_data & keep)", "req_original + req_data", engine.Stall{}, "retire"},
		{"swapped response fields", "atomic_response_builder_16_8.v",
			"{reply_identifier, reply_original}", "{reply_original, reply_identifier}", engine.Stall{}, "m_axis_tx"},
		{"off-by-one keep: a payload that ends with its beat's last octet goes on", "ddp_parser_16_8.v",
			"s_axis_rx_tkeep[14] : s_axis_rx_tkeep[2]", "s_axis_rx_tkeep[14] : s_axis_rx_tkeep[1]", engine.Stall{}, "m_axis_payload"},
		{"lost back-pressure: payload leaves although its place is taken", "ddp_parser_16_8.v",
			"& (~emit | payload_free)", "", random, "m_axis_payload"},
		{"lost update: the word being written is not forwarded", "atomic_window_16_8_draft00_retire.v",
			"forward ? done_result : stored", "stored", engine.Stall{}, "retire"},
		{"a stream lives on after its error", "atomic_check_16_8_draft00.v",
			"stream_now[32]              ?", "1'b0              ?", engine.Stall{}, "retire"},
		{"a request is swallowed", "atomic_check_16_8_draft00.v",
			"= out_valid_q & out_execute_q;", "= 1'b0;", engine.Stall{}, "retire"},
		{"a response that never leaves", "atomic_response_builder_16_8.v",
			"~valid_q | (m_axis_tx_tready & last)", "(~valid_q | (m_axis_tx_tready & last)) & ~&reply_identifier[6:0]", engine.Stall{}, "stuck"},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			d, err := RNICAtomics(c)
			require.NoError(t, err)
			broken := false
			for i, f := range d.Files {
				if f.Name == tt.file && strings.Contains(f.Text, tt.old) {
					d.Files[i].Text, broken = strings.Replace(f.Text, tt.old, tt.new, 1), true
				}
			}
			require.True(t, broken, "%s has no %q: name the place anew", tt.file, tt.old)
			r, err := RunDesign(c, d, "verilator", Options{Messages: 40000, Seed: 1, Stall: tt.stall})
			if tt.seen == "stuck" {
				require.Nil(t, r.Mismatch)
				var stuck *engine.StuckError
				require.ErrorAs(t, err, &stuck)
				return
			}
			require.NoError(t, err)
			require.NotNil(t, r.Mismatch)
			assert.Contains(t, r.Mismatch.Stream, tt.seen)
			assert.NotEqual(t, r.Mismatch.RTL, r.Mismatch.Model)
			t.Log(r.Mismatch)
		})
	}
}

// Hardware that swallows every request, on so many streams that all batches are out before one of them ends with a flush:
// the run ends with the first request that was not executed, and does not wait for it.
func TestSwallowedRequestsDoNotHang(t *testing.T) {
	c := gen.Config{Top: gen.TopAtomics, Profile: "rdmap", BusBytes: 16, Streams: 4096, WindowWords: 16, RetirePort: true}
	d, err := RNICAtomics(c)
	require.NoError(t, err)
	for i, f := range d.Files {
		if f.Name == "atomic_check_16_4096.v" {
			require.Contains(t, f.Text, "= out_valid_q & out_execute_q;")
			d.Files[i].Text = strings.Replace(f.Text, "= out_valid_q & out_execute_q;", "= 1'b0;", 1)
		}
	}
	r, err := RunDesign(c, d, "verilator", Options{Messages: 200000, Seed: 1})
	require.NoError(t, err)
	require.NotNil(t, r.Mismatch)
	assert.Equal(t, "retire", r.Mismatch.Stream)
	assert.Equal(t, "nothing", r.Mismatch.RTL)
}
