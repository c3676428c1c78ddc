package gen_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/rdmap"
)

// txCommandBeat is a gen.TxCommand.
type txCommandBeat struct {
	Stream        int
	Kind          int
	Final         bool
	Number        uint32
	HeaderLength  int
	Header        []byte // of gen.HeaderOctets
	Address       uint64
	PayloadLength int
	Beats, Ends   int // as measured, or 0
}

// measured counts the beats of the segment, and the octets of the last one.
func (c txCommandBeat) measured(busBytes int) txCommandBeat {
	octets := c.HeaderLength + c.PayloadLength
	c.Beats, c.Ends = (octets+busBytes-1)/busBytes, octets%busBytes
	return c
}

// unmeasured checks the measured beats and clears them.
func (c txCommandBeat) unmeasured(t testing.TB, busBytes int) txCommandBeat {
	t.Helper()
	require.Equal(t, c.measured(busBytes), c)
	c.Beats, c.Ends = 0, 0
	return c
}

// txMessageBeat is an engine.TxMessage.
type txMessageBeat struct {
	Stream       int
	Kind         int
	Number       uint32
	HeaderLength int
	Header       []byte // of gen.HeaderOctets
	Address      uint64
	Length       uint32
}

// octets returns the header; the octets after it must be zero.
func (c txMessageBeat) octets(t testing.TB) []byte {
	t.Helper()
	return txCommandBeat{HeaderLength: c.HeaderLength, Header: c.Header}.octets(t)
}

type txReportBeat struct {
	Stream  int
	Kind    int
	Final   bool
	Dropped bool
	Asks    bool
}

func (c txCommandBeat) report(dropped bool) txReportBeat {
	return txReportBeat{c.Stream, c.Kind, c.Final, dropped, c.Kind == kindMessage && c.Number%2 == 1}
}

// octets returns the header; the octets after it must be zero.
func (c txCommandBeat) octets(t testing.TB) []byte {
	t.Helper()
	require.Len(t, c.Header, rdmap.HeaderOctets)
	require.Equal(t, make([]byte, rdmap.HeaderOctets-c.HeaderLength), c.Header[c.HeaderLength:], "after the header")
	return c.Header[:c.HeaderLength]
}

// padded pads octets to the length of a command's header field.
func padded(octets []byte) []byte {
	return append(octets[:len(octets):len(octets)], make([]byte, rdmap.HeaderOctets-len(octets))...)
}

// plainCommand returns a command with a random header.
func plainCommand(r *rand.Rand, stream, kind, headerLength int) txCommandBeat {
	return txCommandBeat{Stream: stream, Kind: kind, Final: r.IntN(2) == 0, Number: r.Uint32N(requestNumbers), HeaderLength: headerLength,
		Header: padded(noise(r, headerLength))}
}

func txConfig(busBytes, maxPayload int) engine.Config {
	c := gen.Default().Engine()
	c.BusBytes, c.Streams, c.MaxPayload = busBytes, 8, maxPayload
	return c
}
