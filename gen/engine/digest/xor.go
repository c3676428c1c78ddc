package digest

import (
	"slices"

	"github.com/rnicgen/rnicgen/hdl"
)

// lutInputs is how many bits are added up at once: the inputs of a LUT of most FPGAs of today.
const lutInputs = 6

// sharedGroup are count outputs of a linear function, from number from on. The inputs that change the same of these outputs are a class.
// They are added up once, and an output is the sum of half of these sums.
type sharedGroup struct {
	from, count int
	classes     [][]int // inputs
	patterns    []int   // outputs of the group that a class changes
}

// share divides the outputs of a function into groups of at most most.
func (f linear) share(outputs, most int) (groups []sharedGroup) {
	for from := 0; from < outputs; from += most {
		g := sharedGroup{from: from, count: min(most, outputs-from)}
		for pattern, class := range f.classes(from, g.count) {
			if pattern > 0 && len(class) > 0 {
				g.classes, g.patterns = append(g.classes, class), append(g.patterns, pattern)
			}
		}
		groups = append(groups, g)
	}
	return groups
}

// outputs are, for each output of the group, those of sums, one bit per class, that it adds up, and plus if it is set.
func (g sharedGroup) outputs(sums, plus hdl.Value) (lists [][]hdl.Value) {
	for output := range g.count {
		var list []hdl.Value
		for i, pattern := range g.patterns {
			if pattern>>output&1 == 1 {
				list = append(list, sums.Bit(i))
			}
		}
		if plus.Width() > 0 {
			list = append(list, plus.Bit(g.from+output))
		}
		lists = append(lists, list)
	}
	return lists
}

// firstSums divides the inputs of a class into sums of up to lutInputs, and the rest. Few inputs are left: each half of the outputs adds them
// up, which takes less than a LUT of their own.
func firstSums(class []int) (sums [][]int, rest []int) {
	const worth = 4
	for len(class) >= worth {
		n := min(lutInputs, len(class))
		sums, class = append(sums, class[:n]), class[n:]
	}
	return sums, class
}

// halves divides the outputs of the group into two halves, and adds up the items of all classes that change the same outputs of a half.
// of are these outputs, 1 bit each, of every sum.
func (g sharedGroup) halves(items [][]hdl.Value) (of []int, lists [][]hdl.Value) {
	low := 1<<(g.count/2) - 1
	for _, half := range []int{low, 1<<g.count - 1 - low} {
		for outputs := 1; outputs <= half; outputs++ {
			if outputs&^half != 0 {
				continue
			}
			var list []hdl.Value
			for i, pattern := range g.patterns {
				if pattern&half == outputs {
					list = append(list, items[i]...)
				}
			}
			if len(list) > 0 {
				of, lists = append(of, outputs), append(lists, list)
			}
		}
	}
	return of, lists
}

// parts is how many times lutInputs of n bits are added up, so that with the other bits no more than lutInputs are left, if possible.
func parts(n int) int { return min(n/lutInputs, max(0, n-2)/(lutInputs-1)) }

// add adds up the bits of each list, at most lutInputs at once: bit i of the result is the sum of list i. It names sums of sums.
func add(m *hdl.Module, name string, lists [][]hdl.Value) hdl.Value {
	lists = slices.Clone(lists)
	var part, sums []hdl.Value // most significant first
	var of []int
	for i, list := range lists {
		n := parts(len(list))
		of = append(of, n)
		for range n {
			part, list = slices.Insert(part, 0, parity(list[:lutInputs])), list[lutInputs:]
		}
		lists[i] = list
	}
	if len(part) > 0 {
		name += "_part"
		rest := m.Let(name, hdl.Cat(part...))
		for i, n := range of {
			for range n {
				lists[i] = append(slices.Clone(lists[i]), rest.Bit(0))
				if rest.Width() > 1 {
					rest = rest.Slice(rest.Width()-1, 1)
				}
			}
		}
		return add(m, name, lists)
	}
	for _, list := range slices.Backward(lists) {
		sums = append(sums, parity(list))
	}
	return hdl.Cat(sums...)
}

// parity is the sum of bits.
func parity(list []hdl.Value) hdl.Value { return hdl.Cat(list...).Parity() }

// bitsOf are the bits with these numbers.
func bitsOf(v hdl.Value, numbers []int) (list []hdl.Value) {
	for _, n := range numbers {
		list = append(list, v.Bit(n))
	}
	return list
}
