package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

func TestEvalSettlesAndStepClocks(t *testing.T) {
	s := run(t, counter(8))
	assert.EqualValues(t, 0, s.get("count"), "registers are 0 until the first reset")
	s.Reset(1)
	assert.EqualValues(t, 3, s.get("count"), "the value after reset")
	s.set("up", 1)
	assert.EqualValues(t, 3, s.get("count"), "an input alone changes no register")
	s.Step()
	assert.EqualValues(t, 4, s.get("count"))
	s.set("up", 0)
	s.Step()
	assert.EqualValues(t, 4, s.get("count"))
	assert.EqualValues(t, 3, s.Cycle(), "clock edges, including that of the reset")
}

// A test can start in a state that traffic would take hours to reach.
func TestRegisterIsSet(t *testing.T) {
	for _, width := range []int{8, 130} {
		s := run(t, counter(width))
		s.Reset(1)
		count, err := s.Register("count_q")
		require.NoError(t, err)
		words := make([]uint64, (width+63)/64)
		for i := range words {
			words[i] = ^uint64(0)
		}
		count.SetWords(words)
		assert.EqualValues(t, words[0]>>max(0, 64-width), s.get("count"))
		s.set("up", 1)
		s.Step()
		assert.EqualValues(t, 0, s.get("count"), "it has wrapped")
		s.Step()
		assert.EqualValues(t, 1, s.get("count"))
	}
	_, err := run(t, counter(8)).Register("up")
	assert.EqualError(t, err, "up is not a register")
}

func TestResetWinsOverEveryStatement(t *testing.T) {
	s := run(t, counter(8))
	s.set("up", 1)
	s.Reset(5)
	assert.EqualValues(t, 3, s.get("count"))
}

func TestValuesOfSeveralWords(t *testing.T) {
	s := run(t, counter(130))
	count, err := s.Signal("count_q")
	require.NoError(t, err)
	assert.Equal(t, 130, count.Width)
	s.Reset(1)
	s.set("up", 0xff)
	assert.EqualValues(t, 1, s.get("up"), "bits beyond the width of an input are ignored")
	up, err := s.Input("up")
	require.NoError(t, err)
	up.Set(0xfe)
	assert.EqualValues(t, 0, up.Get(), "by either way of setting it")
	up.Set(0xff)
	s.Step()
	words := []uint64{9, 9, 9, 9}
	count.GetWords(words)
	assert.Equal(t, []uint64{4, 0, 0, 0}, words, "words beyond the width are cleared")
}

func TestRegistersChangeTogether(t *testing.T) {
	s := run(t, pair())
	s.Reset(1)
	s.set("swap", 1)
	s.Step()
	assert.EqualValues(t, 2, s.get("a"))
	assert.EqualValues(t, 1, s.get("b"))
}

func TestSignalsHaveHierarchicalNames(t *testing.T) {
	s := run(t, pair())
	assert.Equal(t, []string{"rst", "swap", "a", "b", "left", "right", "a_q", "b_q", "spare",
		"first.up", "first.count", "first.count_q", "second.up", "second.count", "second.count_q"}, s.Signals())
	assert.Equal(t, []string{"a_q", "b_q", "first.count_q", "second.count_q"}, s.Registers())
	s.Reset(1)
	s.set("swap", 1)
	s.Step()
	assert.EqualValues(t, 4, s.get("first.count"))
	assert.EqualValues(t, 4, s.get("second.count_q"))
	assert.EqualValues(t, 0, s.get("spare"), "an unused signal is computed when it is read")
	s.Step()
	assert.EqualValues(t, 5^4, s.get("spare"), "and is kept up to date")
}

func TestUnknownNamesAreErrors(t *testing.T) {
	s := run(t, pair())
	_, err := s.Signal("first.down")
	assert.EqualError(t, err, `there is no signal "first.down"`)
	_, err = s.Input("sideways")
	assert.EqualError(t, err, `there is no signal "sideways"`)
	_, err = s.Input("a")
	assert.EqualError(t, err, "a is not an input of the design")
	_, err = s.Input("first.up")
	assert.EqualError(t, err, "first.up is not an input of the design")
	_, err = s.Memory("words")
	assert.EqualError(t, err, `there is no memory "words"`)
	_, err = sim.NewWave(s.Sim, "swap", "nothing")
	assert.EqualError(t, err, `there is no signal "nothing"`)
}

