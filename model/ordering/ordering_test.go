package ordering

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Letters for the steps in the traces below.
var letters = map[byte]Step{'a': Arrived, 'p': Placed, 'c': Completed, 'g': ReadGenerated, 'x': AtomicExecuted, 'r': AtomicResponded, 'l': ResponseLeft,
	'b': Begun, 'e': Executed, 's': Responded}

// trace parses steps such as "1a 2a 2p 1p" of a first and a second message, one per unit of time.
func trace(t testing.TB, first, second Operation, text string) (all []Record) {
	for i, token := range strings.Fields(text) {
		step, known := letters[token[1]]
		require.True(t, known)
		r := Record{Time: uint64(i), Stream: 3, Message: uint64(token[0] - '0'), Operation: first, Step: step}
		if token[0] == '2' {
			r.Operation = second
		}
		all = append(all, r)
	}
	return all
}

// The guarantees of both tables, row by row: traces that satisfy and traces that violate each, with the column. A row
// without bad traces guarantees nothing.
func TestRows(t *testing.T) {
	type bad struct {
		column Column
		trace  string
	}
	for _, tt := range []struct {
		first, second Operation
		requirement   string
		good          []string
		bad           []bad
	}{
		{Send, Send, "", []string{"1a 2a 2p 1p 1c 2c"}, []bad{{RemoteOrdering, "1a 2a 1p 2p 2c 1c"}}},
		{Send, Write, "", []string{"1a 2a 2p 1p 1c", "1a 1p 1c 2a 2p", "1a 2a 1p 2p 1c"}, nil},
		{Send, Read, "", []string{"1a 2a 1p 1c 2g 2l", "1a 2a 2p 1p 1c 2g 2l"},
			[]bad{{RemoteOrdering, "1a 2a 1p 2g 1c 2l"}, {LocalPlacement, "1a 2a 1c 2g 2l 1p"}}},
		{Write, Send, "", []string{"1a 2a 2p 1p 2c"}, []bad{{RemoteOrdering, "1a 2a 2p 2c 1p"}}},
		{Write, Write, "", []string{"1a 2a 2p 1p", "1a 2a 1p 2p"}, nil},
		{Write, Read, "", []string{"1a 2a 1p 2g 2l", "1a 2a 2g 1p 2l"}, []bad{{LocalPlacement, "1a 2a 2g 2l 1p"}}},
		{Read, Send, "", []string{"1a 2a 2p 2c 1g 1l", "1a 1g 1l 2a 2p 2c"}, nil},
		{Read, Write, "", []string{"1a 2a 2p 1g 1l", "1a 2a 1g 1l 2p"}, nil},
		{Read, Read, "", []string{"1a 2a 1g 2g 2l 1l", "1a 2a 2p 1p 1g 1l 2g 2l"}, []bad{{RemoteOrdering, "1a 2a 2g 1g 1l 2l"}}},

		{Immediate, Send, "RFC7306-7-04", []string{"1a 2a 2p 1p 1c 2c"}, []bad{{RemoteOrdering, "1a 2a 1p 2p 2c 1c"}}},
		{Immediate, Write, "RFC7306-7-05", []string{"1a 2a 2p 1c", "1a 2a 1c 2p"}, nil},
		{Immediate, Read, "RFC7306-7-06", []string{"1a 2a 2p 1p 1c 2g 2l"},
			[]bad{{RemoteOrdering, "1a 2a 1p 2g 1c 2l"}, {LocalPlacement, "1a 2a 1c 2g 2l 1p"}}},
		{Immediate, Atomic, "RFC7306-7-07", []string{"1a 2a 2p 1p 2x 1c 2r 2l"},
			[]bad{{RemoteOrdering, "1a 2a 1p 2x 2r 1c 2l"}, {LocalPlacement, "1a 2a 1c 2x 2r 2l 1p"}}},
		{Immediate, Immediate, "RFC7306-7-08", []string{"1a 2a 2p 1p 1c 2c"}, []bad{{RemoteOrdering, "1a 2a 1p 2p 2c 1c"}}},
		{Send, Immediate, "RFC7306-7-08", []string{"1a 2a 2p 1p 1c 2c"}, []bad{{RemoteOrdering, "1a 2a 1p 2p 2c 1c"}}},
		{Write, Immediate, "RFC7306-7-09", []string{"1a 2a 2p 1p 2c"}, []bad{{RemoteOrdering, "1a 2a 2p 2c 1p"}}},
		{Read, Immediate, "RFC7306-7-10", []string{"1a 2a 2p 2c 1g 1l", "1a 2a 1g 1l 2p 2c"}, nil},
		{Atomic, Immediate, "RFC7306-7-11", []string{"1a 2a 2p 2c 1x 1r 1l", "1a 2a 1x 1r 1l 2p 2c"}, nil},
		{Atomic, Send, "RFC7306-7-12", []string{"1a 2a 2p 2c 1x 1r 1l", "1a 2a 1x 1r 1l 2p 2c"}, nil},
		{Atomic, Write, "RFC7306-7-13", []string{"1a 2a 2p 1x 1r 1l", "1a 2a 1x 1r 1l 2p"}, nil},
		{Atomic, Read, "RFC7306-7-14", []string{"1a 2a 2p 1p 1x 1r 2g 2l 1l"}, []bad{{RemoteOrdering, "1a 2a 1x 2g 1r 1l 2l"}}},
		{Atomic, Atomic, "RFC7306-7-15", []string{"1a 2a 1p 2p 1x 1r 2x 2r 2l 1l"},
			[]bad{{RemotePlacement, "1a 2a 2p 1p 1x 1r 2x 2r"}, {RemoteOrdering, "1a 2a 1p 2p 1x 2x 1r 2r"}, {RemoteOrdering, "1a 2a 1p 2p 2x 1x 1r 2r"}}},
		{Send, Atomic, "RFC7306-7-16", []string{"1a 2a 2p 1p 2x 1c 2r 2l"},
			[]bad{{RemoteOrdering, "1a 2a 1p 2x 2r 1c 2l"}, {LocalPlacement, "1a 2a 1c 2x 2r 2l 1p"}}},
		{Write, Atomic, "RFC7306-7-17", []string{"1a 2a 2p 2x 2r 1p 2l"}, []bad{{LocalPlacement, "1a 2a 2x 2r 2l 1p"}}},
		{Read, Atomic, "RFC7306-7-18", []string{"1a 2a 2p 1p 2x 1g 2r 2l 1l"}, []bad{{RemoteOrdering, "1a 2a 2x 2r 1g 1l 2l"}}},
	} {
		t.Run(fmt.Sprintf("%v then %v", tt.first, tt.second), func(t *testing.T) {
			i := slices.IndexFunc(Rows, func(r Row) bool { return r.First == tt.first && r.Second == tt.second })
			require.GreaterOrEqual(t, i, 0)
			assert.Equal(t, tt.requirement, Rows[i].Requirement)
			rules := 0
			for _, g := range Rows[i].Guarantees {
				assert.NotEmpty(t, g.Text)
				if g.Rule != nil {
					rules++
				}
			}
			violated := map[Column]bool{}
			for _, good := range tt.good {
				assert.Empty(t, Check(trace(t, tt.first, tt.second, good)), good)
			}
			for _, b := range tt.bad {
				found := Check(trace(t, tt.first, tt.second, b.trace))
				require.Len(t, found, 1, b.trace)
				assert.Equal(t, &Rows[i], found[0].Row, b.trace)
				assert.Equal(t, b.column, found[0].Column, b.trace)
				assert.Equal(t, uint64(1), found[0].First.Message)
				assert.Equal(t, uint64(2), found[0].Second.Message)
				violated[b.column] = true

				late := trace(t, tt.first, tt.second, b.trace)
				assert.Empty(t, Check(late[:found[0].Second.Time]), "no violation up to there")
				for i := range late {
					late[i].Time = 5
				}
				assert.Empty(t, Check(late), "simultaneous steps are not too early")
				for i := range late {
					late[i].Time, late[i].Stream = uint64(i), uint32(late[i].Message)
				}
				assert.Empty(t, Check(late), "streams are independent")
			}
			assert.Len(t, violated, rules, "each guarantee has a trace that violates it")
			if rules == 0 {
				assert.GreaterOrEqual(t, len(tt.good), 2, "both orders")
			}
		})
	}
	assert.Len(t, Rows, 25)
	seen := map[string]bool{}
	for _, r := range Rows {
		key := fmt.Sprint(r.First, r.Second)
		assert.False(t, seen[key], "%v appears twice", r)
		seen[key] = true
	}
	assert.Len(t, seen, 25, "every pair of the five operations")
}

