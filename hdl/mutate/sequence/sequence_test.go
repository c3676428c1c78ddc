package sequence_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/mutate/sequence"
)

type word struct{ Wide hdl.Value }

type ports struct {
	In    hdl.Sink[word]
	Out   hdl.Source[word]
	Count hdl.Out `doc:"beats taken"`
}

// counter passes beats of 72 bits on and counts them.
func counter() hdl.Block[ports] {
	proto := func() word { return word{hdl.Bits(72)} }
	return hdl.Block[ports]{
		Kind: "counter", Doc: "counter passes beats on and counts them.",
		Ports: ports{In: hdl.NewSink(proto()), Out: hdl.NewSource(proto()), Count: hdl.NewOut(4)},
		Build: func(m *hdl.Module, p ports) {
			count := m.Reg("count_q", 4, hdl.ResetTo(5))
			m.OnClock(hdl.If(p.In.Valid.And(p.Out.Ready), count.Set(count.Add(hdl.Const(4, 1)))))
			p.In.Accept(m, p.Out.Ready)
			p.Out.Drive(m, p.In.Valid, p.In.Data)
			m.Drive(p.Count, count.Value)
		},
	}
}

func player(t *testing.T) *sequence.Player {
	t.Helper()
	d, err := hdl.Compile(counter())
	require.NoError(t, err)
	s, err := mutate.New(d, mutate.Options{Wants: func(string) bool { return false }})
	require.NoError(t, err)
	a, err := s.Alone("counter", nil)
	require.NoError(t, err)
	p, err := sequence.New(a)
	require.NoError(t, err)
	return p
}

func TestRecord(t *testing.T) {
	p := player(t)
	one, wide := big.NewInt(1), new(big.Int).Lsh(big.NewInt(0xab), 64)
	inputs := sequence.Inputs{Clocks: []map[string]*big.Int{
		{"rst": one, "in_wide": wide}, // nothing is looked at under the first reset
		{"in_wide": wide},             // nor what is not offered
		{"in_wide": wide, "in_valid": one},
		{"in_wide": wide, "in_valid": one, "out_ready": one},
		{},
	}}
	s, err := p.Record(inputs)
	require.NoError(t, err)
	assert.Equal(t, sequence.Sequence{
		{In: map[string]string{"rst": "1", "in_wide": "ab0000000000000000"}},
		{In: map[string]string{"rst": "0"}, Out: map[string]string{"count": "5"}},
		{In: map[string]string{"in_valid": "1"}, Out: map[string]string{"out_valid": "1", "out_wide": "ab0000000000000000"}},
		{In: map[string]string{"out_ready": "1"}, Out: map[string]string{"in_ready": "1"}},
		{In: map[string]string{"in_wide": "0", "in_valid": "0", "out_ready": "0"}, Out: map[string]string{"out_valid": "0", "in_ready": "0", "count": "6"}},
	}, s)
	_, port, err := p.Differs(s, "")
	require.NoError(t, err)
	assert.Empty(t, port)
	back, err := p.Inputs(s)
	require.NoError(t, err)
	again, err := p.Record(back)
	require.NoError(t, err)
	assert.Equal(t, s, again)

	inputs.Ones, inputs.Clocks = true, []map[string]*big.Int{{}, {}} // without a reset
	ones, err := p.Record(inputs)
	require.NoError(t, err)
	assert.Equal(t, sequence.Sequence{{Ones: true}, {Out: map[string]string{"count": "f"}}}, ones)
	_, port, err = p.Differs(ones, "")
	require.NoError(t, err)
	assert.Empty(t, port)
	back, err = p.Inputs(ones)
	require.NoError(t, err)
	assert.True(t, back.Ones)

	// What is written down wrong is told, with its clock.
	for _, wrong := range []struct {
		clock int
		port  string
		value string
	}{{1, "count", "4"}, {2, "out_wide", "ab0000000000000001"}, {3, "in_ready", "0"}} {
		was := s[wrong.clock].Out[wrong.port]
		s[wrong.clock].Out[wrong.port] = wrong.value
		clock, port, err := p.Differs(s, "")
		require.NoError(t, err)
		assert.Equal(t, wrong.clock, clock)
		assert.Equal(t, wrong.port, port)
		s[wrong.clock].Out[wrong.port] = was
	}
}

func TestMistakes(t *testing.T) {
	p := player(t)
	for says, clock := range map[string]sequence.Clock{
		`clock 0 of a sequence names the port "none", which counter does not have`:                   {In: map[string]string{"none": "1"}},
		`clock 0 of a sequence names the port "in_valid", which counter does not have`:               {Out: map[string]string{"in_valid": "1"}},
		`clock 0 of a sequence of counter: in_valid is "2"; allowed: hexadecimal digits of 1 bits`:   {In: map[string]string{"in_valid": "2"}},
		`clock 0 of a sequence of counter: count is "x"; allowed: hexadecimal digits of 4 bits`:      {Out: map[string]string{"count": "x"}},
		`clock 0 of a sequence of counter: out_ready is "-1"; allowed: hexadecimal digits of 1 bits`: {In: map[string]string{"out_ready": "-1"}},
	} {
		_, _, err := p.Differs(sequence.Sequence{clock}, "")
		assert.EqualError(t, err, says)
	}
	_, _, err := p.Differs(nil, "")
	assert.EqualError(t, err, "a sequence of counter has no clocks")
	_, err = p.Record(sequence.Inputs{Clocks: []map[string]*big.Int{{"none": big.NewInt(1)}}})
	assert.EqualError(t, err, `clock 0 of a sequence names the port "none", which counter does not have`)
}
