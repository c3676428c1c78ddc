package rdmap

import (
	"encoding/binary"
	"testing"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/assert"
)

// Each function repeats one message, as in a long comparison run.

func writeLoop(t testing.TB) func() {
	e := node(t)
	segment := wire.AppendWrite(nil, 0x1A1, 0x1000, true, make([]byte, 64))
	return func() {
		if e.Receive(1, segment).Error != spec.None {
			panic("refused")
		}
	}
}

func fetchAddLoop(t testing.TB) func() {
	e := node(t)
	segment, msn := wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(1, 0x1A1, 0x1000, 1, 0)), uint32(1)
	return func() {
		binary.BigEndian.PutUint32(segment[10:], msn)
		msn++
		if e.Receive(1, segment).Error != spec.None {
			panic("refused")
		}
		if _, x := e.Execute(1); x == nil {
			panic("nothing to execute")
		}
	}
}

func sendLoop(t testing.TB) func() {
	e := node(t)
	segment, msn := wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, make([]byte, 64)), uint32(1)
	return func() {
		binary.BigEndian.PutUint32(segment[10:], msn)
		msn++
		e.PostReceive(receiveAt(1, 0x1000, 64))
		if e.Receive(1, segment).Error != spec.None {
			panic("refused")
		}
		if _, ok := e.NextReceived(1); !ok {
			panic("not complete")
		}
	}
}

func transmitLoop(t testing.TB) func() {
	e := node(t, func(c *EngineConfig) { c.MaxPayload = 256 })
	return func() {
		e.PostSend(WorkRequest{Stream: 1, Signaled: true, Opcode: wire.OpSend, Local: Buffer{0x1A1, 0x1000}, Length: 64})
		if _, progress := e.Transmit(1); progress != Transmitted {
			panic("not transmitted")
		}
		e.Left(1)
		if _, ok := e.NextSent(1); !ok {
			panic("not complete")
		}
	}
}

func readLoop(t testing.TB) func() {
	e := node(t, func(c *EngineConfig) { c.MaxPayload = 256 })
	response := wire.AppendReadResponse(nil, 0x1A1, 0x1000, true, make([]byte, 64))
	request, msn := wire.AppendReadRequest(nil, 1, wire.ReadRequest{ReadMessageSize: 64, DataSourceSTag: 0x1A1, DataSourceTO: 0x1040}), uint32(1)
	return func() {
		e.PostSend(WorkRequest{Stream: 1, Signaled: true, Opcode: wire.OpReadRequest, Local: Buffer{0x1A1, 0x1000}, Length: 64})
		e.Transmit(1)
		if e.Receive(1, response).Error != spec.None {
			panic("refused")
		}
		if _, ok := e.NextSent(1); !ok {
			panic("not complete")
		}
		binary.BigEndian.PutUint32(request[10:], msn)
		msn++
		if e.Receive(1, request).Error != spec.None {
			panic("refused")
		}
		e.Execute(1)
	}
}

var loops = map[string]func(testing.TB) func(){
	"write 64":           writeLoop,
	"fetchadd":           fetchAddLoop,
	"send 64":            sendLoop,
	"send 64, requester": transmitLoop,
	"read 64, both ends": readLoop,
}

func TestEngineDoesNotAllocate(t *testing.T) {
	for name, loop := range loops {
		do := loop(t)
		do()
		assert.Zero(t, testing.AllocsPerRun(100, do), name)
	}
}

func BenchmarkEngine(b *testing.B) {
	for _, name := range []string{"write 64", "fetchadd", "send 64", "send 64, requester", "read 64, both ends"} {
		b.Run(name, func(b *testing.B) {
			do := loops[name](b)
			b.ReportAllocs()
			for b.Loop() {
				do()
			}
		})
	}
}
