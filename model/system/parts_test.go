package system

import (
	"errors"
	"testing"
	"time"

	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var one = Config{Requesters: 1, Requests: 3, ORD: 3, Words: 2}

// A link whose ports have no component: packets stay in the port until retrieved.
func bareLink(c Config, capacity int) (*sim.SerialEngine, *link, sim.Port, sim.Port) {
	engine := sim.NewSerialEngine()
	a := sim.NewLimitNumMsgPort(nil, capacity, "A")
	b := sim.NewLimitNumMsgPort(nil, capacity, "B")
	return engine, connect(engine, c, a, b), a, b
}

func TestLinkKeepsOrderAndWaitsForRoom(t *testing.T) {
	engine, link, a, b := bareLink(Config{LinkLatency: 10, ORD: 1}, 2)
	var sent []sim.Msg
	for range 5 {
		p := newPacket(0, a, b, []byte{byte(len(sent))})
		sent = append(sent, p)
		require.True(t, link.CanSend(a))
		require.Nil(t, a.Send(p))
	}
	var got []sim.Msg
	for range 5 {
		require.NoError(t, engine.Run())
		for {
			msg := b.Retrieve(engine.CurrentTime())
			if msg == nil {
				break
			}
			got = append(got, msg)
		}
	}
	assert.Equal(t, sent, got, "the port held two; nothing is lost or overtaken")
	assert.Equal(t, 10*time.Nanosecond, nanoseconds(engine.CurrentTime()))
}

// Two packets of one octet: 2 + 1 + 1 + 4 octets of FPDU and 78 of framing are 688 bits, 7 ns at 100 Gbit/s.
func TestLinkSendsOneAfterTheOther(t *testing.T) {
	engine, _, a, b := bareLink(Config{LinkLatency: 1000, LinkRate: 100}, 4)
	require.Nil(t, a.Send(newPacket(0, a, b, []byte{1})))
	require.Nil(t, a.Send(newPacket(0, a, b, []byte{2})))
	require.Nil(t, b.Send(newPacket(0, b, a, []byte{3})), "the other direction is free")
	require.NoError(t, engine.Run())
	for _, want := range []time.Duration{1007, 1014} {
		assert.Equal(t, want, nanoseconds(b.Retrieve(engine.CurrentTime()).Meta().RecvTime))
	}
	assert.Equal(t, 1007*time.Nanosecond, nanoseconds(a.Retrieve(engine.CurrentTime()).Meta().RecvTime))
}

func TestUnpluggedPortCannotSend(t *testing.T) {
	_, link, a, b := bareLink(Config{}, 1)
	link.Unplug(a)
	link.Unplug(a)
	assert.False(t, link.CanSend(a))
	assert.True(t, link.CanSend(b))
	assert.NotNil(t, link.Send(newPacket(0, a, b, nil)))
}

// waiting is a requester with three outstanding requests.
func waiting(t *testing.T) *requester {
	engine, _, a, b := bareLink(one, 3)
	q := newRequester(engine, one, 0, b)
	q.port = a
	q.send(0)
	require.Len(t, q.outstanding, 3)
	return q
}

// A requester rejects invalid responses.
func TestRequesterRefusesWrongResponses(t *testing.T) {
	response := func(msn, id uint32) []byte {
		return wire.AppendAtomicResponse(nil, msn, wire.AtomicResponse{OriginalRequestIdentifier: id})
	}
	for _, tt := range []struct {
		name    string
		segment []byte
		text    string
	}{
		{"a Send", wire.AppendSend(nil, wire.OpSend, 0, 1, 0, true, nil),
			"system: requester 0: segment has opcode Send and error none; allowed: Atomic Response, none"},
		{"a truncated response", response(1, 1)[:29],
			"system: requester 0: segment has opcode Atomic Response and error wrong_length; allowed: Atomic Response, none"},
		{"the second response first", response(2, 2), "system: requester 0: response MSN is 2; allowed: 1, with a request outstanding"},
		{"another request's identifier", response(1, 2), "system: requester 0: response identifier is 2; allowed: 1"},
	} {
		assert.EqualError(t, waiting(t).complete(0, tt.segment), tt.text, tt.name)
	}
	q := waiting(t)
	for id := uint32(1); id <= 3; id++ {
		require.NoError(t, q.complete(0, response(id, id)))
	}
	assert.Error(t, q.complete(0, response(4, 4)), "nothing is outstanding")
}

// checkCounters detects errors from the values that the increments found.
func TestCheckCounters(t *testing.T) {
	for _, tt := range []struct {
		name       string
		completed  int
		increments []increment
		memory     uint64
		text       string
	}{
		{"valid, in any order", 3, []increment{{1, 2}, {1, 0}, {1, 1}}, 3, ""},
		{"a response is missing", 2, nil, 0, "system: requester 0 has 2 responses; allowed: 3, one per request"},
		{"an update was lost", 3, []increment{{1, 0}, {1, 1}, {1, 1}}, 2, "system: counter 1: two increments found the value 1; allowed: one"},
		{"an impossible value", 3, []increment{{1, 0}, {1, 1}, {1, 7}}, 3, "system: counter 1: of 3 increments none found the value 2; allowed: exactly one"},
		{"the memory holds something else", 3, []increment{{1, 0}, {1, 1}, {1, 2}}, 4, "system: counter 1 holds 4; allowed: 3, the number of increments"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := newResponder(sim.NewSerialEngine(), one)
			require.NoError(t, err)
			r.model.Memory().SetWord(regionAddress+8, tt.memory)
			q := &requester{config: one, completions: tt.completed, increments: tt.increments}
			if err = checkCounters([]*requester{q}, r); tt.text == "" {
				assert.NoError(t, err)
				return
			}
			assert.EqualError(t, err, tt.text)
		})
	}
}

// A refused request ends the run with the reason.
func TestRefusedRequest(t *testing.T) {
	engine := sim.NewSerialEngine()
	r, err := newResponder(engine, one)
	require.NoError(t, err)
	a := sim.NewLimitNumMsgPort(nil, 1, "A")
	connect(engine, one, a, r.ports[0])
	segment := wire.AppendAtomicRequest(nil, 1, wire.NewFetchAdd(1, regionSTag, regionBase+1, 1, 0))
	for range 2 {
		require.Nil(t, a.Send(newPacket(0, a, r.ports[0], segment)))
		require.NoError(t, engine.Run())
	}
	_, err = report([]*requester{{err: errors.New("a response is wrong")}}, &responder{})
	assert.EqualError(t, err, "a response is wrong")
	_, err = report(nil, r)
	assert.EqualError(t, err, "system: stream 0: the responder refused a request: misaligned", "only the first reason is reported")
}
