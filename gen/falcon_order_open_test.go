package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The QP ends inside a message: its receive completes with the end if the message has an error by then, with that one (I-103).
func TestFalconOrderEndsMessage(t *testing.T) {
	for _, c := range []struct {
		name   string
		steps  []scoreStep
		status uint8 // of the receive that completes with the end; 0: none
		id     uint32
	}{
		{"nothing has come", nil, 0, 0},
		{"a message without an error", []scoreStep{{"Sf", 1, 0}}, 0, 0},
		{"its First is refused", []scoreStep{{"Sfr", 1, 0}}, 2, 1},
		{"a Middle is refused", []scoreStep{{"Sf", 1, 0}, {"Smr", 1, 8}}, 2, 1},
		{"a later part is not", []scoreStep{{"So", 1, 0}, {"Sfr", 2, 0}, {"Sm", 2, 8}}, 2, 2},
		{"the rest has come", []scoreStep{{"Sfr", 1, 0}, {"Sl", 1, 8}}, 2, 1},
		{"another one behind that", []scoreStep{{"Sor", 1, 0}, {"Sf", 2, 0}}, 0, 0},
		{"a Write", []scoreStep{{"Sor", 1, 0}, {"Wfr", 0, 0}}, 0, 0},
	} {
		for _, mode := range []int{scoreStrong, scoreWeak} {
			for pause := range 10 {
				t.Run(fmt.Sprint(c.name, mode, pause), func(t *testing.T) {
					b, peers := openScores(t, scoreRun{streams: 2, window: 8, ird: 1, depth: 8}, mode, true)
					p := peers[0]
					p.play(c.steps, false)
					peers[1].play([]scoreStep{{"Sfr", 1, 0}}, false)
					for range pause {
						b.step()
					}
					var ends []scoreDelivery
					b.delivers = func(d scoreDelivery) {
						if d.Kind&scoreEnd != 0 {
							ends = append(ends, d)
						}
					}
					p.send(p.fails())
					p.send(p.fails())
					b.end()
					require.Len(t, ends, 2)
					assert.EqualValues(t, scoreEnd, ends[1].Kind, "once")
					if c.status == 0 {
						assert.EqualValues(t, scoreEnd, ends[0].Kind)
						return
					}
					assert.EqualValues(t, scoreEnd|scoreReceive, ends[0].Kind)
					assert.Equal(t, []uint64{p.id(c.id), uint64(c.status)}, []uint64{ends[0].ID, uint64(ends[0].Received.Status)})
				})
			}
		}
	}
}

// What is found in the order of SN ends the QP: the receive of the message that was open keeps its error and completes with the end.
func TestFalconOrderEndsBrokenMessage(t *testing.T) {
	for name, last := range map[string]scoreStep{"a Read": {"Ro", 0, 0}, "another start": {"Sor", 2, 0}, "another RMSN": {"Smr", 2, 8}} {
		for i := range 2 {
			t.Run(fmt.Sprint(name, i), func(t *testing.T) {
				b, peers := openScores(t, scoreRun{streams: 2, window: 8, ird: 1, depth: 8}, scoreWeak, false)
				p := peers[0]
				var got []uint64
				b.delivers = func(d scoreDelivery) {
					if d.Kind&scoreReceive != 0 {
						assert.EqualValues(t, scoreEnd|scoreReceive, d.Kind)
						got = append(got, d.ID, uint64(d.Received.Status))
					}
				}
				p.play([]scoreStep{{"Sfr", 1, 0}, last}, i == 1)
				b.rest(20)
				p.send(p.fails())
				b.end()
				assert.Equal(t, []uint64{p.id(1), 2}, got)
			})
		}
	}
}
