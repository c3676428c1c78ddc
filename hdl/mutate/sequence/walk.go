package sequence

import (
	"math/big"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/hdl/mutate"
	"github.com/rnicgen/rnicgen/hdl/sim"
)

// Walk draws random inputs for a number of cycles that keep the rules of the streams into the module, the first with reset. A walk uses few
// values per input, often differing in one bit only, so that comparisons often match. The rates of offers and acceptance of streams vary
// between walks, and occasionally within one.
func (p *Player) Walk(streams []mutate.AloneStream, clocks int, seed uint64) (Inputs, error) {
	w := &walk{Rand: rand.New(rand.NewPCG(seed, 0)), values: map[string][]*big.Int{}, chance: map[string]float64{}}
	out := Inputs{Ones: w.IntN(2) == 0}
	p.start(out.Ones, "")
	valid, ready := map[string]string{}, map[string]sim.Signal{} // of each input of a stream, by valid
	for _, s := range streams {
		if s.Sink && s.Steady {
			signal, err := p.sim.Signal(s.Ready)
			if err != nil {
				return out, err
			}
			ready[s.Valid] = signal
			for _, name := range append([]string{s.Valid}, s.Fields...) {
				valid[name] = s.Valid
			}
		}
	}
	held := map[string]bool{} // stalled streams, by valid
	before := map[string]*big.Int{}
	for clock := range clocks {
		if w.IntN(phase) == 0 {
			clear(w.values)
			clear(w.chance)
		}
		now := map[string]*big.Int{}
		for _, name := range p.walked {
			if held[valid[name]] {
				now[name] = before[name]
			} else {
				now[name] = w.pick(name, p.inputs[name].Width)
			}
			p.inputs[name].SetWords(words(now[name], p.inputs[name].Width))
		}
		if p.clocked {
			now["rst"] = big.NewInt(0)
			if clock == 0 {
				now["rst"] = big.NewInt(1)
			}
			p.inputs["rst"].SetWords(words(now["rst"], 1))
		}
		p.sim.Eval()
		for valid, signal := range ready {
			held[valid] = clock > 0 && now[valid].Sign() > 0 && signal.Get() == 0
		}
		out.Clocks = append(out.Clocks, now)
		before = now
		p.step()
	}
	return out, nil
}

// phase is the average number of cycles between changes of rates.
const phase = 250

// walk is the state of a walk.
type walk struct {
	*rand.Rand
	values map[string][]*big.Int
	chance map[string]float64 // that a bit is 1
}

// pick draws the value of an input.
func (w *walk) pick(name string, width int) *big.Int {
	if width == 1 {
		if _, is := w.chance[name]; !is {
			w.chance[name] = []float64{0.05, 0.3, 0.5, 0.8, 0.97}[w.IntN(5)]
		}
		if w.Float64() < w.chance[name] {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	if w.values[name] == nil {
		w.values[name] = w.draw(width)
	}
	return w.values[name][w.IntN(len(w.values[name]))]
}

// draw draws the values of an input in a walk: one, some that are close to each other, or many.
func (w *walk) draw(width int) (list []*big.Int) {
	random := func() *big.Int {
		n := new(big.Int)
		for i := range width {
			n.SetBit(n, i, uint(w.IntN(2)))
		}
		return n
	}
	base := new(big.Int)
	switch w.IntN(8) {
	case 0:
	case 1:
		base.Sub(base.Lsh(big.NewInt(1), uint(width)), big.NewInt(1))
	case 2:
		base.SetBit(base, w.IntN(min(width, 8)), 1)
	case 3, 4:
		base = random()
	default:
		for range 1 << (1 + w.IntN(6)) {
			list = append(list, random())
		}
		return list
	}
	list = append(list, base)
	for range w.IntN(6) {
		i := w.IntN(width)
		list = append(list, new(big.Int).SetBit(new(big.Int).Set(base), i, base.Bit(i)^1))
	}
	return list
}
