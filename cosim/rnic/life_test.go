package rnic

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The end of a stream appears once on the wire and once at the host, in either order; a stream that was never opened shows neither.
func TestLife(t *testing.T) {
	for _, row := range []struct {
		shown []shows
		life  life
		last  bool // the last step is allowed
	}{
		{[]shows{showsTerminate}, terminated, true},
		{[]shows{showsEvent}, reported, true},
		{[]shows{showsTerminate, showsEvent}, over, true},
		{[]shows{showsEvent, showsTerminate}, over, true},
		{[]shows{showsEvent, showsEvent}, reported, false},
		{[]shows{showsTerminate, showsTerminate}, terminated, false},
		{[]shows{showsEvent, showsTerminate, showsEvent}, over, false},
		{[]shows{showsTerminate, showsEvent, showsTerminate}, over, false},
	} {
		f, is := follower{life: running}, false
		for _, s := range row.shown {
			is = f.show(s)
		}
		assert.Equal(t, row.life, f.life, "%v", row.shown)
		assert.Equal(t, row.last, is, "%v", row.shown)
	}
	var f follower
	assert.False(t, f.show(showsEvent))
	assert.False(t, f.show(showsTerminate))
	assert.True(t, f.life.known() && !f.life.silent(), "over from the host's view")
}

// A second event for the end of a stream is a mismatch.
func TestFollowerSeesASecondEnd(t *testing.T) {
	n := &Node{streams: []follower{{life: running}}}
	assert.NoError(t, n.followEvent(Event{Kind: 1}))
	assert.True(t, IsMismatch(n.followEvent(Event{Kind: 1})))
}
