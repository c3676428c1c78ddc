package ordering

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The guarantees of the cells, transcribed by a reader who had not seen this package.
const (
	noPlacement            = "none"
	notInTable             = "does not apply"
	placedInOrderAgain     = "both placed in order"
	responseAfterFirst     = "response placed after the first is placed"
	mayPassResponse        = "may be placed before the response"
	bothCompletedInOrder   = "both completed in order"
	completedAfterWrite    = "completed after the Write is placed"
	responseAfterCompleted = "response after the first is completed"
	responseAfterResponse  = "response after response"
	processedAfterResponse = "processed after the response"
)

// second is RFC 5040 section 5.5 and RFC 7306 section 7, transcribed by that reader.
var second = []struct {
	first, second           Operation
	remote, local, ordering string
}{
	{Immediate, Send, noPlacement, notInTable, bothCompletedInOrder},
	{Immediate, Write, noPlacement, notInTable, notInTable},
	{Immediate, Read, noPlacement, responseAfterFirst, responseAfterCompleted},
	{Immediate, Atomic, noPlacement, responseAfterFirst, responseAfterCompleted},
	{Immediate, Immediate, noPlacement, notInTable, bothCompletedInOrder},
	{Send, Immediate, noPlacement, notInTable, bothCompletedInOrder},
	{Write, Immediate, noPlacement, notInTable, completedAfterWrite},
	{Read, Immediate, noPlacement, mayPassResponse, notInTable},
	{Atomic, Immediate, noPlacement, mayPassResponse, notInTable},
	{Atomic, Send, noPlacement, mayPassResponse, notInTable},
	{Atomic, Write, noPlacement, mayPassResponse, notInTable},
	{Atomic, Read, noPlacement, noPlacement, responseAfterResponse},
	{Atomic, Atomic, placedInOrderAgain, noPlacement, processedAfterResponse},
	{Send, Atomic, noPlacement, responseAfterFirst, responseAfterCompleted},
	{Write, Atomic, noPlacement, responseAfterFirst, notInTable},
	{Read, Atomic, noPlacement, noPlacement, responseAfterResponse},
	{Send, Send, noPlacement, notInTable, bothCompletedInOrder},
	{Send, Write, noPlacement, notInTable, notInTable},
	{Send, Read, noPlacement, responseAfterFirst, responseAfterCompleted},
	{Write, Send, noPlacement, notInTable, completedAfterWrite},
	{Write, Write, noPlacement, notInTable, notInTable},
	{Write, Read, noPlacement, responseAfterFirst, notInTable},
	{Read, Send, noPlacement, mayPassResponse, notInTable},
	{Read, Write, noPlacement, mayPassResponse, notInTable},
	{Read, Read, noPlacement, noPlacement, responseAfterResponse},
}

// meant returns the rule that a phrase implies for two operations; nil: none.
func meant(words string, first, second Operation) *Rule {
	generated := map[Operation]Step{Read: ReadGenerated, Atomic: AtomicResponded}
	switch words {
	case placedInOrderAgain:
		return &Rule{Placed, Placed}
	case responseAfterFirst:
		return &Rule{Placed, ResponseLeft}
	case bothCompletedInOrder:
		return &Rule{Completed, Completed}
	case completedAfterWrite:
		return &Rule{Placed, Completed}
	case responseAfterCompleted:
		return &Rule{Completed, generated[second]}
	case responseAfterResponse:
		return &Rule{generated[first], generated[second]}
	case processedAfterResponse:
		return &Rule{generated[first], AtomicExecuted}
	}
	return nil
}

func TestRowsAsReadASecondTime(t *testing.T) {
	require.Len(t, Rows, len(second))
	for _, s := range second {
		found := false
		for i := range Rows {
			r := &Rows[i]
			if found = r.First == s.first && r.Second == s.second; !found {
				continue
			}
			for c, words := range map[Column]string{RemotePlacement: s.remote, LocalPlacement: s.local, RemoteOrdering: s.ordering} {
				assert.Equal(t, meant(words, s.first, s.second), r.Guarantees[c].Rule, "%v, %v", r, c)
				assert.Equal(t, words == notInTable, r.Guarantees[c] == notApplicable, "%v, %v", r, c)
				assert.Equal(t, words == mayPassResponse, r.Guarantees[c] == mayPass, "%v, %v", r, c)
			}
			break
		}
		assert.True(t, found, "%v then %v", s.first, s.second)
	}
}
