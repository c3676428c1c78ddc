package system

import (
	"fmt"

	"github.com/sarchlab/akita/v3/tracing"
)

// Tasks that akita's tracers see: transactions of hosts, their operations, and segments on their way out of an RNIC that is the model.
// Nothing is traced without a tracer.

// traceBegin starts the task of a transaction.
func (h *host) traceBegin(t *transaction) {
	if h.NumHooks() > 0 {
		t.task = fmt.Sprintf("%s.T%d.%d", h.Name(), t.number, t.count)
		tracing.StartTask(t.task, "", h, "transaction", t.mix.Name, nil)
	}
}

func (h *host) traceEnd(t *transaction) {
	if t.task != "" {
		tracing.EndTask(t.task, h)
	}
}

// traceOperation starts the task of an operation; its ID is unique in the host.
func (h *host) traceOperation(o *operation, id uint64) {
	if h.NumHooks() > 0 {
		o.task = fmt.Sprintf("%s.O%d", h.Name(), id)
		tracing.StartTask(o.task, o.transaction.task, h, "operation", string(o.step.Operation), nil)
	}
}

func (h *host) traceDone(o *operation) {
	if o.task != "" {
		tracing.EndTask(o.task, h)
	}
}

// traceTurn starts the task of a segment that has its turn.
func (n *rnic) traceTurn(d *departure) {
	if n.NumHooks() > 0 {
		n.sender.sent++
		d.task = fmt.Sprintf("%s.S%d", n.Name(), n.sender.sent)
		tracing.StartTask(d.task, "", n, "segment", n.speaks.title(d.packet), nil)
	}
}

func (n *rnic) traceLeft(d *departure) {
	if d.task != "" {
		tracing.EndTask(d.task, n)
	}
}
