package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A stream opens or closes in each cycle around the acceptance of its segment: a segment accepted with the opening or later is
// sent, and so is one accepted before the closing.
func TestTxEngineOpensBesideItsSegment(t *testing.T) {
	for _, open := range []bool{true, false} {
		same := false
		for after := -5; after <= 5; after++ {
			t.Run(fmt.Sprint(open, after), func(t *testing.T) {
				b := openTxEngine(t, txConfig(64, 256), 0)
				b.opening(1, !open)
				segment := plainCommand(b.rand, 1, sentAtomic, 30).measured(64)
				for cycle := range 20 {
					if cycle == 10 {
						send(b.rig, "command", segment)
					}
					if cycle == 10+after {
						send(b.rig, "opening", openingBeat{Stream: 1, Open: open})
					}
					b.step()
				}
				b.rest(20)
				commands, openings := b.stream("command").at, b.stream("opening").at
				require.Len(t, commands, 1)
				changed := openings[len(openings)-1] <= commands[0]
				same = same || openings[len(openings)-1] == commands[0]
				send(b.rig, "command", segment)
				b.rest(20)
				assert.Equal(t, []txReportBeat{segment.report(changed != open), segment.report(!open)}, received[txReportBeat](b.rig, "report"))
			})
		}
		assert.True(t, same, "both in one cycle")
	}
}
