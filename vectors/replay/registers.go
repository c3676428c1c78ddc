package replay

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// logDepth is the number of Terminates in the log.
const logDepth = 16

// tally holds register values other than the counters of the model.
type tally struct {
	memoryErrors, dropped uint32
	log                   []uint32
	lost                  uint32
}

// note accounts for an outcome.
func (n *tally) note(e *suite.Expect) {
	if e.Event == nil || e.Event.Kind != suite.Kinds[engine.EventEnded] && e.Event.Kind != suite.Kinds[engine.EventClosed] {
		return
	}
	entry := 1<<31 | e.Stream<<16 | uint32(e.Event.Layer)<<12 | uint32(e.Event.EType)<<8 | uint32(e.Event.Code)
	if e.Event.Kind == suite.Kinds[engine.EventClosed] {
		entry |= 1 << 30
	}
	if n.log = append(n.log, entry); len(n.log) > logDepth {
		n.log = n.log[1:]
		n.lost++
	}
}

// read returns the current value of a register.
func (r *run) read(name string) (uint32, error) {
	c, m := r.config, r.Counters()
	switch name {
	case "id":
		return 'R'<<24 | 'N'<<16 | 'I'<<8 | 'C', nil
	case "version":
		var major, minor, patch uint32
		_, err := fmt.Sscanf(engine.Version, "%d.%d.%d", &major, &minor, &patch)
		return major<<16 | minor<<8 | patch, err
	case "status":
		return 4, nil // idle
	case "bus_bytes":
		return uint32(c.BusBytes), nil
	case "streams":
		return uint32(c.Streams), nil
	case "stags":
		return uint32(c.STags), nil
	case "ird":
		return uint32(c.IRD), nil
	case "ord":
		return uint32(c.ORD), nil
	case "receive_depth":
		return uint32(c.ReceiveDepth), nil
	case "send_depth":
		return uint32(c.SendDepth), nil
	case "max_payload":
		return uint32(c.MaxPayload), nil
	case "features":
		features := uint32(2)
		if c.Draft00() {
			features |= 1
		}
		if c.Protocol()&spec.Commit != 0 {
			features |= 8
		}
		return features, nil
	case "segments_received":
		return uint32(m.SegmentsReceived), nil
	case "segments_discarded":
		return uint32(m.SegmentsDiscarded), nil
	case "segments_in_error":
		return uint32(m.SegmentsInError), nil
	case "invalidations":
		return uint32(m.Invalidations), nil
	case "memory_errors":
		return r.tally.memoryErrors, nil
	case "segments_dropped":
		return r.tally.dropped, nil
	case "terminates_lost":
		return r.tally.lost, nil
	case suite.LogRegister:
		if len(r.tally.log) == 0 {
			return 0, nil
		}
		first := r.tally.log[0]
		r.tally.log = r.tally.log[1:]
		return first, nil
	}
	return r.seenAtPorts(name)
}

// seenAtPorts returns the value of a counter of outputs.
func (r *run) seenAtPorts(name string) (n uint32, err error) {
	for i := range r.out.Expect {
		e := &r.out.Expect[i]
		counts := false
		switch name {
		case "segments_sent":
			counts = e.Port == suite.PortTx
		case "messages_sent":
			counts = e.Port == suite.PortTx && e.Hex[0]&0x40 != 0
		case "completions":
			counts = e.Completion != nil
		case "terminates_sent":
			counts = e.IsTerminate()
		case "terminates_received":
			counts = e.Event != nil && e.Event.Kind == suite.Kinds[engine.EventClosed]
		case "receives_refused":
			counts = e.Event != nil && e.Event.Kind == suite.Kinds[engine.EventReceiveRefused]
		default:
			return 0, fmt.Errorf("register is %q; allowed: a constant register, a counter or %s", name, suite.LogRegister)
		}
		if counts {
			n++
		}
	}
	return n, nil
}

// dropped counts the unsent segments of a Read Response truncated by a memory error.
func (r *run) dropped(stream, msn uint32, sent int) {
	for i := r.input; i >= 0; i-- {
		in := &r.test.Input[i]
		if in.Port != suite.PortRx || *in.Stream != stream {
			continue
		}
		parts, kind := wire.ClassifyWith(r.config.Protocol(), in.Hex)
		if kind != spec.None || !parts.Header.Opcode.Is(spec.ReadRequest) || parts.Header.MSN != msn {
			continue
		}
		var read wire.ReadRequest
		_ = read.Decode(parts.Payload)
		all := max(1, (int(read.ReadMessageSize)+r.config.MaxPayload-1)/r.config.MaxPayload)
		r.tally.dropped += uint32(all - sent)
		return
	}
}

// begin records the start values of the device's counters, and empties its log of Terminates.
func (h *Hardware) begin() error {
	for {
		value, err := h.device.ReadRegister(suite.LogRegister)
		if err != nil {
			return err
		}
		if value == 0 {
			break
		}
	}
	for _, name := range suite.CounterRegisters {
		value, err := h.device.ReadRegister(name)
		if err != nil {
			return err
		}
		h.base[name] = value
	}
	return nil
}

// read reads a register.
func (h *Hardware) read(name string) error {
	value, err := h.device.ReadRegister(name)
	if suite.IsCounter(name) {
		value -= h.base[name]
	}
	h.out = append(h.out, suite.RegisterOf(name, value))
	return err
}
