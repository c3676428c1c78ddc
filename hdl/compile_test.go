package hdl_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

// here returns the position of its caller, as at the start of a message.
func here(below int) string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d: ", filepath.Base(file), line+below)
}

type onlyIn struct{ A hdl.In }

func TestMistakesInBlocks(t *testing.T) {
	type ports struct {
		A    hdl.In
		Data hdl.Sink[struct{ Word hdl.Value }]
		Y    hdl.Out
		Out  hdl.Source[struct{ Word hdl.Value }]
	}
	line := here(1)
	_, err := hdl.Compile(hdl.Block[ports]{Kind: "bare", Build: func(m *hdl.Module, p ports) { m.Drive(p.Y, p.A.Value) }})
	const text = "declare the port with a width (hdl.NewIn, hdl.NewOut, hdl.Bits)"
	assert.Equal(t, []string{line + "bare.a: " + text, line + "bare.data_valid: " + text, line + "bare.data_ready: " + text,
		line + "bare.data_word: " + text, line + "bare.y: " + text, line + "bare.out_valid: " + text, line + "bare.out_ready: " + text,
		line + "bare.out_word: " + text}, told(err))

	line = here(1)
	none := onlyIn{hdl.NewIn(0)}
	_, err = hdl.Compile(hdl.Block[onlyIn]{Kind: "thin", Ports: none, Build: func(*hdl.Module, onlyIn) {}})
	assert.Equal(t, []string{line + "width 0: a value has at least 1 bit"}, told(err))

	line = here(1)
	zero := hdl.NewOut(0)
	_, err = hdl.Compile(hdl.Block[struct{ Y hdl.Out }]{Kind: "thin", Ports: struct{ Y hdl.Out }{zero},
		Build: func(m *hdl.Module, p struct{ Y hdl.Out }) { m.Drive(p.Y, hdl.Const(3, 1)) }})
	assert.Equal(t, line+"width 0: a value has at least 1 bit", told(err)[0])

	line = here(1)
	_, err = hdl.Compile(hdl.Block[onlyIn]{Kind: "hollow", Ports: onlyIn{hdl.NewIn(1)}})
	assert.Equal(t, []string{line + "hollow: the block has no Build function"}, told(err))

	line = here(1)
	_, err = hdl.Compile(hdl.Block[onlyIn]{Kind: "Capital", Ports: onlyIn{hdl.NewIn(1)}, Build: func(m *hdl.Module, p onlyIn) { m.Unused("of no use here", p.A.Value) }})
	assert.Equal(t, []string{line + `Capital: "Capital" is not a name; want lower-case words of letters and digits, a letter first, joined by single _`}, told(err))
}

func TestBlockInsideItself(t *testing.T) {
	var block hdl.Block[onlyIn]
	line := here(2)
	block = hdl.Block[onlyIn]{Kind: "matryoshka", Ports: onlyIn{hdl.NewIn(1)}, Build: func(m *hdl.Module, p onlyIn) {
		hdl.Instance(m, "inner", block, p)
	}}
	_, err := hdl.Compile(block)
	assert.Equal(t, []string{line + "matryoshka: instances are nested 64 deep; does it contain itself?"}, told(err))
}

// Instances of two versions of a block under one name, nested or side by side.
func TestTwoModulesOfOneName(t *testing.T) {
	version := func(n uint64) hdl.Block[samplePorts] {
		return sample("inner", func(m *hdl.Module, p samplePorts) { m.Unused("of no use here", hdl.Const(8, n)) })
	}
	line := here(8)
	_, err := hdl.Compile(sample("outer", func(m *hdl.Module, p samplePorts) {
		y := func(name string) hdl.Out {
			w := m.Wire(name, 8)
			m.Unused("of no use here", w.Value)
			return w.Out()
		}
		hdl.Instance(m, "a", version(1), samplePorts{p.Octet, p.Nibble, p.Flag, y("y_a")})
		hdl.Instance(m, "b", version(2), samplePorts{p.Octet, p.Nibble, p.Flag, y("y_b")})
	}))
	assert.Equal(t, []string{line + "inner: two different modules have this name; put what differs into it"}, told(err))
}

// A block that is instantiated twice reports its mistakes once.
func TestMistakeInABlockUsedTwice(t *testing.T) {
	line := here(1)
	inner := sample("inner", func(m *hdl.Module, p samplePorts) { m.Unused("of no use here", p.Octet.Bit(8)) })
	_, err := hdl.Compile(sample("outer", func(m *hdl.Module, p samplePorts) {
		for _, name := range []string{"a", "b"} {
			w := m.Wire(name+"_y", 8)
			m.Unused("of no use here", w.Value)
			hdl.Instance(m, name, inner, samplePorts{p.Octet, p.Nibble, p.Flag, w.Out()})
		}
	}))
	assert.Equal(t, []string{line + "slice: [8:8] is not inside octet of 8 bits"}, told(err))
}

