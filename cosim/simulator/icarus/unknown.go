package icarus

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// watch checks that a design that started in an unknown state has known outputs after reset: every valid, every ready, every
// field of a beat while its valid is high, and every output that belongs to no stream.
type watch struct {
	seed   uint64
	reset  int   // port, -1: none
	always []int // outputs
	beats  []beat
}

// beat is a stream's valid and its fields.
type beat struct {
	stream string
	valid  int
	fields []int
}

func newWatch(d *simulator.Design, seed uint64) (*watch, error) {
	w := &watch{seed: seed, reset: -1}
	find := map[string]int{}
	for i, p := range d.Ports {
		find[p.Name] = i
	}
	if d.Reset != "" {
		w.reset = find[d.Reset]
	}
	fields := map[int]bool{}
	for i, s := range d.Streams {
		layout, err := d.Layout(i)
		if err != nil {
			return nil, err
		}
		b := beat{stream: s.Name, valid: find[s.Valid]}
		for _, f := range layout.Fields {
			b.fields = append(b.fields, f.Port)
			fields[f.Port] = true
		}
		if s.Dir == simulator.Source {
			w.beats = append(w.beats, b)
		}
	}
	for i, p := range d.Ports {
		if p.Dir == simulator.Out && !fields[i] {
			w.always = append(w.always, i)
		}
	}
	return w, nil
}

// check checks the outputs of a settled cycle.
func (w *watch) check(m *model) error {
	if w.reset >= 0 && m.value(w.reset)[0] != 0 {
		return nil
	}
	for _, port := range w.always {
		if err := w.known(m, port, ""); err != nil {
			return err
		}
	}
	for _, b := range w.beats {
		if m.value(b.valid)[0] == 0 {
			continue
		}
		for _, f := range b.fields {
			if err := w.known(m, f, b.stream); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *watch) known(m *model, port int, stream string) error {
	for _, word := range m.unknown(port) {
		if word != 0 {
			return &simulator.UnknownError{Signal: m.design.Ports[port].Name, Stream: stream, Value: m.text(port), Seed: w.seed}
		}
	}
	return nil
}

// text formats a port's value in binary, with x for unknown bits.
func (m *model) text(port int) string {
	width := m.design.Ports[port].Width
	var b strings.Builder
	fmt.Fprintf(&b, "%d'b", width)
	for i := width - 1; i >= 0; i-- {
		switch {
		case m.unknown(port)[i/64]>>(i%64)&1 != 0:
			b.WriteByte('x')
		case m.value(port)[i/64]>>(i%64)&1 != 0:
			b.WriteByte('1')
		default:
			b.WriteByte('0')
		}
	}
	return b.String()
}