// A step that is never taken forbids the steps that depend on it until the stream is reopened.
func TestMissingSteps(t *testing.T) {
	bad := trace(t, Write, Send, "1a 2a 2p 2c")
	assert.Len(t, Check(bad), 1)
	bad = trace(t, Write, Send, "2a 2p 2c 1a 1p")
	bad[3].Message, bad[4].Message = 3, 3
	assert.Empty(t, Check(bad), "a message does not depend on later ones")

	c := NewChecker()
	for _, r := range trace(t, Write, Send, "1a 2a 2p 2c") {
		assert.Empty(t, c.Add(r))
	}
	found := c.Open(3)
	require.Len(t, found, 1, "the violation at the current time")
	assert.Equal(t, "RFC 5040 section 5.5, RDMA Write then Send, ordering at the Remote Peer (Completed after the RDMA Write is Placed and Delivered): "+
		"message 1 has not placed before time 3: stream 3, message 2, Send: completed", found[0].String())
	for _, r := range trace(t, Write, Send, "2a 2p 2c") {
		assert.Empty(t, c.Add(r), "the stream restarts")
	}
	assert.Empty(t, c.Flush())
}

func TestNothingBehindATerminate(t *testing.T) {
	good := append(trace(t, Read, Read, "1a 2a 1g 1l"), Record{Time: 9, Stream: 3, Step: Terminated}, Record{Time: 9, Stream: 3, Message: 2, Operation: Read, Step: Arrived},
		Record{Time: 10, Stream: 4, Step: ResponseLeft, Operation: Read})
	assert.Empty(t, Check(good))
	found := Check(append(good, Record{Time: 11, Stream: 3, Message: 2, Operation: Write, Step: ResponseLeft}))
	require.Len(t, found, 1)
	assert.Nil(t, found[0].Row)
	assert.Equal(t, "RFC 5040 section 5.4: nothing may be sent after a Terminate: time 11: stream 3, message 2, RDMA Write: response left", found[0].String())
	found = Check(append(good, Record{Time: 11, Stream: 3, Step: Terminated}))
	assert.Len(t, found, 1, "one Terminate per stream")
}

