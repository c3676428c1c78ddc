package ordering

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The life of each message, for traces of two messages.
var lives = map[Operation]string{Send: "a p c", Immediate: "a p c", Write: "a p", Read: "a p g l", Atomic: "a p x r l",
	Flush: "a b e s l", Verify: "a b e s l", AtomicWrite: "a b e s l"}

// life writes the steps of a message after its arrival, with its number.
func life(number int, o Operation) string {
	var steps []string
	for _, step := range strings.Fields(lives[o])[1:] {
		steps = append(steps, fmt.Sprint(number)+step)
	}
	return strings.Join(steps, " ")
}

// Traces that violate the rows of the extension, by the kinds of the two operations: the catalogue's rows 4-06 to 4-44,
// read a second time. committing stands for Flush, Verify and Atomic Write.
func TestCommitRows(t *testing.T) {
	type bad struct {
		column Column
		trace  string
	}
	committing := []Operation{Flush, Verify, AtomicWrite}
	inOrder := []bad{{RemotePlacement, "1s 2b 1e 2e 2s"}, {RemoteOrdering, "1b 1e 2b 1s 2e 2s"}}
	sent := []bad{{RemoteOrdering, "1p 2b 2e 2s 1c 2l"}, {LocalPlacement, "1c 2b 2e 2s 2l 1p"}}
	seen := map[string]bool{}
	for _, tt := range []struct {
		first, second []Operation
		bad           []bad
	}{
		// The payload of a Write is covered by what arrives after it.
		{[]Operation{Write}, committing, []bad{{RemoteOrdering, "2b 1p 2e 2s 2l"}, {RemotePlacement, "2e 1p 2s 2l"}, {LocalPlacement, "2s 2l 1p"}}},
		// A Send and Immediate Data hold the response, and the Atomic Write itself.
		{[]Operation{Send, Immediate}, []Operation{Flush, Verify}, sent},
		{[]Operation{Send, Immediate}, []Operation{AtomicWrite},
			[]bad{{RemoteOrdering, "1p 2b 2e 1c 2s 2l"}, {RemotePlacement, "1c 2b 2e 1p 2s 2l"}, {LocalPlacement, "1c 2l 1p"}}},
		// Queue 1 is in strict order.
		{[]Operation{Read}, []Operation{Flush, Verify}, []bad{{RemoteOrdering, "2b 1g 2e 2s"}}},
		{[]Operation{Read}, []Operation{AtomicWrite}, []bad{{RemoteOrdering, "2b 1g 2e 2s"}, {RemotePlacement, "2e 1g 2s"}}},
		{[]Operation{Atomic}, committing, []bad{{RemotePlacement, "1r 2b 1x 2e 2s"}, {RemoteOrdering, "1x 2b 1r 2e 2s"}}},
		{committing, committing, inOrder},
		{committing, []Operation{Read}, []bad{{RemoteOrdering, "1b 1e 2g 1s"}}},
		{committing, []Operation{Atomic}, []bad{{RemotePlacement, "1s 2x 1e 2r"}, {RemoteOrdering, "1e 2x 1s 2r"}}},
		// Later Writes, Sends and Immediate Data may pass (I-59).
		{committing, []Operation{Write, Send, Immediate}, nil},
	} {
		for _, first := range tt.first {
			for _, second := range tt.second {
				name := fmt.Sprintf("%v then %v", first, second)
				assert.False(t, seen[name], name)
				seen[name] = true
				i := slices.IndexFunc(CommitRows, func(r Row) bool { return r.First == first && r.Second == second })
				require.GreaterOrEqual(t, i, 0, name)
				row := &CommitRows[i]

				ordered := "1a 2a " + life(1, first) + " " + life(2, second)
				assert.Empty(t, Check(trace(t, first, second, ordered)), "%s: %s", name, ordered)
				passing := "1a 2a " + life(2, second) + " " + life(1, first)
				assert.Equal(t, len(tt.bad) == 0, len(Check(trace(t, first, second, passing))) == 0, "%s: %s", name, passing)

				violated, guaranteed := map[Column]bool{}, map[Column]bool{}
				for _, b := range tt.bad {
					found := Check(trace(t, first, second, "1a 2a "+b.trace))
					require.Len(t, found, 1, "%s: %s", name, b.trace)
					assert.Same(t, row, found[0].Row, "%s: %s", name, b.trace)
					assert.Equal(t, b.column, found[0].Column, "%s: %s", name, b.trace)
					violated[b.column] = true
				}
				for c, g := range row.Guarantees {
					assert.NotEmpty(t, g.Text)
					if g.Rule != nil {
						guaranteed[Column(c)] = true
					}
				}
				assert.Equal(t, violated, guaranteed, "%s: each guarantee has a trace that violates it", name)
			}
		}
	}
	assert.Len(t, seen, 39, "every pair with one of the three")
	require.Len(t, CommitRows, 39)
	for i, r := range CommitRows {
		assert.Equal(t, fmt.Sprintf("COMMIT01-4-%02d", 6+i), r.Requirement)
		assert.NotContains(t, Rows, r, "the tables of the RFCs are as they were")
	}
	assert.Equal(t, "draft-talpey-rdma-commit-01 section 4, RDMA Flush then Atomic Write", CommitRows[32].String())
}
