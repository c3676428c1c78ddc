package coverage

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// refusals posts more receive requests than the streams hold, while the host takes no events, and resets rnic at the end.
func (c *collector) refusals() error {
	d, err := rnic.OpenDevice(c.config, rnic.Options{Engine: engineName, Seed: 1, Coverage: &c.code, Context: c.context})
	if err != nil {
		return err
	}
	want := 0
	for i := range uint32(2 * c.config.Streams) { // up, and down again
		s := i
		if s >= uint32(c.config.Streams) {
			s = uint32(2*c.config.Streams) - 1 - i
		} else {
			err = firstOf(err, d.Open(s, 0))
		}
		for range c.config.ReceiveDepth + 2 {
			d.PostReceive(rdmap.ReceiveRequest{Stream: s, ID: uint64(s), Length: 8})
		}
		want += c.config.ReceiveDepth + 2
	}
	want -= c.config.Streams * c.config.ReceiveDepth
	err = firstOf(err, d.Stall("event", held))
	run := func() error {
		_, err := d.Run(100_000, 1000)
		return err
	}
	err = firstOf(err, run(), d.Stall("event", simulator.Stall{}))
	for d.Waiting() > 0 && err == nil {
		err = run()
	}
	err = firstOf(err, run())
	if out := d.Take(); err == nil && len(out.Events) != want {
		err = &MismatchError{"refusals", fmt.Sprintf("%d receive requests were refused; %d were too many", len(out.Events), want)}
	}
	d.Send(0, wire.AppendWrite(nil, 0, 0, true, payload(100)))
	err = firstOf(err, d.Engine().Reset(8), run())
	return errors.Join(err, d.Close())
}