// A node that processes messages one after the other satisfies all rows; so does one that delays steps on which nothing
// depends.
func TestOneAfterTheOther(t *testing.T) {
	steps := map[Operation][]Step{
		Send: {Arrived, Placed, Completed}, Immediate: {Arrived, Placed, Completed}, Write: {Arrived, Placed},
		Read: {Arrived, Placed, ReadGenerated, ResponseLeft}, Atomic: {Arrived, Placed, AtomicExecuted, AtomicResponded, ResponseLeft},
	}
	rapid.Check(t, func(t *rapid.T) {
		c := NewChecker()
		time := uint64(0)
		for message := range uint64(rapid.IntRange(1, 30).Draw(t, "messages")) {
			op := Operation(rapid.IntRange(0, 4).Draw(t, "operation"))
			for _, step := range steps[op] {
				time++
				require.Empty(t, c.Add(Record{Time: time, Message: message, Operation: op, Step: step}))
			}
		}
		require.Empty(t, c.Flush())
	})
}

// Compares the checker with a row-by-row evaluation on random traces of a few messages.
func TestAgainstPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ops := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Operation { return Operation(rapid.IntRange(0, 4).Draw(t, "o")) }), 2, 5).Draw(t, "operations")
		var all []Record
		for m, op := range ops {
			all = append(all, Record{Message: uint64(m), Operation: op, Step: Arrived})
		}
		times := map[[2]uint64]uint64{} // of message and step
		for i := range uint64(rapid.IntRange(1, 12).Draw(t, "steps")) {
			m := rapid.IntRange(0, len(ops)-1).Draw(t, "message")
			step := Step(rapid.IntRange(1, 6).Draw(t, "step"))
			key := [2]uint64{uint64(m), uint64(step)}
			if _, there := times[key]; !there {
				times[key] = 1 + i/2
				all = append(all, Record{Time: 1 + i/2, Message: uint64(m), Operation: ops[m], Step: step})
			}
		}
		type broken struct {
			row    *Row
			column Column
			second uint64
		}
		want := map[broken]bool{}
		for second := range ops {
			for first := range second {
				for i, row := range Rows {
					for column, g := range row.Guarantees {
						if row.First != ops[first] || row.Second != ops[second] || g.Rule == nil {
							continue
						}
						at, there := times[[2]uint64{uint64(second), uint64(g.Rule.Second)}]
						before, was := times[[2]uint64{uint64(first), uint64(g.Rule.First)}]
						if there && (!was || before > at) {
							want[broken{&Rows[i], Column(column), uint64(second)}] = true
						}
					}
				}
			}
		}
		got := map[broken]bool{}
		for _, v := range Check(all) {
			got[broken{v.Row, v.Column, v.Second.Message}] = true
		}
		require.Equal(t, want, got)
	})
}

func TestNames(t *testing.T) {
	assert.Equal(t, "Atomic unknown 8", fmt.Sprint(Atomic, " ", Operation(8)))
	assert.Equal(t, "terminated unknown 11", fmt.Sprint(Terminated, " ", Step(11)))
	assert.Equal(t, "placement at the Local Peer", LocalPlacement.String())
}

func BenchmarkChecker(b *testing.B) {
	c := NewChecker()
	b.ReportAllocs()
	n := uint64(0)
	for b.Loop() {
		for _, step := range []Step{Arrived, Placed, AtomicExecuted, AtomicResponded, ResponseLeft} {
			c.Add(Record{Time: 5*n + uint64(step), Message: n, Operation: Atomic, Step: step})
		}
		n++
	}
}
