package cosim

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// Registers reads and writes registers of a design through its AXI4-Lite port, one access after the other. The hardware runs
// meanwhile, which suits setup code but not traffic.
type Registers struct {
	design          *simulator.Design
	engine          simulator.Engine
	aw, w, b, ar, r channel
}

// ErrRegister reports that an access got an error response.
var ErrRegister = errors.New("register access was refused")

// channel is a stream of an AXI4-Lite port.
type channel struct {
	stream int
	beat   []uint64
	fields map[string]simulator.Field // by name without the channel's prefix: addr, data
}

// registerCycles is the time limit of an access.
const registerCycles = 10_000

// NewRegisters finds the AXI4-Lite port with a prefix such as s_axil: streams s_axil_aw, s_axil_w, s_axil_b, s_axil_ar and s_axil_r. Data
// is 32 or 64 bits wide. Strobes, if present, are all set; protection bits are 0.
func NewRegisters(d *simulator.Design, e simulator.Engine, prefix string) (*Registers, error) {
	regs := &Registers{design: d, engine: e}
	for _, c := range []struct {
		name   string
		to     *channel
		fields []string
	}{
		{"aw", &regs.aw, []string{"addr"}}, {"w", &regs.w, []string{"data"}}, {"b", &regs.b, []string{"resp"}},
		{"ar", &regs.ar, []string{"addr"}}, {"r", &regs.r, []string{"data", "resp"}},
	} {
		var err error
		if *c.to, err = findChannel(d, prefix+"_"+c.name, c.fields); err != nil {
			return nil, err
		}
	}
	return regs, nil
}

func findChannel(d *simulator.Design, name string, fields []string) (c channel, err error) {
	if c.stream, err = d.Stream(name); err != nil {
		return c, err
	}
	layout, err := d.Layout(c.stream)
	if err != nil {
		return c, err
	}
	c.beat, c.fields = make([]uint64, layout.Words), map[string]simulator.Field{}
	for i, f := range layout.Fields {
		c.fields[d.Streams[c.stream].Fields[i][len(name):]] = f
	}
	for _, f := range fields {
		if at, has := c.fields[f]; !has || at.Width > 64 {
			return c, fmt.Errorf("stream %s: no field %s%s of at most 64 bits", name, name, f)
		}
	}
	return c, nil
}

func (c *channel) set(field string, value uint64) error {
	f, has := c.fields[field]
	if !has {
		return nil
	}
	if f.Width < 64 && value>>f.Width != 0 {
		return fmt.Errorf("0x%x does not fit in the %d bits of %s", value, f.Width, field)
	}
	simulator.SetBits(c.beat, f.Offset, f.Width, value)
	return nil
}

func (c *channel) get(field string) uint64 {
	f := c.fields[field]
	return simulator.Bits(c.beat, f.Offset, f.Width)
}

// Write writes a register. The error is ErrRegister if the response is not OKAY.
func (r *Registers) Write(addr, value uint64) error {
	return r.WriteOctets(addr, value, r.allOctets())
}

// WriteOctets writes the octets of a register selected by strobes; bit i selects octet i.
func (r *Registers) WriteOctets(addr, value, strobes uint64) error {
	if err := r.askWrite(addr, value, strobes); err != nil {
		return err
	}
	return r.finishWrite(addr, value)
}

// Write is one of several writes.
type Write struct{ Addr, Value uint64 }

// WriteAll writes registers as fast as the port accepts them. It returns the error of the first failing write; later ones are still made.
func (r *Registers) WriteAll(list ...Write) error {
	for _, w := range list {
		if err := r.askWrite(w.Addr, w.Value, r.allOctets()); err != nil {
			return err
		}
	}
	var first error
	for _, w := range list {
		if err := r.finishWrite(w.Addr, w.Value); first == nil {
			first = err
		}
	}
	return first
}

