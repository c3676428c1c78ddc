package system

import (
	"slices"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// blockOctets is a block of memory to which a controller does accesses in order. Accesses of several blocks it may finish in any order.
const blockOctets = 64

// burst is a write burst. Its data follow those of the bursts before it.
type burst struct {
	number  uint64
	id      uint64
	address uint64 // of the next beat
	left    int    // beats not yet taken
	writes  int    // not yet answered
}

// write is a write of octets within a line.
type write struct {
	burst   *burst
	address uint64
	octets  []byte
}

// writes divides the bursts of m_axi_aw and m_axi_w into runs of octets within a line, and answers them on m_axi_b: those of one ID in
// order.
type writes struct {
	aw, w, b cosim.Lane
	bus      uint64
	number   uint64
	filling  []*burst              // data not yet complete
	early    [][]uint64            // beats of data before the address of their burst
	asked    []*write              // not yet sent to memory
	sentTo   []*write              // memory, which has not answered
	owed     [identifiers][]*burst // not answered
}

// takeAddress adds the burst of a beat of m_axi_aw.
func (w *writes) takeAddress(beat []uint64) {
	b := &burst{number: w.number, id: w.aw.Get(beat, "id"), address: w.aw.Get(beat, "addr"), left: int(w.aw.Get(beat, "len")) + 1}
	w.number++
	w.filling = append(w.filling, b)
	w.owed[b.id] = append(w.owed[b.id], b)
}

// takeData adds a beat of m_axi_w.
func (w *writes) takeData(beat []uint64) { w.early = append(w.early, slices.Clone(beat)) }

// divide makes writes of the beats whose address is known.
func (w *writes) divide() {
	for len(w.early) > 0 && len(w.filling) > 0 {
		beat, b := w.early[0], w.filling[0]
		w.early = w.early[1:]
		strobe := w.w.Field("strb")
		line := octetsOf(&w.w, beat)
		for at := 0; at < len(line); at++ {
			from := at
			for at < len(line) && simulator.Bits(beat, strobe.Offset+at, 1) == 1 {
				at++
			}
			if at > from {
				w.asked = append(w.asked, &write{b, b.address + uint64(from), line[from:at]})
				b.writes++
			}
		}
		b.address += w.bus
		if b.left--; b.left == 0 {
			w.filling = w.filling[1:]
		}
	}
}

// next returns the next write for memory; nil if there is none, or if it has to wait for one that memory might do after it.
func (w *writes) next() *write {
	if len(w.asked) == 0 || slices.ContainsFunc(w.sentTo, w.asked[0].waitsFor) {
		return nil
	}
	return w.asked[0]
}

// waitsFor reports whether a write must be done after another one, and memory does not see to it.
func (w *write) waitsFor(other *write) bool {
	last, otherLast := w.address+uint64(len(w.octets))-1, other.address+uint64(len(other.octets))-1
	overlap := w.address <= otherLast && other.address <= last
	alike := w.address/blockOctets == other.address/blockOctets && last/blockOctets == otherLast/blockOctets
	return w.burst.id == other.burst.id && overlap && !alike
}

// sent says that the next write has been sent to memory.
func (w *writes) sent() {
	w.sentTo = append(w.sentTo, w.asked[0])
	w.asked = w.asked[1:]
}

// answer says that memory has done a write.
func (w *writes) answer(done *write) {
	done.burst.writes--
	i := slices.Index(w.sentTo, done)
	w.sentTo = slices.Delete(w.sentTo, i, i+1)
}

// ready returns the burst that is answered next on m_axi_b; nil if none is done.
func (w *writes) ready() (first *burst) {
	for id := range w.owed {
		list := w.owed[id]
		if len(list) > 0 && list[0].left == 0 && list[0].writes == 0 && (first == nil || list[0].number < first.number) {
			first = list[0]
		}
	}
	return first
}

// push offers an answer on m_axi_b if the previous one has been accepted.
func (w *writes) push(e simulator.Engine) (pushed bool, err error) {
	if e.Stats(w.b.Stream).Queued > 0 {
		return false, nil
	}
	b := w.ready()
	if b == nil {
		return false, nil
	}
	w.b.Set(w.b.Grow(), "id", b.id)
	w.owed[b.id] = slices.Delete(w.owed[b.id], 0, 1)
	return true, w.b.Push(e)
}

// idle reports whether no answer is missing.
func (w *writes) idle() bool {
	for id := range w.owed {
		if len(w.owed[id]) > 0 {
			return false
		}
	}
	return len(w.early) == 0
}
