package bench

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// TestImages writes one group down as the bench reads it.
func TestImages(t *testing.T) {
	s := &suite.Suite{
		NumberOfTests: 1,
		Config:        suite.Config{Config: gen.Config{BusBytes: 8, Streams: 4, WindowWords: 16, RetirePort: true}},
		Groups: []suite.Group{{
			Streams: []suite.Stream{{Stream: 3, MSN: 9}},
			Regions: []suite.Region{{STag: 0xABCD, Base: 0x1000, Words: 16, Memory: []suite.Word{{Index: 5, Data: 0x77}}}},
			Tests: []suite.Test{{
				TcID: 42,
				Input: []suite.Input{
					{Port: suite.PortRx, Stream: 3, Hex: []byte{0xC1, 0x40}},
					{Port: suite.PortHost, Hex: []byte{1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 8}},
					{Port: suite.PortSetup, Stream: 3, Hex: []byte{0, 0, 1, 0}},
					{Port: suite.PortRx, Stream: 3},
				},
				Expect: []suite.Expect{
					{Input: 0, Port: suite.PortTx, Stream: 3, Hex: []byte{1, 2, 3}},
					{Input: 0, Port: suite.PortRetire, Stream: 3, Retire: &suite.Retire{Opcode: 2, Index: 5, Original: 0x77, Result: 0x78}},
					{Input: 1, Port: suite.PortAnswer, Hex: []byte{0, 0, 0, 0, 0, 0, 0, 0x78}},
					{Input: 3, Port: suite.PortRecord, Stream: 3, Record: &suite.Record{Code: 1, TermLayer: 1, TermCode: 4, SegmentLength: 2, PayloadLength: 1, Header: []byte{0xC1, 0x40}}},
					{Input: 3, Port: suite.PortPayload, Stream: 3, Hex: []byte{9}},
				},
				Memory: []suite.MemoryWord{{Word: suite.Word{Index: 5, Data: 8}}},
			}},
		}},
	}
	list, err := Files(s)
	require.NoError(t, err)
	is := map[string]string{}
	for _, f := range list {
		is[strings.TrimPrefix(f.Name, "bench/")] = string(f.Data)
	}
	script := `01_0000_0000abcd_0000000000001000
02_0003_00000009_0000000000000000
05_0003_00000000_0000000000000000
03_0001_00000005_0000000000000077
07_0003_00000001_0000000000000000
08_0000_00000000_0000000000000000
04_0000_0000002a_0000000000000000
05_0000_00000000_0000000000000000
05_0001_00000000_0000000000000000
05_0002_00000000_0000000000000000
05_0003_00000001_0000000000000000
05_0004_00000000_0000000000000000
06_0003_00000002_0000000000000000
` + settle(1, 0, 0, 1, 1) + `03_0001_00000005_0000000000000008
` + settle(1, 0, 0, 2, 1) + `02_0003_00000100_0000000000000000
` + settle(1, 0, 0, 2, 1) + `06_0003_00000000_0000000000000002
` + settle(1, 1, 1, 2, 1) + `03_0000_00000005_fffffffffffffff7
` + settle(1, 1, 1, 3, 1) + `0a_0000_00000001_0000000000000000
ffffffffffffffffffffffffffffff
`
	assert.Equal(t, script, is["script.hex"])
	assert.Equal(t, "c1\n40\nff\n", is["rx_octets.hex"])
	assert.Equal(t, "0000002a_0003_00000003_00000000\nffffffffffffffffffffffffffff\n", is["tx_packets.hex"])
	assert.Equal(t, "01\n02\n03\nff\n", is["tx_octets.hex"])
	assert.Equal(t, "0000002a_0003_00000001_00000000\nffffffffffffffffffffffffffff\n", is["payload_packets.hex"])
	assert.Equal(t, "09\nff\n", is["payload_octets.hex"])
	assert.Equal(t, "0000002a_0003_1_1_0_04_0002_0001_"+strings.Repeat("00", 68)+"40c1\n"+strings.Repeat("f", 165)+"\n", is["records.hex"])
	assert.Equal(t, "00000000_0_0000000000000000\n0000002a_1_0000000000000078\n0000002a_1_0000000000000008\n"+strings.Repeat("f", 25)+"\n", is["answers.hex"])
	assert.Equal(t, "0000002a_0003_2_00000005_0000000000000077_0000000000000078\n"+strings.Repeat("f", 53)+"\n", is["retired.hex"])

	for _, want := range []string{
		"localparam BUS_BYTES   = 8;", "localparam STREAM_BITS = 2;", "localparam INDEX_BITS  = 4;", "localparam TESTS          = 1;",
		"localparam LINES          = 48;", "localparam RX_OCTETS      = 2;", "localparam TX_OCTETS      = 3;", "localparam ANSWERS        = 3;",
	} {
		assert.Contains(t, is["rnic_atomics_tb.v"], want)
	}
}

// settle is the wait for so many outcomes of tx, record, payload, answer and retire, and then silence.
func settle(next ...int) string {
	text := ""
	for port, n := range next {
		text += "07_000" + string(rune('0'+port)) + "_0000000" + string(rune('0'+n)) + "_0000000000000000\n"
	}
	return text + "08_0000_00000000_0000000000000000\n"
}

func TestNoInput(t *testing.T) {
	for _, in := range []suite.Input{
		{Port: suite.PortSetup, Hex: []byte{1}},
		{Port: suite.PortHost, Hex: []byte{1, 2, 3}},
	} {
		s := &suite.Suite{Groups: []suite.Group{{Regions: []suite.Region{{}}, Tests: []suite.Test{{TcID: 5, Input: []suite.Input{in}}}}}}
		_, err := Files(s)
		assert.ErrorContains(t, err, "tcId 5: input 0: hex is 01")
	}
}

func TestBits(t *testing.T) {
	for n, want := range map[int]int{2: 1, 4: 2, 64: 6, 16384: 14, 1 << 20: 20} {
		assert.Equal(t, want, bitsFor(n))
	}
}

// TestFormats: every command that the bench knows is in the description for benches of somebody else, under its name.
func TestFormats(t *testing.T) {
	commands := regexp.MustCompile(`(?m)^ *localparam \[7:0\] ([A-Z]+) *= 8'h([0-9a-f]{2});`).FindAllStringSubmatch(rnicText, -1)
	require.Len(t, commands, rnicFree)
	for i, c := range commands {
		assert.Equal(t, fmt.Sprintf("%02x", i+1), c[2])
		assert.Contains(t, string(formatsText), "\n| "+c[2]+" "+strings.ToLower(c[1])+" |")
	}
}