// Start queues writes without waiting for their responses; the hardware takes them as fast as it can. Other accesses are possible
// once Answered has taken all responses.
func (r *Registers) Start(list ...Write) error {
	for _, w := range list {
		err := r.setWrite(w.Addr, w.Value, r.allOctets())
		if err == nil {
			err = r.push(&r.aw, &r.w)
		}
		if err != nil {
			return writing(w.Addr, w.Value, err)
		}
	}
	return nil
}

// Answered takes the responses to the writes of Start that have arrived, and returns how many there are, and how many are errors.
func (r *Registers) Answered() (responses, refused int, err error) {
	for {
		n, err := r.engine.Pop(r.b.stream, r.b.beat, nil)
		if n == 0 || err != nil {
			return responses, refused, err
		}
		r.forget([]*channel{&r.aw, &r.w})
		responses++
		if r.b.get("resp") != 0 {
			refused++
		}
	}
}

// askWrite queues a write.
func (r *Registers) askWrite(addr, value, strobes uint64) error {
	err := r.setWrite(addr, value, strobes)
	if err == nil {
		err = r.ask(&r.b, &r.aw, &r.w)
	}
	return writing(addr, value, err)
}

func (r *Registers) setWrite(addr, value, strobes uint64) error {
	return errors.Join(r.aw.set("addr", addr), r.w.set("data", value), r.w.set("strb", strobes))
}

// allOctets are the strobes of a whole register.
func (r *Registers) allOctets() uint64 { return 1<<r.w.fields["strb"].Width - 1 }

// writing says which write an error belongs to.
func writing(addr, value uint64, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write 0x%x to register 0x%x: %w", value, addr, err)
}

// finishWrite takes the response to a write.
func (r *Registers) finishWrite(addr, value uint64) error {
	err := r.response(&r.b, &r.aw, &r.w)
	if err == nil && r.b.get("resp") != 0 {
		err = fmt.Errorf("%w: response %d", ErrRegister, r.b.get("resp"))
	}
	return writing(addr, value, err)
}

// Read reads a register. The error is ErrRegister if the response is not OKAY.
func (r *Registers) Read(addr uint64) (uint64, error) {
	err := r.ar.set("addr", addr)
	if err == nil {
		err = r.ask(&r.r, &r.ar)
	}
	if err == nil {
		err = r.response(&r.r, &r.ar)
	}
	if err == nil && r.r.get("resp") != 0 {
		err = fmt.Errorf("%w: response %d", ErrRegister, r.r.get("resp"))
	}
	if err != nil {
		return 0, fmt.Errorf("read register 0x%x: %w", addr, err)
	}
	return r.r.get("data"), nil
}

// ask pushes a beat into each of the given channels.
func (r *Registers) ask(from *channel, ask ...*channel) error {
	if queued := r.engine.Stats(from.stream).Queued; queued > 0 {
		return fmt.Errorf("%s has %d unsolicited responses", r.name(from), queued)
	}
	return r.push(ask...)
}

// push offers a beat on each of the given channels.
func (r *Registers) push(ask ...*channel) error {
	for _, c := range ask {
		n, err := r.engine.Push(c.stream, c.beat)
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("%s has no room", r.name(c))
		}
	}
	return nil
}

// response takes the next response.
func (r *Registers) response(from *channel, asked ...*channel) error {
	for range registerCycles {
		if n, err := r.engine.Pop(from.stream, from.beat, nil); n > 0 || err != nil {
			r.forget(asked)
			return err
		}
		if _, err := r.engine.Run(1, 0); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s has no response after %d cycles", r.name(from), registerCycles)
}

// forget discards the stamps of an engine that keeps them: until then, they occupy their beats' buffer space.
func (r *Registers) forget(ask []*channel) {
	var stamp [1]uint64
	for _, c := range ask {
		r.engine.Accepted(c.stream, stamp[:])
	}
}

func (r *Registers) name(c *channel) string { return r.design.Streams[c.stream].Name }
