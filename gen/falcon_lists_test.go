package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// listWork is a work request of the requester with several elements.
type listWork struct {
	id       uint64
	elements int
	octets   uint32
	wrong    bool // an element is, or has no place
	pulls    bool
}

// Work requests of up to more elements than the ring has places, on two QPs that are opened again and again: the elements of each are offered in
// order, but those that have no place; each completes once, in order, with the octets of all.
func TestRequesterLists(t *testing.T) {
	t.Parallel()
	c := newInitiatorConfig().engine()
	c.Streams, c.SendDepth = 2, 8
	everyStall(t, func(t *testing.T, idle, pressure simulator.Stall) {
		b, r := open(t, requesterWithTable(c)), random(5)
		b.stall(idle, pressure)
		row := rowBeat{Index: 1}
		row.Entry.Valid, row.Entry.ByDomain, row.Entry.Base, row.Entry.Length = true, true, 0, 1<<40
		row.Entry.Rights.LocalRead, row.Entry.Rights.LocalWrite = true, true
		push(b, "row", row)
		b.run()
		id, tooLong, unfit, opened := uint64(0), 0, 0, [2]bool{}
		for range 60 {
			s := r.IntN(2)
			if opened[s] && r.IntN(2) == 0 { // a list that does not end, before the QP does
				for range 1 + r.IntN(3) {
					beat := falconWork{Stream: s, Opcode: 0x0C, Length: r.Uint32N(1 << 20), More: true}
					beat.Local.STag = uint32(1+r.IntN(2)) << 8
					push(b, "wqe", beat)
				}
				push(b, "ended", endedBeat{s})
				b.run()
				take[falconMessage](b, "message")
				take[expectingBeat](b, "expecting")
			}
			opened[s] = true
			push(b, "opening", struct {
				Stream int
				Open   bool
				Domain int
			}{s, true, 0})
			b.run()
			for range 1 + r.IntN(3) {
				var list []listWork
				for places := 0; ; {
					w := listWork{id: id, elements: 1 + r.IntN(c.SendDepth+3), pulls: r.IntN(3) == 0}
					if places += min(w.elements, c.SendDepth); places > c.SendDepth && len(list) > 0 {
						break
					}
					id++
					opcode := []spec.Opcode{0x04, 0x0A}[r.IntN(2)]
					if w.pulls {
						opcode = 0x0C
					}
					for i := range w.elements {
						beat := falconWork{Stream: s, ID: w.id, Opcode: opcode, Signaled: true, Length: r.Uint32N(1 << 20), More: i < w.elements-1}
						beat.Local.STag, beat.Local.TO = 1<<8, uint64(r.Uint32())
						if r.IntN(20) == 0 && beat.Length > 0 {
							beat.Local.STag, w.wrong = 2<<8, true
						}
						if i < c.SendDepth-1 || i == w.elements-1 {
							w.octets += beat.Length
						}
						push(b, "wqe", beat)
					}
					if w.elements > c.SendDepth {
						tooLong++
						w.wrong = true
					}
					list = append(list, w)
				}
				b.run()
				messages := take[falconMessage](b, "message")
				for _, w := range list {
					n := min(w.elements, c.SendDepth)
					require.GreaterOrEqual(t, len(messages), n)
					for i, m := range messages[:n] {
						require.Equal(t, []any{s, i == 0, i < n-1}, []any{m.Stream, m.First, m.More}, "element %d of %d", i, w.elements)
					}
					require.Equal(t, w.wrong, messages[n-1].Unfit)
					if w.wrong {
						unfit++
					}
					messages = messages[n:]
					report := workReportBeat{Stream: s, Kind: kindMessage, Final: true}
					if w.wrong {
						report.Outcome = model.LocalProtection
					}
					report.Answers = w.pulls
					push(b, "sent", report)
				}
				require.Empty(t, messages)
				take[expectingBeat](b, "expecting")
				b.run()
				completions := take[outcomeCompletion](b, "completion")
				require.Len(t, completions, len(list))
				for i, w := range list {
					got, want := completions[i], model.Success
					if w.wrong {
						want = model.LocalProtection
					}
					require.Equal(t, []any{s, w.id, want}, []any{got.Stream, got.ID, got.Outcome})
					require.Equal(t, w.octets, got.Length)
				}
			}
		}
		require.Greater(t, tooLong, 20)
		require.Greater(t, unfit, tooLong)
	})
}
