package formal

import (
	"slices"

	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// wiring holds the drivers of the signals of a module.
type wiring struct {
	module *ir.Module
	values map[*ir.Signal]*ir.Expr // driver of a signal, unless it is an instance or an input
	pins   map[*ir.Signal]origin   // the output of an instance that drives a signal
}

// origin is a port of an instance, or of the module itself when Instance is nil.
type origin struct {
	instance *ir.Instance
	port     *ir.Signal
}

func wiringOf(m *ir.Module) *wiring {
	w := &wiring{m, map[*ir.Signal]*ir.Expr{}, map[*ir.Signal]origin{}}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			if it.Kind == ir.Named {
				w.values[it] = it.Driver
			}
		case *ir.Drive:
			w.values[it.Target] = it.Value
		case *ir.Instance:
			for _, p := range it.Pins {
				if p.Out != nil {
					w.pins[p.Out] = origin{it, p.Port}
				}
			}
		}
	}
	return w
}

// from follows a value through plain wires to its source port. Other values have no origin.
func (w *wiring) from(e *ir.Expr) (origin, bool) {
	for e != nil && e.Op == ir.Ref {
		s := e.Signal
		if o, is := w.pins[s]; is {
			return o, true
		}
		if s.Kind == ir.Input {
			return origin{nil, s}, true
		}
		e = w.values[s]
	}
	return origin{}, false
}

// at returns the value at a port: the input pin of an instance, or the driver of an output of the module.
func (w *wiring) at(o origin) *ir.Expr {
	if o.instance == nil {
		return w.values[o.port]
	}
	for _, p := range o.instance.Pins {
		if p.Port == o.port {
			return p.In
		}
	}
	return nil
}

// driven is the origin of the value of an input of an instance or of an output of the module.
func (w *wiring) driven(o origin) (origin, bool) {
	if o.instance == nil {
		if from, is := w.pins[o.port]; is {
			return from, true
		}
	}
	return w.from(w.at(o))
}

// end is a stream at the ports of the module or of an instance.
type end struct {
	instance *ir.Instance
	stream   ir.StreamPort
}

func (w *wiring) streams(i *ir.Instance) []ir.StreamPort {
	if i == nil {
		return w.module.Streams
	}
	return i.Module.Streams
}

// straight finds the end that a stream comes from if it is connected by wires only: valid, ready, and every field that is not a
// constant.
func (w *wiring) straight(to end) (end, bool) {
	valid, is := w.driven(origin{to.instance, to.stream.Valid})
	if !is {
		return end{}, false
	}
	for _, s := range w.streams(valid.instance) {
		from := end{valid.instance, s}
		if s.Valid == valid.port && w.joined(from, to) {
			return from, true
		}
	}
	return end{}, false
}

func (w *wiring) joined(from, to end) bool {
	ready, is := w.driven(origin{from.instance, from.stream.Ready})
	if !is || ready != (origin{to.instance, to.stream.Ready}) {
		return false
	}
	for _, f := range to.stream.Fields {
		if e := w.at(origin{to.instance, f}); e != nil && e.Op == ir.Const {
			continue
		}
		o, is := w.driven(origin{to.instance, f})
		if !is || o.instance != from.instance || !slices.Contains(from.stream.Fields, o.port) {
			return false
		}
	}
	return true
}
