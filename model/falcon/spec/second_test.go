package spec

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// secondReading is the table of packet types, the layouts of headers and the receive errors as a second reader typed them from
// the specification.
type secondReading struct {
	PacketTypes []struct {
		Opcode     string   `json:"opcode"`
		Name       string   `json:"name"`
		Source     string   `json:"source"`
		Falcon     string   `json:"falcon"`
		Headers    []string `json:"headers"`
		Octets     int      `json:"octets_of_headers"`
		First      bool     `json:"first"`
		Middle     bool     `json:"middle"`
		Last       bool     `json:"last"`
		Only       bool     `json:"only"`
		Immediate  bool     `json:"immediate"`
		Invalidate bool     `json:"invalidate"`
		Modes      []string `json:"modes"`
		Service    string   `json:"service"`
		Carries    bool     `json:"carries_payload"`
	} `json:"packet_types"`
	Reserved []struct {
		From string `json:"from"`
		To   string `json:"to"`
	} `json:"reserved_opcodes"`
	Headers map[string]map[string][]struct {
		Field string `json:"field"`
		First int    `json:"first_bit"`
		Width int    `json:"width"`
	} `json:"headers"`
	Errors []secondError `json:"errors"`
}

func readSecond(t *testing.T) (s secondReading) {
	t.Helper()
	text, err := os.ReadFile("testdata/second.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &s))
	return s
}

func hexadecimal(t *testing.T, text string) Opcode {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 8)
	require.NoError(t, err)
	return Opcode(n)
}

// TestSecondPacketTypes: both readers have the same packet types, and the same opcodes are reserved.
func TestSecondPacketTypes(t *testing.T) {
	s := readSecond(t)
	assert.Len(t, s.PacketTypes, len(Operations))
	for _, theirs := range s.PacketTypes {
		opcode := hexadecimal(t, theirs.Opcode)
		row, known := opcode.Operation()
		require.True(t, known, theirs.Opcode)
		name := theirs.Opcode + " " + theirs.Name
		assert.Equal(t, strings.ToLower(strings.TrimPrefix(theirs.Name, theirs.Service+" ")), strings.ToLower(row.Title), name)
		assert.Equal(t, theirs.Service, opcode.Service().String(), name)
		assert.Equal(t, map[string]Source{"initiator": Initiator, "target": Target}[theirs.Source], row.Source, name)
		assert.Equal(t, strings.ReplaceAll(theirs.Falcon, " ", "_"), row.Packet.String(), name)
		var headers []string
		for _, h := range theirs.Headers {
			headers = append(headers, squashed(h))
		}
		var ours []string
		for _, h := range row.Headers {
			ours = append(ours, squashed(h.String()))
		}
		assert.Equal(t, headers, ours, name)
		assert.Equal(t, theirs.Octets, row.HeaderOctets(), name)
		if theirs.First || theirs.Middle || theirs.Last || theirs.Only { // of packet types that are named so
			assert.Equal(t, [4]bool{theirs.First, theirs.Middle, theirs.Last, theirs.Only},
				[4]bool{row.Position == First, row.Position == Middle, row.Position == Last, row.Position == Only}, name)
		} else {
			assert.Equal(t, Only, row.Position, name)
		}
		assert.Equal(t, theirs.Immediate, row.Suffix == Immediate, name)
		assert.Equal(t, theirs.Invalidate, row.Suffix == Invalidate, name)
		for mode, ordering := range map[string]Ordering{"strong": Strong, "weak": Weak, "unordered": Unordered} {
			assert.Equal(t, slices.Contains(theirs.Modes, mode), row.Orderings.Has(ordering), "%s, %s", name, mode)
		}
		assert.Equal(t, theirs.Carries, row.Carries(), name)
	}
	reserved := 0
	for _, r := range s.Reserved {
		for o := int(hexadecimal(t, r.From)); o <= int(hexadecimal(t, r.To)); o++ {
			_, known := Opcode(o).Operation()
			assert.False(t, known, "0x%02x", o)
			reserved++
		}
	}
	assert.Equal(t, 256-len(Operations), reserved)
}

// squashed is the name of a header in lower case, without underscores.
func squashed(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// TestSecondHeaders: both readers have the same layouts in both bit orders.
func TestSecondHeaders(t *testing.T) {
	s := readSecond(t)
	assert.Len(t, s.Headers, len(Tables(Drawn)))
	names := map[string]string{"sequence_number": "sn", "swap_or_add": "swap_add_data", "compare": "compare_data",
		"reserved_0": "reserved_low", "reserved_1": "reserved_high"}
	for _, order := range []BitOrder{Drawn, Mirrored} {
		for _, table := range Tables(order) {
			var found bool
			for header, layouts := range s.Headers {
				if squashed(header) != squashed(table.Name) {
					continue
				}
				found = true
				theirs := layouts[order.String()]
				require.Len(t, theirs, len(table.Fields), "%s, %s", table.Name, order)
				for i, f := range table.Fields {
					name := theirs[i].Field
					if renamed, is := names[name]; is {
						name = renamed
					}
					assert.Equal(t, []any{name, theirs[i].First, theirs[i].Width}, []any{f.Name, f.Offset, f.Width}, "%s, %s", table.Name, order)
				}
			}
			assert.True(t, found, table.Name)
		}
	}
}
