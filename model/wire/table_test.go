package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTablesAreConsistent(t *testing.T) {
	names := map[string]bool{}
	for _, table := range Tables() {
		require.NoError(t, table.Check())
		assert.False(t, names[table.Name], "table name %s is used twice", table.Name)
		names[table.Name] = true
		assert.NotEmpty(t, table.Title)
		assert.NotEmpty(t, table.Section)
		for _, f := range table.Fields {
			assert.Regexp(t, `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`, f.Name)
			assert.NotEmpty(t, f.Doc)
		}
	}
}

// The layouts of the figures: first octet, bit in it, and width of every field.
func TestLayoutsAreTheFigures(t *testing.T) {
	lengths := map[*Table]int{
		DDPTaggedTable: 14, DDPUntaggedTable: 18, ReadRequestTable: 28, AtomicRequestTable: 52,
		AtomicResponseTable: 12, ImmediateTable: 8, TerminateTable: 4, TerminatedLengthTable: 2,
	}
	for table, octets := range lengths {
		assert.Equal(t, octets, table.Octets, table.Name)
	}
	for _, tt := range []struct {
		table        *Table
		field        string
		octet, width int
	}{
		{DDPTaggedTable, "stag", 2, 32},
		{DDPTaggedTable, "to", 6, 64},
		{DDPUntaggedTable, "invalidate_stag", 2, 32},
		{DDPUntaggedTable, "queue_number", 6, 32},
		{DDPUntaggedTable, "msn", 10, 32},
		{DDPUntaggedTable, "mo", 14, 32},
		{ReadRequestTable, "data_sink_stag", 0, 32},
		{ReadRequestTable, "data_sink_to", 4, 64},
		{ReadRequestTable, "read_message_size", 12, 32},
		{ReadRequestTable, "data_source_stag", 16, 32},
		{ReadRequestTable, "data_source_to", 20, 64},
		{AtomicRequestTable, "aopcode", 3, 4},
		{AtomicRequestTable, "request_identifier", 4, 32},
		{AtomicRequestTable, "remote_stag", 8, 32},
		{AtomicRequestTable, "remote_to", 12, 64},
		{AtomicRequestTable, "add_or_swap_data", 20, 64},
		{AtomicRequestTable, "add_or_swap_mask", 28, 64},
		{AtomicRequestTable, "compare_data", 36, 64},
		{AtomicRequestTable, "compare_mask", 44, 64},
		{AtomicResponseTable, "original_request_identifier", 0, 32},
		{AtomicResponseTable, "original_remote_data_value", 4, 64},
		{ImmediateTable, "immediate_data", 0, 64},
		{TerminateTable, "error_code", 1, 8},
	} {
		f, ok := tt.table.Field(tt.field)
		require.True(t, ok, "%s.%s", tt.table.Name, tt.field)
		assert.Equal(t, tt.octet, f.Octet(), "%s.%s", tt.table.Name, tt.field)
		assert.Equal(t, tt.width, f.Width, "%s.%s", tt.table.Name, tt.field)
	}
}

// The fields within an octet, with the octet that has all of their bits set.
func TestControlBits(t *testing.T) {
	for _, tt := range []struct {
		table *Table
		field string
		octet int
		mask  byte
	}{
		{DDPUntaggedTable, "t", 0, 0x80}, {DDPUntaggedTable, "l", 0, 0x40},
		{DDPUntaggedTable, "ddp_reserved", 0, 0x3C}, {DDPUntaggedTable, "dv", 0, 0x03},
		{DDPUntaggedTable, "rv", 1, 0xC0}, {DDPUntaggedTable, "rdmap_reserved", 1, 0x30},
		{DDPUntaggedTable, "opcode", 1, 0x0F},
		{DDPTaggedTable, "t", 0, 0x80}, {DDPTaggedTable, "opcode", 1, 0x0F},
		{AtomicRequestTable, "aopcode", 3, 0x0F},
		{TerminateTable, "layer", 0, 0xF0}, {TerminateTable, "etype", 0, 0x0F},
		{TerminateTable, "hdrct_m", 2, 0x80}, {TerminateTable, "hdrct_d", 2, 0x40}, {TerminateTable, "hdrct_r", 2, 0x20},
	} {
		f := tt.table.MustField(tt.field)
		want := make([]byte, tt.table.Octets)
		want[tt.octet] = tt.mask
		got := make([]byte, tt.table.Octets)
		require.True(t, f.Set(got, f.Max()))
		assert.Equal(t, want, got, "%s.%s", tt.table.Name, tt.field)
	}
}

