package atomic

import (
	"fmt"
	"math/big"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// tableState is the state of the table of words in use.
type tableState int

const (
	clearing tableState = iota // clearing every row after reset
	running
)

func (s tableState) String() string { return [...]string{"clearing", "running"}[s] }

// atomicWays is the associativity of the table. It has as many sets as atomics can be in progress.
const (
	atomicWayBits = 2
	atomicWays    = 1 << atomicWayBits
)

// setPolynomials are primitive polynomials over GF(2), by degree; bit i is the coefficient of x^i.
var setPolynomials = map[int]uint64{4: 0x13, 5: 0x25, 6: 0x43, 7: 0x83, 8: 0x11d, 9: 0x211, 10: 0x409, 11: 0x805, 12: 0x1053}

// setOfWord hashes a word's address: the remainder modulo a primitive polynomial, so that words at a distance of any power of two,
// and the rows of most matrices, fall into different sets. The low width bits of the address follow from the set and the other bits.
func setOfWord(word hdl.Value, width int) hdl.Value {
	marks := make([]*big.Int, width) // by bit of the remainder: contributing bits of the address
	for b := range marks {
		marks[b] = new(big.Int)
	}
	power := uint64(1) // x^i modulo the polynomial
	for i := range word.Width() {
		for b := range marks {
			marks[b].SetBit(marks[b], i, uint(power>>b&1))
		}
		if power <<= 1; power>>width&1 == 1 {
			power ^= setPolynomials[width]
		}
	}
	var parts []hdl.Value // most significant first
	for b := width - 1; b >= 0; b-- {
		parts = append(parts, word.And(hdl.Hex(word.Width(), marks[b].Uint64())).Parity())
	}
	return hdl.Cat(parts...)
}

// lookUp determines for each request, one per cycle, whether an atomic in progress uses its word, and assigns it a number and a row.
// It returns the number of this use of the row.
//
// Each row has two counts of uses, issued and finished, and is in use while they differ. They are in separate memories with one writer
// each, and nothing is ever decremented.
func (u *atomicUnit) lookUp(room hdl.Value, finished atomicRelease) (use hdl.Value) {
	m, p, setWidth := u.Module, u.p, u.index

	m.Section("Look up: the rows of the set are read while the request advances")
	state := hdl.NewFSM(m, "state", clearing, running)
	sweep := m.Reg("sweep_q", setWidth, hdl.ResetTo(0))
	isRunning := m.Let("is_running", state.Is(running))
	m.Drive(p.Ready, isRunning)
	request := newAtomicTask(p.Req.Data)
	m.Unused("a word is aligned", p.Req.Data.Address.Slice(2, 0))
	lookup := hdl.NewRegOf(m, "lookup", request, hdl.NoReset)
	lookupSet := m.Reg("lookup_set_q", setWidth, hdl.NoReset)
	lookupValid := m.Reg("lookup_valid_q", 1, hdl.ResetTo(0))
	u.task = lookup.Q
	advance := m.Let("advance", isRunning.And(lookupValid.Not().Or(u.issue.Value)))
	take := m.Let("take", p.Req.Valid.And(advance))
	p.Req.Accept(m, advance)
	requestSet := m.Let("request_set", setOfWord(request.Word, setWidth))
	m.OnClock(
		state.Switch(
			state.In(clearing, sweep.Set(sweep.Plus(1)), hdl.If(sweep.All(), state.Go(running))),
			state.In(running)),
		hdl.If(advance, lookupValid.Set(p.Req.Valid)),
		hdl.If(take, lookup.Set(request), lookupSet.Set(requestSet)))
	m.Note("The rows are read for an accepted request, and again in each cycle in which it waits.")
	reads := m.Let("read_rows", take.Or(lookupValid.Value))
	readSet := m.Let("read_set", hdl.Mux(take, requestSet, lookupSet.Value))

	m.Section("Rows: {rest of the word's address, uses issued} and uses finished")
	tag := lookup.Q.Word.Slice(lookup.Q.Word.Width()-1, setWidth)
	clear := m.Let("clear", isRunning.Not())
	issuedSet := m.Let("issued_set", hdl.Mux(isRunning, lookupSet.Value, sweep.Value))
	issuedRow := m.Wire("issued_row", tag.Width()+u.number)
	finishedSet := m.Let("finished_set", hdl.Mux(isRunning, finished.Row.Slice(finished.Row.Width()-1, atomicWayBits), sweep.Value))
	finishedUse := m.Let("finished_use", hdl.Mux(isRunning, finished.Use, hdl.Zero(u.number)))
	m.Note("A row released in this cycle still holds its word, and appears in use for one more cycle.")
	var ways [atomicWays]struct{ issue, uses, busy, hit hdl.Value }
	var issues [atomicWays]hdl.Wire
	for i := range ways {
		w := &ways[i]
		issues[i] = m.Wire(fmt.Sprintf("issue_%d", i), 1)
		rows := m.Memory(fmt.Sprintf("rows_%d", i), tag.Width()+u.number, u.c.AtomicDepth)
		rows.Write(clear.Or(issues[i].Value), issuedSet, issuedRow.Value)
		row := rows.Read(fmt.Sprintf("row_%d_q", i), reads, readSet, hdl.ReadNew)
		uses := m.Memory(fmt.Sprintf("uses_%d", i), u.number, u.c.AtomicDepth)
		uses.Write(clear.Or(u.released.And(finished.Row.Truncate(atomicWayBits).Is(uint64(i)))), finishedSet, finishedUse)
		done := uses.Read(fmt.Sprintf("done_%d_q", i), reads, readSet, hdl.ReadOld)
		w.uses = row.Truncate(u.number)
		w.busy = m.Let(fmt.Sprintf("busy_%d", i), w.uses.Ne(done))
		w.hit = m.Let(fmt.Sprintf("hit_%d", i), w.busy.And(row.Slice(row.Width()-1, u.number).Eq(tag)))
	}

	m.Section("Issue: the word is in the unit or on its way; otherwise it is read into an unused row")
	arValid := m.Reg("ar_valid_q", 1, hdl.ResetTo(0))
	lanes := u.lane + 3 // octets of a beat, as a power of two
	arBeat := m.Reg("ar_beat_q", 64-lanes, hdl.NoReset)
	var hits, busy []hdl.Value
	for _, w := range ways {
		hits, busy = append(hits, w.hit), append(busy, w.busy)
	}
	hit := m.Let("hit", hdl.AnyOf(hits...))
	u.fetch = m.Let("fetch", hit.Not())
	arFree := m.Let("ar_free", arValid.Not().Or(p.Read.AR.Ready))
	can := m.Let("can_issue", hit.Or(hdl.AllOf(busy...).Not().And(arFree)))
	m.Drive(u.issue.Out(), hdl.AllOf(lookupValid.Value, room, can))
	read := m.Let("read", u.issue.And(u.fetch))
	var chosen, uses []hdl.Value
	for i := range ways {
		claim := ways[i].busy.Not()
		if i > 0 {
			claim = claim.And(hdl.AllOf(busy[:i]...))
		}
		chosen = append(chosen, m.Let(fmt.Sprintf("chosen_%d", i), hdl.Mux(hit, ways[i].hit, claim)))
		uses = append(uses, ways[i].uses.And(chosen[i].Replicate(u.number)))
		m.Drive(issues[i].Out(), u.issue.And(chosen[i]))
	}
	u.row = m.Let("row", hdl.Cat(lookupSet.Value, chosen[2].Or(chosen[3]), chosen[1].Or(chosen[3])))
	before := uses[0]
	for _, n := range uses[1:] {
		before = before.Or(n)
	}
	use = m.Let("issued_uses", m.Let("uses_before", before).Plus(1))
	m.Drive(issuedRow.Out(), hdl.Mux(isRunning, hdl.Cat(tag, use), hdl.Zero(issuedRow.Width())))
	m.OnClock(
		hdl.If(arFree, arValid.Set(read)),
		hdl.If(read, arBeat.Set(lookup.Q.Word.Slice(60, u.lane))))
	p.Read.AR.Drive(m, arValid.Value, block.ARBeat{ID: hdl.Const(block.AXIIDBits, block.AXIAtomic), Addr: hdl.Cat(arBeat.Value, hdl.Zero(lanes)),
		Len: hdl.Zero(8), Size: hdl.Const(3, uint64(lanes)), Burst: hdl.Const(2, 1)})
	u.read = read
	return use
}
