package suite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Profile is the profile's name in a configuration.
const Profile = "falcon"

// Config is a configuration of the profile: what a design must know to run the vectors.
type Config struct {
	Profile      string `yaml:"profile" json:"profile"`
	BitOrder     string `yaml:"bit_order" json:"bit_order"`         // drawn or mirrored (I-24)
	MTU          int    `yaml:"mtu" json:"mtu"`                     // octets of payload, a power of two from 256 to 4096
	IRRQ         int    `yaml:"irrq" json:"irrq"`                   // unanswered pulls of a QP, in both directions: 8 to 256
	Window       int    `yaml:"window" json:"window"`               // SNs from the oldest incomplete request of a connection to the next one, at most: 16 to 1024 (I-102)
	BufferOctets int    `yaml:"buffer_octets" json:"buffer_octets"` // of Falcon's smallest buffer, for credits: 16 to 4096
	BusBytes     int    `yaml:"bus_bytes" json:"bus_bytes"`         // of the design that the bench drives: 8 to 128
}

// DefaultConfig is a configuration with short packets.
func DefaultConfig() Config {
	return Config{Profile: Profile, BitOrder: spec.Drawn.String(), MTU: 256, IRRQ: 8, Window: 64, BufferOctets: 64, BusBytes: 64}
}

// Of is what vectors for hardware of a configuration are written for.
func Of(h gen.Config) (Config, error) {
	c := Config{Profile: h.Profile, BitOrder: h.BitOrder, MTU: h.MaxPayload, IRRQ: h.IRD, Window: h.Window, BufferOctets: h.BufferOctets, BusBytes: h.BusBytes}
	return c, c.Check()
}

// Check returns all errors of a configuration, joined.
func (c Config) Check() error {
	var errs []error
	refuse := func(field string, value any, allowed string) {
		errs = append(errs, &gen.FieldError{Field: field, Value: value, Allowed: allowed})
	}
	if c.Profile != Profile {
		refuse("profile", fmt.Sprintf("%q", c.Profile), Profile)
	}
	if _, err := c.Order(); err != nil {
		refuse("bit_order", fmt.Sprintf("%q", c.BitOrder), "drawn or mirrored")
	}
	if c.MTU < 256 || c.MTU > 4096 || c.MTU&(c.MTU-1) != 0 {
		refuse("max_payload", c.MTU, "for vectors a power of two from 256 to 4096")
	}
	if !slices.Contains(block.BusWidths, c.BusBytes) {
		refuse("bus_bytes", c.BusBytes, fmt.Sprintf("for vectors one of %v", block.BusWidths))
	}
	for _, l := range []struct {
		field            string
		value, low, high int
	}{{"ird", c.IRRQ, 8, spec.MessageWindow}, {"window", c.Window, 16, 1024}, {"buffer_octets", c.BufferOctets, 16, 4096}} {
		if l.value < l.low || l.value > l.high {
			refuse(l.field, l.value, fmt.Sprintf("for vectors %d to %d", l.low, l.high))
		}
	}
	return errors.Join(errs...)
}

// Order is the order of bits in headers.
func (c Config) Order() (spec.BitOrder, error) { return named[spec.BitOrder](c.BitOrder, 2) }