func TestCheckFindsMistakes(t *testing.T) {
	for _, tt := range []struct {
		what   string
		fields []Field
		text   string
	}{
		{"a gap", []Field{{Name: "a", Width: 3}, {Name: "b", Offset: 4, Width: 12}}, "wire: table x: bits 3..3 before field b are in no field; allowed: no gap"},
		{"an overlap", []Field{{Name: "a", Width: 9}, {Name: "b", Offset: 8, Width: 8}}, "wire: table x: field b starts at bit 8; allowed: 9, the end of the previous field"},
		{"a name twice", []Field{{Name: "a", Width: 8}, {Name: "a", Offset: 8, Width: 8}}, `wire: table x: field name is "a"; allowed: a unique, nonempty name`},
		{"no name", []Field{{Width: 16}}, `wire: table x: field name is ""; allowed: a unique, nonempty name`},
		{"a wide field", []Field{{Name: "a", Width: 65}}, "wire: table x: field a is 65 bits wide; allowed: 1..64"},
		{"a field without bits", []Field{{Name: "a"}}, "wire: table x: field a is 0 bits wide; allowed: 1..64"},
		{"a short header", []Field{{Name: "a", Width: 15}}, "wire: table x: fields end at bit 15; allowed: the end of the header, 2 octets"},
	} {
		x := &Table{Name: "x", Octets: 2, Fields: tt.fields}
		assert.EqualError(t, x.Check(), tt.text, tt.what)
	}
}

func TestFieldLookup(t *testing.T) {
	_, ok := ImmediateTable.Field("msn")
	assert.False(t, ok)
	assert.PanicsWithValue(t, `wire: table immediate has no field "msn"`, func() { ImmediateTable.MustField("msn") })
}

func TestGetAndSetStayInside(t *testing.T) {
	f := Field{Name: "f", Offset: 12, Width: 8}
	short := []byte{0xAB}
	_, ok := f.Get(short)
	assert.False(t, ok, "the field ends after the header")
	assert.False(t, f.Set(short, 1))
	assert.Equal(t, []byte{0xAB}, short)

	b := []byte{0xAB, 0xCD, 0xEF}
	v, ok := f.Get(b)
	assert.True(t, ok)
	assert.Equal(t, uint64(0xDE), v)
	assert.False(t, f.Set(b, 0x100), "the value needs nine bits")
	assert.True(t, f.Set(b, 0x12))
	assert.Equal(t, []byte{0xAB, 0xC1, 0x2F}, b)

	for _, broken := range []Field{{Offset: -1, Width: 8}, {Offset: 0, Width: 0}, {Offset: 0, Width: 65}} {
		_, ok := broken.Get(make([]byte, 100))
		assert.False(t, ok, "%+v", broken)
		assert.False(t, broken.Set(make([]byte, 100), 0), "%+v", broken)
	}
}

// Get and Set agree with reading and writing one bit after the other, at any position and width.
func TestGetAndSetBitByBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 1, 24).Draw(t, "header")
		width := rapid.IntRange(1, min(64, 8*len(b))).Draw(t, "width")
		offset := rapid.IntRange(0, 8*len(b)-width).Draw(t, "offset")
		f := Field{Name: "f", Offset: offset, Width: width}

		var want uint64
		for i := offset; i < offset+width; i++ {
			want = want<<1 | uint64(b[i/8]>>(7-i%8)&1)
		}
		got, ok := f.Get(b)
		require.True(t, ok)
		require.Equal(t, want, got)

		v := rapid.Uint64().Draw(t, "value") & f.Max()
		expect := append([]byte(nil), b...)
		for i := range width {
			bit, at := byte(v>>(width-1-i)&1), offset+i
			expect[at/8] = expect[at/8]&^(0x80>>(at%8)) | bit<<(7-at%8)
		}
		require.True(t, f.Set(b, v))
		require.Equal(t, expect, b)
	})
}