func TestMemoryCollision(t *testing.T) {
	s := run(t, memory(70))
	words, err := s.Memory("words")
	require.NoError(t, err)
	words.Set(5, 0x55, 1)
	s.set("read", 1)
	s.set("from", 5)
	s.set("write", 1)
	s.set("to", 5)
	s.set("data", 0xaa, 2)
	s.Step()
	assert.Equal(t, []uint64{0x55, 1}, s.words("old"), "the word from before the write")
	assert.Equal(t, []uint64{0xaa, 2}, s.words("fresh"), "the word being written")
	s.set("write", 0)
	s.Step()
	assert.Equal(t, []uint64{0xaa, 2}, s.words("old"), "one cycle later both ports see it")
	s.set("read", 0)
	s.set("from", 4)
	s.Step()
	assert.Equal(t, []uint64{0xaa, 2}, s.words("fresh"), "without enable a read port holds")
}

func TestMemoryContents(t *testing.T) {
	s := run(t, memory(70))
	words, err := s.Memory("words")
	require.NoError(t, err)
	assert.Equal(t, []int{70, 8}, []int{words.Width, words.Depth})
	got := []uint64{9, 9, 9}
	words.Set(7, 1, ^uint64(0))
	words.Get(7, got)
	assert.Equal(t, []uint64{1, 0x3f, 0}, got, "bits beyond the width are ignored")
	words.Set(8, 1)
	words.Set(-1, 1)
	words.Get(8, got)
	assert.Equal(t, []uint64{1, 0x3f, 0}, got, "there is no word 8")
}

func TestMemoryTooLarge(t *testing.T) {
	d, err := hdl.Compile(hdl.Block[counterPorts]{
		Kind: "hoard", Doc: "hoard has a memory that nobody can afford.",
		Ports: counterPorts{hdl.NewIn(1), hdl.NewOut(64)},
		Build: func(m *hdl.Module, p counterPorts) {
			mem := m.Memory("vault", 64, 1<<40)
			mem.Write(p.Up.Value, hdl.Zero(40), hdl.Zero(64))
			m.Drive(p.Count, mem.Read("word_q", p.Up.Value, p.Up.ZeroExtend(40), hdl.ReadOld))
		},
	})
	require.NoError(t, err)
	_, err = sim.New(d)
	assert.EqualError(t, err, "hoard: memory vault has 1099511627776 words of 64 bits; more than 17179869184 bits cannot be simulated")
}

func TestRandomInit(t *testing.T) {
	one, same, other := run(t, memory(70), sim.RandomInit(1)), run(t, memory(70), sim.RandomInit(1)), run(t, memory(70), sim.RandomInit(2))
	assert.Equal(t, one.words("old"), same.words("old"), "the same seed gives the same contents")
	assert.NotEqual(t, one.words("old"), other.words("old"))
	assert.Less(t, one.words("old")[1], uint64(64), "bits beyond the width stay 0")
	var a, b [2]uint64
	one.Memories()[0].Get(3, a[:])
	other.Memories()[0].Get(3, b[:])
	assert.NotEqual(t, a, b)
	s := run(t, counter(8), sim.RandomInit(1))
	assert.NotEqualValues(t, 3, s.get("count"))
	s.Reset(1)
	assert.EqualValues(t, 3, s.get("count"), "after reset it does not matter")
}

func TestStepDoesNotAllocate(t *testing.T) {
	s := run(t, pipeline())
	in, err := s.Input("in_data")
	require.NoError(t, err)
	words := []uint64{1, 2, 3, 4, 5, 6, 7, 8}
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		words[0]++
		in.SetWords(words)
		s.Step()
		in.GetWords(words)
	}))
}
