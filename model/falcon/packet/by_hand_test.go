package packet

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// byHand is a packet that a second reader of the specification computed by hand, field by field, without this package.
type byHand struct {
	Name        string            `json:"name"`
	Order       string            `json:"bit_order"`
	Type        string            `json:"packet_type"`
	ReceiveOnly bool              `json:"receive_only"` // has bits that no sender sets
	Fields      map[string]string `json:"fields"`       // header.field, in hexadecimal
	Payload     string            `json:"payload"`
	Octets      string            `json:"octets"`
	Why         string            `json:"why"`
}

// byHandNames are the other names of fields; "" is reserved.
var byHandNames = map[string]string{
	"rbth.sequence_number": "rbth.sn", "atomic_eth.swap_or_add": "atomic_eth.swap_add_data", "atomic_eth.compare": "atomic_eth.compare_data",
	"rbth.r": "", "rbth.reserved_0": "", "rbth.reserved_1": "", "deth.reserved": "", "xrceth.reserved": "",
}

// TestByHand: every packet of the second reader is decoded into its fields, and encoded from them into its octets.
func TestByHand(t *testing.T) {
	text, err := os.ReadFile("testdata/by_hand.json")
	require.NoError(t, err)
	var list []byHand
	require.NoError(t, json.Unmarshal(text, &list))
	types := map[spec.BitOrder]map[spec.Opcode]bool{spec.Drawn: {}, spec.Mirrored: {}}
	for _, one := range list {
		t.Run(one.Name, func(t *testing.T) {
			order := map[string]spec.BitOrder{"drawn": spec.Drawn, "mirrored": spec.Mirrored}[one.Order]
			octets, err := hex.DecodeString(one.Octets)
			require.NoError(t, err)
			var p Packet
			require.Equal(t, spec.None, p.Decode(octets, order), one.Why)
			row, known := p.Opcode.Operation()
			require.True(t, known)
			types[order][p.Opcode] = true
			title := strings.TrimPrefix(strings.TrimPrefix(one.Type, "XRC "), "UD ")
			assert.Equal(t, strings.ToLower(title), strings.ToLower(row.Title))
			assert.Equal(t, one.Payload, hex.EncodeToString(p.Payload))
			given := fieldsByHand(t, one)
			for _, h := range row.Headers {
				p.fields(h, func(name string, m member) {
					field := h.String() + "." + name
					require.Contains(t, given, field)
					assert.Equal(t, given[field], m.get(), "%s: %s", field, one.Why)
					delete(given, field)
				})
			}
			assert.Empty(t, given, "fields of headers that the packet does not have")
			if !one.ReceiveOnly {
				assert.Equal(t, one.Octets, hex.EncodeToString(p.Encode(nil, order)), one.Why)
			}
		})
	}
	for order, seen := range types {
		for _, row := range spec.Operations {
			if row.Opcode.Service() != spec.XRC {
				assert.True(t, seen[row.Opcode], "%s: no packet of %s", order, row.Opcode)
			}
		}
	}
}

// fieldsByHand returns the fields by the names of the tables, without reserved ones.
func fieldsByHand(t *testing.T, one byHand) map[string]uint64 {
	t.Helper()
	fields := map[string]uint64{}
	for name, text := range one.Fields {
		value, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
		require.NoError(t, err)
		if renamed, is := byHandNames[name]; is {
			name = renamed
		}
		if name != "" {
			fields[name] = value
		}
	}
	return fields
}
