package system

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/gen"
)

// falconHardware is rnic of the profile falcon on a simulator, with its memory port divided into accesses of lines.
type falconHardware struct {
	*falcon.Device
	*port
}

func openFalconHardware(c gen.Config, o Options) (*falconHardware, error) {
	if c.Profile != gen.ProfileFalcon {
		return nil, fmt.Errorf("an RNIC with profile %s has no interface to Falcon; allowed: %s", c.Profile, gen.ProfileFalcon)
	}
	if err := o.complete(c); err != nil {
		return nil, err
	}
	device, err := falcon.OpenDesign(c, o.Design, falcon.Options{Engine: o.Engine, Seed: o.Seed, Quick: o.Quick, Context: o.Context})
	if err != nil {
		return nil, err
	}
	p, err := openPort(o.Design, device.Engine(), c.BusBytes)
	if err != nil {
		return nil, errors.Join(err, device.Close())
	}
	return &falconHardware{device, p}, nil
}

// cycle runs one cycle.
func (h *falconHardware) cycle() error {
	_, err := h.around(func() error {
		_, err := h.Run(1, 0)
		return err
	})
	return err
}

// free reports whether a stream has taken what it was offered.
func (h *falconHardware) free(stream string) bool {
	stats, err := h.stats(stream)
	return err == nil && stats.Queued == 0
}
