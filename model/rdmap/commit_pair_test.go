package rdmap

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/ordering"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// commitOrders are the operations of the ordering tables.
var commitOrders = map[spec.Order]ordering.Operation{spec.OrderSend: ordering.Send, spec.OrderWrite: ordering.Write, spec.OrderRead: ordering.Read,
	spec.OrderAtomic: ordering.Atomic, spec.OrderImmediate: ordering.Immediate, spec.OrderFlush: ordering.Flush, spec.OrderVerify: ordering.Verify,
	spec.OrderAtomicWrite: ordering.AtomicWrite}

// commitSteps returns the steps that the execution of a request takes.
func commitSteps(o ordering.Operation) []ordering.Step {
	switch o {
	case ordering.Read:
		return []ordering.Step{ordering.ReadGenerated, ordering.ResponseLeft}
	case ordering.Atomic:
		return []ordering.Step{ordering.AtomicExecuted, ordering.AtomicResponded, ordering.ResponseLeft}
	}
	return []ordering.Step{ordering.Begun, ordering.Executed, ordering.Responded, ordering.ResponseLeft}
}

// commitTrace records the steps of the messages that a responder receives.
type commitTrace struct {
	time    uint64
	message uint64
	inside  bool // a segment of the message has arrived
	records []ordering.Record
	queued  []ordering.Record // arrivals of requests that have not been executed
}

func (c *commitTrace) add(r ordering.Record, steps ...ordering.Step) {
	for _, step := range steps {
		c.time++
		r.Time, r.Step = c.time, step
		c.records = append(c.records, r)
	}
}

func (c *commitTrace) arrive(segment []byte) {
	parts, _ := wire.ClassifyWith(spec.Commit, segment)
	row, _ := spec.Commit.Operation(parts.Header.Opcode)
	r := ordering.Record{Message: c.message, Operation: commitOrders[row.Order]}
	if !c.inside {
		c.add(r, ordering.Arrived)
	}
	if c.inside = !parts.Header.Last; c.inside {
		return
	}
	c.message++
	switch r.Operation {
	case ordering.Send, ordering.Immediate:
		c.add(r, ordering.Placed, ordering.Completed)
	case ordering.Write:
		c.add(r, ordering.Placed)
	default:
		c.add(r, ordering.Placed)
		c.queued = append(c.queued, r)
	}
}

func (c *commitTrace) execute() {
	r := c.queued[0]
	c.queued = c.queued[1:]
	c.add(r, commitSteps(r.Operation)...)
}

// Random work requests of all nine kinds from one engine to another, with random progress on both sides: all succeed and
// complete in the order of posting, the responder's trace violates no row of the ordering tables, and every digest is
// that of the flushed octets.
func TestCommitPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ends := [2]*Engine{}
		for i := range ends {
			e, err := NewEngine(EngineConfig{Streams: 1, STags: 16, IRD: 3, ORD: 3, ReceiveDepth: 64, SendDepth: 64, MaxPayload: 16, Extensions: spec.Commit})
			require.NoError(t, err)
			attributes := memory.Attributes{Hash: memory.CRC32C, Type: memory.Flushable}
			require.NoError(t, e.SetRegion(1, memory.Region{Valid: true, Rights: everything | memory.FlushPersistent | memory.FlushVisible | memory.Verifiable,
				Length: 0x1000, Address: 0x10000, Attributes: attributes}))
			e.Open(0, 0)
			ends[i] = e
		}
		from, to := ends[0], ends[1]
		text := []byte("The octets that are written, flushed and verified.")
		from.Memory().Write(0x10000, text)
		digest := from.Memory().Digest(nil, memory.CRC32C, 0x10000, uint64(len(text)))

		var posted []wire.Opcode
		post := func(w WorkRequest) {
			w.ID, w.Signaled = uint64(len(posted)), true
			require.False(t, from.PostSend(w))
			posted = append(posted, w.Opcode)
		}
		// The octets are there and flushed before anything else, so that a Verify has one right answer.
		whole := WorkRequest{Local: Buffer{0x100, 0}, Remote: Buffer{0x100, 0x100}, Length: uint32(len(text))}
		write := whole
		write.Opcode = wire.OpWrite
		post(write)
		write.Opcode, write.Commit = wire.OpFlushRequest, CommitOperands{Flags: wire.Persistence}
		post(write)
		kinds := append(spec.Commit.All(spec.Requests|spec.Send|spec.Immediate), wire.OpWrite)
		for range rapid.IntRange(1, 20).Draw(t, "messages") {
			w := whole
			w.Opcode = rapid.SampledFrom(kinds).Draw(t, "opcode")
			switch {
			case w.Opcode == wire.OpVerifyRequest:
				w.Local.TO, w.Commit = 0x800, CommitOperands{Algorithm: memory.CRC32C, Compare: rapid.Bool().Draw(t, "compare")}
				copy(w.Commit.Hash[:], digest)
			case w.Opcode == wire.OpFlushRequest:
				w.Commit.Flags = wire.Disposition(rapid.IntRange(1, 3).Draw(t, "flags"))
			default: // elsewhere
				w.Local.TO, w.Remote.TO = 0x400, 0x400
			}
			if spec.Commit.Is(w.Opcode, spec.Receives) {
				require.False(t, to.PostReceive(ReceiveRequest{Buffer: Buffer{0x100, 0x600}, Length: 0x100}))
			}
			post(w)
		}

		var c commitTrace
		var going, coming [][]byte
		copies := func(list [][]byte) (all [][]byte) {
			for _, s := range list {
				all = append(all, append([]byte(nil), s...))
			}
			return all
		}
		done := 0
		for idle := 0; idle < 200; idle++ {
			switch rapid.IntRange(0, 3).Draw(t, "who") {
			case 0:
				if segments, progress := from.Transmit(0); progress == Transmitted {
					going, idle = append(going, copies(segments)...), 0
				}
				for from.Left(0) {
				}
			case 1:
				if queued, _ := to.Queued(0); len(going) > 0 && queued < 3 {
					c.arrive(going[0])
					require.Equal(t, spec.None, to.Receive(0, going[0]).Error)
					going, idle = going[1:], 0
				}
			case 2:
				if segments, x := to.Execute(0); x != nil {
					require.Equal(t, ExecutedRequest, x.Kind)
					coming, idle = append(coming, copies(segments)...), 0
					c.execute()
				}
			case 3:
				if len(coming) > 0 {
					require.Equal(t, spec.None, from.Receive(0, coming[0]).Error)
					coming, idle = coming[1:], 0
				}
			}
			for d, ok := from.NextSent(0); ok; d, ok = from.NextSent(0) {
				require.Equal(t, uint64(done), d.ID)
				require.Equal(t, StatusSuccess, d.Status)
				done++
				if d.Opcode == wire.OpVerifyRequest {
					require.True(t, from.Memory().Equal(0x10800, digest))
				}
			}
			if done == len(posted) {
				break
			}
		}
		require.Equal(t, len(posted), done)
		require.Empty(t, ordering.Check(c.records))
	})
}
