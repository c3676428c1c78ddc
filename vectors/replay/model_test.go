package replay

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

var config = gen.Config{Top: gen.TopAtomics, Profile: "rdmap", BusBytes: 8, Streams: 4, WindowWords: 8, RetirePort: true}

func group() *suite.Group {
	return &suite.Group{
		Streams: []suite.Stream{{Stream: 1, MSN: 9}},
		Regions: []suite.Region{{Name: suite.WindowName, STag: 5, Base: 0x1000, Words: 8, Memory: []suite.Word{{Index: 2, Data: 40}}}},
	}
}

func add(word int) suite.Input {
	return suite.Input{Port: suite.PortRx, Stream: 1, Hex: wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(7, 5, 0x1000+8*uint64(word), 2, 0))}
}

func host(write byte, word int, data uint64) suite.Input {
	b := binary.BigEndian.AppendUint32([]byte{write}, uint32(word))
	return suite.Input{Port: suite.PortHost, Hex: binary.BigEndian.AppendUint64(b, data)}
}

func memory(words ...int) (out []suite.MemoryWord) {
	for _, w := range words {
		out = append(out, suite.MemoryWord{Region: suite.WindowName, Word: suite.Word{Index: w}})
	}
	return out
}

func TestModel(t *testing.T) {
	one := &suite.Test{TcID: 1, Input: []suite.Input{add(2), host(1, 2, 100), {Port: suite.PortSetup, Stream: 1, Hex: []byte{0, 0, 0, 77}}, add(2)},
		Memory: memory(2)}
	m := NewModel(config)
	for range 2 { // a test starts from its group's state, whatever was before
		out, err := m.Run(group(), one)
		require.NoError(t, err)
		require.Len(t, out.Expect, 5)
		assert.Equal(t, suite.Expect{Input: 0, Port: suite.PortTx, Stream: 1,
			Hex: wire.AppendAtomicResponse(nil, 9, wire.AtomicResponse{OriginalRequestIdentifier: 7, OriginalRemoteDataValue: 40})}, out.Expect[0])
		assert.Equal(t, &suite.Retire{Opcode: 0, Index: 2, Original: 40, Result: 42}, out.Expect[1].Retire)
		assert.Equal(t, suite.Expect{Input: 1, Port: suite.PortAnswer, Hex: []byte{0, 0, 0, 0, 0, 0, 0, 42}}, out.Expect[2])
		assert.Equal(t, suite.Octets(wire.AppendAtomicResponse(nil, 77, wire.AtomicResponse{OriginalRequestIdentifier: 7, OriginalRemoteDataValue: 100})), out.Expect[3].Hex)
		assert.Equal(t, suite.Hex64(102), out.Memory[0].Data)
	}
}

// TestModelAfterReset: words are undefined until they are written, and streams count from 1.
func TestModelAfterReset(t *testing.T) {
	one := &suite.Test{TcID: 1, Input: []suite.Input{{Port: suite.PortReset}, host(1, 3, 6), host(0, 3, 0), add(3)}, Memory: memory(3)}
	out, err := NewModel(config).Run(group(), one)
	require.NoError(t, err)
	assert.Empty(t, out.Expect[0].Hex)
	assert.Equal(t, suite.Octets{0, 0, 0, 0, 0, 0, 0, 6}, out.Expect[1].Hex)
	assert.Equal(t, suite.Octets(wire.AppendAtomicResponse(nil, 1, wire.AtomicResponse{OriginalRequestIdentifier: 7, OriginalRemoteDataValue: 6})), out.Expect[2].Hex)
}

// TestNoTest: a test that uses what its group does not define is none.
func TestNoTest(t *testing.T) {
	for _, c := range []struct {
		what  string
		input []suite.Input
		want  string
	}{
		{"a stream that is not open", []suite.Input{{Port: suite.PortRx, Stream: 0}}, "tcId 3: input 0: stream is 0; allowed: the streams of its group"},
		{"a word of another test", []suite.Input{add(4)}, "word is 4; allowed: the words that the test has under memory"},
		{"a word of another test, for the host", []suite.Input{host(0, 4, 0)}, "word is 4; allowed: the words that the test has under memory"},
		{"a word without a value", []suite.Input{add(3)}, "word 3 is changed while it is undefined"},
		{"a word that a reset forgot", []suite.Input{{Port: suite.PortReset}, add(2)}, "input 1: word 2 is changed while it is undefined"},
		{"a word that is not there", []suite.Input{host(0, 8, 0)}, "word 8; allowed: 0..7"},
		{"a host access cut short", []suite.Input{{Port: suite.PortHost, Hex: []byte{1}}}, "hex is 01; allowed on s_host: 00 or 01, 4 octets of index, 8 octets of data"},
		{"an MSN of 3 octets", []suite.Input{{Port: suite.PortSetup, Stream: 1, Hex: []byte{1, 2, 3}}}, "hex is 010203; allowed on s_setup: 4 octets of MSN"},
		{"another port", []suite.Input{{Port: "m_host"}}, `port is "m_host"; allowed: s_axis_rx, s_setup, s_host, rst`},
		{"a segment that is too long", []suite.Input{{Port: suite.PortRx, Stream: 1, Hex: make([]byte, 65536)}}, "segment has 65536 octets"},
	} {
		_, err := NewModel(config).Run(group(), &suite.Test{TcID: 3, Input: c.input, Memory: memory(2, 3)})
		assert.ErrorContains(t, err, c.want, c.what)
	}
	_, err := NewModel(config).Run(group(), &suite.Test{TcID: 3, Memory: memory(1)})
	assert.ErrorContains(t, err, "tcId 3: memory: word 1 is undefined")
	_, err = NewModel(config).Run(&suite.Group{}, &suite.Test{})
	assert.ErrorContains(t, err, "group has 0 regions; allowed: 1")
}
