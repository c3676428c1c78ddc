package spec

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTables(t *testing.T) {
	for _, order := range []BitOrder{Drawn, Mirrored} {
		names := map[string]bool{}
		for _, table := range Tables(order) {
			require.NoError(t, table.Check(), order)
			assert.False(t, names[table.Name])
			names[table.Name] = true
		}
		assert.Len(t, names, 11)
	}
	assert.Equal(t, "drawn mirrored bit_order(2)", Drawn.String()+" "+Mirrored.String()+" "+bitOrders.String())
}

// The widths that the field tables of RoF 8.2 and 8.3 state.
func TestWidths(t *testing.T) {
	for h, widths := range map[Header]map[string]int{
		RBTH:         {"version": 4, "ce": 1, "pad": 2, "r": 1, "se": 1, "opcode": 8, "destination_qp": 24, "sn": 32},
		RETH:         {"va": 64, "r_key": 32, "length": 32},
		SETH:         {"rmsn": 32},
		OETH:         {"message_offset": 32},
		STETH:        {"va": 64, "l_key": 32},
		ImmDt:        {"immediate_data": 32},
		AtomicETH:    {"va": 64, "r_key": 32, "swap_add_data": 64, "compare_data": 64},
		AtomicAckETH: {"original_data": 64},
		IETH:         {"r_key": 32},
		XRCETH:       {"xrc_srq": 24},
		DETH:         {"queue_key": 32, "source_qp": 24},
	} {
		for _, order := range []BitOrder{Drawn, Mirrored} {
			for name, width := range widths {
				assert.Equal(t, width, h.Table(order).MustField(name).Width, "%v.%s", h, name)
			}
			for _, f := range h.Table(order).Fields {
				if _, named := widths[f.Name]; !named {
					assert.True(t, f.Reserved, "%v.%s", h, f.Name)
				}
			}
		}
	}
}

// InfiniBand's BTH, DETH and XRCETH, from its figures: octet and bits of each field. The mirrored tables have the same
// fields there.
func TestMirroredIsInfiniBand(t *testing.T) {
	type place struct{ offset, width int }
	for h, places := range map[Header]map[string]place{
		RBTH: {
			"opcode":         {0, 8},  // octet 0
			"se":             {8, 1},  // octet 1, bit 7
			"r":              {9, 1},  // octet 1, bit 6: M
			"pad":            {10, 2}, // octet 1, bits 5:4: PadCnt
			"destination_qp": {40, 24},
			"sn":             {64, 32}, // where BTH has AckReq and PSN
			"ce":             {12, 1},  // where BTH has TVer
			"version":        {28, 4},
		},
		DETH:   {"queue_key": {0, 32}, "reserved": {32, 8}, "source_qp": {40, 24}},
		XRCETH: {"reserved": {0, 8}, "xrc_srq": {8, 24}},
	} {
		for name, p := range places {
			f := h.Table(Mirrored).MustField(name)
			assert.Equal(t, p, place{f.Offset, f.Width}, "%v.%s", h, name)
		}
	}
	for _, h := range []Header{RETH, SETH, OETH, STETH, ImmDt, AtomicETH, AtomicAckETH, IETH} {
		assert.Equal(t, h.Table(Drawn).Fields, h.Table(Mirrored).Fields, "%v has whole words", h)
	}
}

// Mirroring twice changes nothing.
func TestMirror(t *testing.T) {
	for h := range headers {
		again := mirror(h.Table(Mirrored))
		assert.Equal(t, h.Table(Drawn), again)
	}
	_, found := (&wire.Table{}).Field("none")
	assert.False(t, found)
}
