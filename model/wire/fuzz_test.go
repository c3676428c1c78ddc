package wire

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// FuzzClassify: for any octets, Diagnose agrees with Classify; a segment with a DDP header is unchanged by decode and
// encode; a valid segment decodes.
func FuzzClassify(f *testing.F) {
	for _, s := range segments {
		f.Add(octets(f, s.hex))
	}
	for _, s := range []string{"", "80", "41", "C1 40 00000000 00000000000000", "41 4C 00000000 00000000 00000001 00000000"} {
		f.Add(octets(f, s))
	}
	f.Fuzz(func(t *testing.T, segment []byte) {
		s, kind := Classify(segment)
		require.LessOrEqual(t, kind, spec.WrongLength, "the other kinds need the responder's state")
		require.Equal(t, kind != spec.None, Diagnose(segment) != nil)
		if kind == spec.ShortHeader {
			return
		}
		require.Equal(t, segment, AppendSegment(nil, s.Header, s.Payload))
		if kind != spec.None {
			return
		}
		switch s.Header.Opcode {
		case OpReadRequest:
			var r ReadRequest
			require.NoError(t, r.Decode(s.Payload))
			require.Equal(t, s.Payload, r.AppendEncode(nil))
		case OpAtomicRequest:
			var r AtomicRequest
			require.NoError(t, r.Decode(s.Payload))
			require.Equal(t, s.Payload, r.AppendEncode(nil))
		case OpAtomicResponse:
			var r AtomicResponse
			require.NoError(t, r.Decode(s.Payload))
			require.Equal(t, s.Payload, r.AppendEncode(nil))
		case OpImmediate, OpImmediateSE:
			var d Immediate
			require.NoError(t, d.Decode(s.Payload))
			require.Equal(t, s.Payload, d.AppendEncode(nil))
		}
	})
}

// FuzzTerminate: a decoded Terminate encodes to the same octets, except for the meaningless rest.
func FuzzTerminate(f *testing.F) {
	for _, tt := range terminates {
		f.Add(octets(f, tt.hex))
		f.Add(append(octets(f, tt.hex), 1, 2, 3))
	}
	f.Add([]byte{0, 0, 0xE0})
	f.Fuzz(func(t *testing.T, payload []byte) {
		var header Terminate
		rest, err := header.Decode(payload)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.True(t, bytes.HasSuffix(payload, rest))
		require.Equal(t, payload[:len(payload)-len(rest)], header.AppendEncode(nil))
	})
}

// FuzzField: for any position, width, value and header, Get and Set report failure and never panic.
func FuzzField(f *testing.F) {
	f.Add(3, 13, uint64(0x1234), []byte{1, 2, 3})
	f.Add(-1, 8, uint64(0), []byte{})
	f.Add(1<<62, 1<<62, uint64(1), []byte{0xFF})
	f.Add(math.MaxInt, 64, uint64(1), []byte{0xFF})
	f.Fuzz(func(t *testing.T, offset, width int, value uint64, header []byte) {
		field := Field{Name: "f", Offset: offset, Width: width}
		before := bytes.Clone(header)
		_, readable := field.Get(header)
		if !field.Set(header, value) {
			require.Equal(t, before, header)
			return
		}
		require.True(t, readable)
		got, _ := field.Get(header)
		require.Equal(t, value, got)
	})
}
