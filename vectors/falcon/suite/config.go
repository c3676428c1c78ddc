package suite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rnicgen/rnicgen/gen"
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
}

// keys are those that a configuration of the profile may have.
var keys = []string{"profile", "bit_order", "mtu", "irrq", "window", "buffer_octets"}

// DefaultConfig is the configuration of a file that names only the profile.
func DefaultConfig() Config {
	return Config{Profile: Profile, BitOrder: spec.Drawn.String(), MTU: 256, IRRQ: 8, Window: 64, BufferOctets: 64}
}

// ReadConfig reads YAML over the default.
func ReadConfig(text []byte) (Config, error) {
	c := DefaultConfig()
	present := map[string]any{}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&present); err != nil && !errors.Is(err, io.EOF) {
		return c, fmt.Errorf("config: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := dec.Decode(&struct{}{}); !errors.Is(err, io.EOF) {
		return c, errors.New("config: more than one YAML document; allowed: one")
	}
	var errs []error
	for name, value := range present {
		if !slices.Contains(keys, name) {
			errs = append(errs, &gen.FieldError{Field: name, Value: value, Allowed: "with profile " + Profile + " only " + strings.Join(keys, ", ")})
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	if len(errs) > 0 {
		return c, errors.Join(errs...)
	}
	if err := yaml.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("config: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
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
		refuse("mtu", c.MTU, "a power of two from 256 to 4096")
	}
	for _, l := range []struct {
		field            string
		value, low, high int
	}{{"irrq", c.IRRQ, 8, spec.MessageWindow}, {"window", c.Window, 16, 1024}, {"buffer_octets", c.BufferOctets, 16, 4096}} {
		if l.value < l.low || l.value > l.high {
			refuse(l.field, l.value, fmt.Sprintf("%d to %d", l.low, l.high))
		}
	}
	return errors.Join(errs...)
}

// Order is the order of bits in headers.
func (c Config) Order() (spec.BitOrder, error) { return named[spec.BitOrder](c.BitOrder, 2) }
