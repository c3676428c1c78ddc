package sim_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl/sim"
)

// A cycle takes four columns; a value that does not fit ends in a dot.
func TestWave(t *testing.T) {
	s := run(t, counter(130))
	w, err := sim.NewWave(s.Sim, "rst", "up", "count_q")
	require.NoError(t, err)
	s.Step()
	s.Reset(1)
	s.set("up", 1)
	s.Step()
	s.Step()
	s.set("up", 0)
	s.Step()
	s.Step()
	assert.Equal(t, `
             ┌───┐
rst          │   │
         ────┘   └───────────────
                 ┌───────┐
up               │       │
         ────────┘       └───────
         ┌───────┬───┬───┬───────
count_q  │0      │3  │4  │5
         └───────┴───┴───┴───────
`, "\n"+w.String())
}

func TestWaveOfLongValues(t *testing.T) {
	s := run(t, memory(70))
	words, err := s.Memory("words")
	require.NoError(t, err)
	w, err := sim.NewWave(s.Sim, "from", "old")
	require.NoError(t, err)
	words.Set(1, 0xabcdef, 0x3)
	s.set("read", 1)
	for _, from := range []uint64{0, 1, 0, 1, 1, 1, 1, 1, 1} {
		s.set("from", from)
		s.Step()
	}
	assert.Equal(t, `
      ┌───┬───┬───┬───────────────────────
from  │0  │1  │0  │1
      └───┴───┴───┴───────────────────────
      ┌───────┬───┬───┬───────────────────
old   │0      │30.│0  │30000000000abcdef
      └───────┴───┴───┴───────────────────
`, "\n"+w.String())
}

func TestVCD(t *testing.T) {
	s := run(t, pair())
	var out bytes.Buffer
	finish := s.TraceVCD(&out)
	s.Reset(1)
	s.set("swap", 1)
	s.Step()
	require.NoError(t, finish())
	assert.Equal(t, `$timescale 1ns $end
$scope module top $end
$var wire 1 ! clk $end
$var wire 1 " rst $end
$var wire 1 # swap $end
$var wire 8 $ a [7:0] $end
$var wire 8 % b [7:0] $end
$var wire 8 & left [7:0] $end
$var wire 8 ' right [7:0] $end
$var wire 8 ( a_q [7:0] $end
$var wire 8 ) b_q [7:0] $end
$var wire 8 * spare [7:0] $end
$scope module first $end
$var wire 1 + up $end
$var wire 8 , count [7:0] $end
$var wire 8 - count_q [7:0] $end
$upscope $end
$scope module second $end
$var wire 1 . up $end
$var wire 8 / count [7:0] $end
$var wire 8 0 count_q [7:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
1!
1"
0#
b0 $
b0 %
b0 &
b0 '
b0 (
b0 )
b0 *
0+
b0 ,
b0 -
0.
b0 /
b0 0
#5
0!
#10
1!
0"
1#
b1 $
b10 %
b11 &
b11 '
b1 (
b10 )
1+
b11 ,
b11 -
1.
b11 /
b11 0
#15
0!
#20
`, out.String())
}

func TestVCDOfLongValues(t *testing.T) {
	s := run(t, memory(130))
	var out bytes.Buffer
	finish := s.TraceVCD(&out)
	s.set("data", 0x5, 0x3, 0x1)
	s.Step()
	require.NoError(t, finish())
	assert.Contains(t, out.String(), "$var wire 130 ' data [129:0] $end\n")
	zeros := strings.Repeat("0", 60)
	assert.Contains(t, out.String(), "\nb1"+zeros+"0011"+zeros+"0101 '\n")
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestVCDWriteError(t *testing.T) {
	s := run(t, memory(4096))
	finish := s.TraceVCD(fullDisk{})
	for range 10 {
		s.Step()
	}
	assert.EqualError(t, finish(), "no space left")
}
