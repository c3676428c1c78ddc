package gen_test

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/falcon"
)

// scoreEffect is a receive that completes, or an Atomic that is released.
type scoreEffect struct {
	receive  bool
	id       uint64
	opcode   uint8
	length   uint32
	received scoreReceived
	request  scoreRequest
	revokes  bool
	arrival  int // 1 + number of the item whose delivery it is part of; 0: any
	mayMiss  bool
	of       *scoreOwed
}

// scoreQP is the reference of a QP, from RoF 6.2 and 8.3.3 and the decisions.
type scoreQP struct {
	low   uint32 // weakly ordered: the first SN that has not counted
	ahead map[uint32]scoreArrival

	open    *scoreMessage
	refused bool   // a request since the latest Write began
	status  uint8  // of the next receive
	id      uint64 // of the receive of the latest part that has one
	rmsn    uint32 // of it
	stopped bool

	over     map[uint32]bool // others: RMSNs of messages that are over
	consumed uint32          // the first one that is not

	weak    bool
	effects []scoreEffect // that have not left
	places  []int         // of arrivals whose place may be the latest
	used    uint32        // receives that the block has reported
	failure int           // expected fault; 0: none
	mayFail bool
	old     []scoreEffect // of the life before
	scoreOwed
	age  int // cycles since it was opened
	life int // number of the request in the arrival of the opening
}

// scoreMessage is an open message.
type scoreMessage struct {
	send   bool
	octets uint32
}

func newScoreQP() *scoreQP {
	return &scoreQP{low: 1, ahead: map[uint32]scoreArrival{}, rmsn: 1, over: map[uint32]bool{}, consumed: 1, age: 1 << 20}
}

// accept is the reference of an arrival.
func (b *scoreBench) accept(a scoreArrival) {
	q := b.qps[a.Request.Stream]
	b.number++
	if a.Opens {
		b.seen["forgotten"] += len(q.owed)
		fresh := newScoreQP()
		fresh.before = append(q.before, &q.scoreOwed)
		fresh.old, fresh.age, fresh.places = append(q.old, q.effects...), 0, []int{0}
		fresh.life = a.Request.Number
		fresh.mayFail = q.failure != 0 || q.mayFail
		b.qps[a.Request.Stream] = fresh
		b.seen["opening"]++
		return
	}
	q.places = append(q.places, a.Place)
	has := a.Kind != 0 || a.Answer.Reply != 0
	if has {
		b.items = append(b.items, scoreItem{a, b.number, q})
	}
	at := 0
	if has {
		at = b.number
	}
	ends := a.Kind&scoreEnd != 0
	switch {
	case !a.Counts:
	case !a.Weak:
		q.weak = false
		b.take(q, a, at)
		if a.Part.Receives && a.Part.Ends {
			q.over[a.Part.RMSN] = true
			for q.over[q.consumed] {
				delete(q.over, q.consumed)
				q.consumed++
			}
		}
	default:
		q.weak = true
		if a.Waits && q.stopped {
			q.owe(a.Request)
			return
		}
		q.ahead[a.SN] = a
		if a.SN-q.low >= uint32(2*b.window()) && !q.stopped { // I-121
			b.fail(q, falcon.FaultWindow)
			for i := range q.effects { // what it has overtaken
				q.effects[i].mayMiss = true
			}
			return
		}
		for next, is := q.ahead[q.low]; is; next, is = q.ahead[q.low] {
			delete(q.ahead, q.low)
			b.take(q, next, 0)
			q.low++
		}
		b.seen[fmt.Sprintf("ahead %t", len(q.ahead) > 0)]++
	}
	if ends {
		b.ends(q, a, at)
		q.stop()
		for i := range q.effects {
			q.effects[i].mayMiss = a.Weak
		}
		if q.failure != 0 {
			q.mayFail, q.failure = true, 0
		}
	}
}

// take adds a part to its message: in the order of SN if the QP is weakly ordered. at is the item with which its receive completes.
func (b *scoreBench) take(q *scoreQP, a scoreArrival, at int) {
	p := a.Part
	if q.stopped {
		return
	}
	if a.Weak && p.Pull && q.open != nil {
		b.fail(q, falcon.FaultPlace)
		if b.seen["pull inside"]++; a.Waits {
			q.owe(a.Request)
		}
		return
	}
	if a.Waits && a.Weak {
		q.effects = append(q.effects, scoreEffect{request: a.Request, arrival: at, of: &q.scoreOwed})
		return
	}
	// I-103: what is refused from a Write's First on
	switch {
	case p.Refused:
		q.refused = true
	case p.Write && p.Starts:
		q.refused = false
	}
	if a.Weak && (p.Send || p.Write) && ((q.open != nil) == p.Starts || !p.Starts && q.open.send != p.Send) {
		b.fail(q, falcon.FaultPlace)
		return
	}
	if p.Receives && a.Weak && p.RMSN != q.rmsn {
		b.fail(q, falcon.FaultRMSN)
		return
	}
	if q.status == 0 && p.Receives {
		if q.status = p.Status; q.status == 0 && p.Write && q.refused {
			q.status = 4
		}
	}
	wrong := false
	octets := p.Octets
	if p.Send && !p.Starts && q.open != nil {
		octets += q.open.octets
	}
	if a.Weak && p.Send && q.status == 0 && p.Offset+p.Octets != octets {
		wrong, q.status = true, 3
	}
	if p.Send || p.Write {
		q.open = nil
		if !p.Ends {
			q.open = &scoreMessage{p.Send, octets}
		}
	}
	broken := wrong && a.Verbs
	if p.Receives {
		q.id = p.ID
	}
	if p.Receives && (p.Ends || broken) {
		e := scoreEffect{receive: true, id: p.ID, opcode: a.Opcode, received: scoreReceived{Status: q.status}, arrival: at, of: &q.scoreOwed}
		e.received.SourceQP = a.Received.SourceQP
		if q.status == 0 {
			e.received.Word, e.received.Solicited, e.revokes = a.Received.Word, a.Received.Solicited, p.Revokes
			if p.Send {
				e.length = octets
			}
			if p.Revokes {
				b.revokes[a.Received.Word>>8] = true
			}
		}
		b.seen[fmt.Sprintf("status %d, weak %t", q.status, a.Weak)]++
		q.effects = append(q.effects, e)
		q.status = 0
		if a.Weak {
			q.rmsn++
		}
	}
	if broken {
		b.fail(q, falcon.FaultIncomplete)
	}
	if a.Verbs && p.Refused && !q.stopped { // the end is on its way
		q.stop()
	}
}

// ends completes the receive of the open message if it has an error (I-103). On a weakly ordered QP parts of it may wait.
func (b *scoreBench) ends(q *scoreQP, a scoreArrival, at int) {
	if q.status == 0 {
		return
	}
	if a.Weak {
		at = 0
	}
	q.effects = append(q.effects, scoreEffect{receive: true, id: q.id, received: scoreReceived{Status: q.status, SourceQP: a.Received.SourceQP}, arrival: at, of: &q.scoreOwed})
	q.status = 0
}

func (b *scoreBench) fail(q *scoreQP, fault int) {
	q.failure, q.fault = fault, true
	q.stop()
	b.seen[fmt.Sprint("fault ", fault)]++
}
