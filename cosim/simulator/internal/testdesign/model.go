package testdesign

import "github.com/rnicgen/rnicgen/cosim/simulator"

// model holds the port values of a behaviour by name.
type model struct {
	ports    [][]uint64
	byName   map[string][]uint64
	behavior behavior
}

type behavior interface {
	settle(m *model)
	clock(m *model)
}

func newModel(d *simulator.Design, b behavior) *model {
	m := &model{byName: map[string][]uint64{}, behavior: b}
	for _, p := range d.Ports {
		value := make([]uint64, p.Words())
		m.ports = append(m.ports, value)
		m.byName[p.Name] = value
	}
	return m
}

func (m *model) Set(port int, value []uint64) { copy(m.ports[port], value) }
func (m *model) Get(port int, value []uint64) { copy(value, m.ports[port]) }
func (m *model) Settle()                      { m.behavior.settle(m) }
func (m *model) Clock()                       { m.behavior.clock(m) }

func (m *model) high(port string) bool { return m.byName[port][0] != 0 }

func (m *model) set(port string, value uint64) { m.byName[port][0] = value }

func (m *model) setBit(port string, high bool) {
	m.set(port, 0)
	if high {
		m.set(port, 1)
	}
}

// fifo behaves as fifo.v. The RAM keeps old words, which remain visible on the output of an empty FIFO.
type fifo struct {
	data, last [16]uint64
	head, tail uint64
}

func (f *fifo) settle(m *model) {
	m.set("level", f.tail-f.head)
	m.setBit("s_ready", f.tail-f.head < 16)
	m.setBit("stored_valid", m.high("s_valid") && f.tail-f.head < 16)
	m.set("stored_data", m.byName["s_data"][0]^m.byName["mask"][0])
	m.setBit("m_valid", f.tail != f.head)
	m.set("m_data", f.data[f.head%16])
	m.set("m_last", f.last[f.head%16])
}

func (f *fifo) clock(m *model) {
	push := m.high("s_valid") && f.tail-f.head < 16
	pop := f.tail != f.head && m.high("m_ready")
	if push {
		f.data[f.tail%16] = m.byName["s_data"][0] ^ m.byName["mask"][0]
		f.last[f.tail%16] = m.byName["s_last"][0]
		f.tail++
	}
	if pop {
		f.head++
	}
	if m.high("rst") {
		f.head, f.tail = 0, 0
	}
}

// wide behaves as wide.v.
type wide struct {
	valid bool
	beat  [5][9]uint64
}

var wideFields = []string{"byte", "header", "short", "quad", "wide"}

func (w *wide) settle(m *model) {
	m.setBit("b_valid", w.valid)
	for i, f := range wideFields {
		copy(m.byName["b_"+f], w.beat[i][:])
	}
	m.setBit("a_ready", !w.valid || m.high("b_ready"))
	m.setBit("d_valid", m.high("c_valid"))
	m.setBit("c_ready", m.high("d_ready"))
	m.set("d_word", ^m.byName["c_word"][0]&0xFFFFFFFF)
}

func (w *wide) clock(m *model) {
	if !w.valid || m.high("b_ready") {
		w.valid = m.high("a_valid")
		for i, f := range wideFields {
			copy(w.beat[i][:], m.byName["a_"+f])
		}
	}
	if m.high("rst") {
		w.valid = false
	}
}