// sum is a helper of a generator: a mistake in it is reported with its line, and the frames lead to its caller.
func sum(a, b hdl.Value) hdl.Value { return a.Add(b) }

func TestErrorsNameTheLineAndTheWayToIt(t *testing.T) {
	caller := here(2)
	_, err := hdl.Compile(sample("outer", func(m *hdl.Module, p samplePorts) {
		m.Unused("of no use here", sum(p.Octet.Value, p.Flag.Value))
	}))
	var e *hdl.Error
	require.ErrorAs(t, err, &e)
	frames := e.Frames()
	require.GreaterOrEqual(t, len(frames), 2)
	assert.Equal(t, e.Error(), fmt.Sprintf("%s:%d: %s", filepath.Base(frames[0].File), frames[0].Line, e.Message))
	assert.Contains(t, frames[0].Function, "hdl_test.sum")
	assert.Equal(t, caller, fmt.Sprintf("%s:%d: ", filepath.Base(frames[1].File), frames[1].Line))
	assert.LessOrEqual(t, len(frames), 3)
}

func TestErrorsSplits(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	assert.Empty(t, hdl.Errors(nil))
	assert.Equal(t, []error{one}, hdl.Errors(one))
	assert.Equal(t, []error{one, two}, hdl.Errors(errors.Join(one, two)))
}

func TestDesign(t *testing.T) {
	type beat struct{ Data, Last hdl.Value }
	type ports struct {
		Go  hdl.In
		In  hdl.Sink[beat]
		Out hdl.Source[beat]
	}
	proto := beat{hdl.Bits(16), hdl.Bits(1)}
	d, err := hdl.Compile(hdl.Block[ports]{
		Kind: "pass", Doc: "pass lets beats through.",
		Ports: ports{hdl.NewIn(1), hdl.NewSink(proto), hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p ports) {
			p.In.Accept(m, p.Out.Ready.And(p.Go.Value))
			p.Out.Drive(m, p.In.Valid.And(p.Go.Value), p.In.Data)
		},
	})
	require.NoError(t, err)
	assert.Equal(t, "pass", d.Top())
	assert.False(t, d.Clocked())
	assert.Equal(t, []hdl.Port{{Name: "go", Width: 1}, {Name: "in_valid", Width: 1}, {Name: "in_ready", Width: 1, Out: true},
		{Name: "in_data", Width: 16}, {Name: "in_last", Width: 1}, {Name: "out_valid", Width: 1, Out: true}, {Name: "out_ready", Width: 1},
		{Name: "out_data", Width: 16, Out: true}, {Name: "out_last", Width: 1, Out: true}}, d.Ports())
	assert.Equal(t, []hdl.StreamPort{
		{Name: "in", Sink: true, Valid: "in_valid", Ready: "in_ready", Fields: []string{"in_data", "in_last"}},
		{Name: "out", Valid: "out_valid", Ready: "out_ready", Fields: []string{"out_data", "out_last"}}}, d.Streams())
	again, err := hdl.Compile(sample("pass", func(*hdl.Module, samplePorts) {}))
	require.NoError(t, err)
	assert.Equal(t, []string{"pass.v"}, []string{again.Files()[0].Name})
}

func TestModulesAreDesignsOfTheirOwn(t *testing.T) {
	type ports struct {
		In  hdl.In
		Out hdl.Out
	}
	// chain passes a bit through a chain of blocks.
	chain := func(name string, blocks ...hdl.Block[ports]) hdl.Block[ports] {
		return hdl.Block[ports]{Kind: name, Doc: name + " passes a bit on.", Ports: ports{hdl.NewIn(1), hdl.NewOut(1)},
			Build: func(m *hdl.Module, p ports) {
				at := p.In
				for i, b := range blocks {
					next := m.Wire(fmt.Sprintf("after_%d", i), 1)
					hdl.Instance(m, fmt.Sprintf("link_%d", i), b, ports{at, next.Out()})
					at = hdl.In{Value: next.Value}
				}
				m.Drive(p.Out, at.Value)
			}}
	}
	d, err := hdl.Compile(chain("top", chain("middle", chain("leaf")), chain("other")))
	require.NoError(t, err)
	var files [][]string
	for _, part := range d.Modules() {
		var names []string
		for _, f := range part.Files() {
			names = append(names, f.Name)
		}
		assert.Equal(t, part.Top()+".v", names[len(names)-1])
		files = append(files, names)
	}
	assert.Equal(t, [][]string{{"leaf.v"}, {"leaf.v", "middle.v"}, {"other.v"}, {"leaf.v", "middle.v", "other.v", "top.v"}}, files)
}
