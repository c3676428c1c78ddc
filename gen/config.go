package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Top is the name of the top module.
const Top = "rnic"

// Config is the configuration of the generated RNIC.
type Config struct {
	Top        string   `yaml:"top" json:"top"`                 // rnic
	Profile    string   `yaml:"profile" json:"profile"`         // rdmap or falcon
	Extensions []string `yaml:"extensions" json:"extensions"`   // draft00, commit
	BusBytes   int      `yaml:"bus_bytes" json:"bus_bytes"`     // 8, 16, 32, 64 or 128
	Streams    int      `yaml:"streams" json:"streams"`         // 2 to 16384, a power of two
	RetirePort bool     `yaml:"retire_port" json:"retire_port"` // report every effect

	AtomicWriteOrder string `yaml:"atomic_write_order" json:"atomic_write_order,omitempty"` // of the octets of Atomic Writes: wire, or host as those of Atomics; empty is wire

	ModulePrefix string `yaml:"module_prefix" json:"module_prefix,omitempty"` // prefix of every module name

	// All are powers of two.
	STags        int `yaml:"stags" json:"stags,omitempty"`                 // rows of the STag table, 16 to 65536
	IRD          int `yaml:"ird" json:"ird,omitempty"`                     // inbound Reads and Atomics per stream, 1 to 1024
	ORD          int `yaml:"ord" json:"ord,omitempty"`                     // outbound Reads and Atomics per stream, 2 to 1024
	ReceiveDepth int `yaml:"receive_depth" json:"receive_depth,omitempty"` // receive requests per stream, 2 to 1024
	SendDepth    int `yaml:"send_depth" json:"send_depth,omitempty"`       // work requests per stream, 2 to 1024
	MaxPayload   int `yaml:"max_payload" json:"max_payload,omitempty"`     // octets of payload per segment sent, 256 to 16384
	AtomicDepth  int `yaml:"atomic_depth" json:"atomic_depth,omitempty"`   // atomics in progress in memory, 4 to 4096

	FarMemoryBit int `yaml:"far_memory_bit" json:"far_memory_bit,omitempty"` // address bit that is 1 in memory too slow to wait for, 12 to 63; 0 for none

	// Of the profile falcon only; numbers are powers of two.
	BitOrder     string `yaml:"bit_order" json:"bit_order,omitempty"`         // of headers: drawn or mirrored (I-24)
	Window       int    `yaml:"window" json:"window,omitempty"`               // SNs from the oldest incomplete request of a connection to the next one, 16 to 256 (I-102)
	BufferOctets int    `yaml:"buffer_octets" json:"buffer_octets,omitempty"` // of Falcon's smallest buffer, for credits, 16 to 4096
}

// A module prefix keeps module names in the same form: lower-case words joined by _.
var modulePrefix = regexp.MustCompile(`^[a-z][a-z0-9]*_([a-z0-9]+_)*$`)

const maxPrefix = 32

// Default is the configuration of an empty file.
func Default() Config {
	return Config{Top: Top, Profile: ProfileRDMAP, Extensions: []string{}, BusBytes: 64, Streams: 64, RetirePort: true,
		STags: 1024, IRD: 8, ORD: 8, ReceiveDepth: 16, SendDepth: 16, MaxPayload: 1024, AtomicDepth: 512}
}

// DefaultOf is the configuration of a file that only names the profile.
func DefaultOf(profile string) Config {
	c := Default()
	if profile == ProfileFalcon {
		c.Profile, c.RetirePort = ProfileFalcon, false
		c.BitOrder, c.Window, c.BufferOctets = "drawn", 64, 64
	}
	return c
}

// TopModule is the name of the generated top module.
func (c Config) TopModule() string { return c.ModulePrefix + c.Top }

// Draft00 reports whether Swap of draft-ietf-storm-rdmap-ext-00 is supported.
func (c Config) Draft00() bool { return slices.Contains(c.Extensions, "draft00") }

// HostOrder reports whether an Atomic Write stores an integer as Atomics do, not octets in the order of the wire (I-19).
func (c Config) HostOrder() bool { return c.AtomicWriteOrder == "host" }

// Protocol are the extensions of the profile that the configuration selects.
func (c Config) Protocol() spec.Extensions {
	if slices.Contains(c.Extensions, "commit") {
		return spec.Commit
	}
	return 0
}

// Engine is the configuration of the blocks. It selects the profile.
func (c Config) Engine() engine.Config {
	e := engine.Config{RetirePort: c.RetirePort, BusBytes: c.BusBytes, Streams: c.Streams, STags: c.STags, IRD: c.IRD, ORD: c.ORD, ReceiveDepth: c.ReceiveDepth,
		SendDepth: c.SendDepth, MaxPayload: c.MaxPayload, AtomicDepth: c.AtomicDepth, FarBit: c.FarMemoryBit}
	if c.Profile == ProfileFalcon {
		e.Profile = c.falcon()
	} else {
		e.Profile = rdmap.Profile{Draft00: c.Draft00(), Extensions: c.Protocol(), HostOrder: c.HostOrder()}
	}
	return e
}

// FieldError is an invalid value in a configuration: the field, its value, and the allowed values.
type FieldError struct {
	Field   string
	Value   any
	Allowed string
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("config: %s is %v; allowed: %s", e.Field, e.Value, e.Allowed)
}

// ReadConfig reads YAML over the default of its profile. An unknown field is an error.
func ReadConfig(r io.Reader) (Config, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Config{}, fmt.Errorf("config: %w", err)
	}
	c := DefaultOf(profileIn(text))
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return c, fmt.Errorf("config: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := dec.Decode(&struct{}{}); !errors.Is(err, io.EOF) {
		return c, errors.New("config: more than one YAML document; allowed: one")
	}
	return c, c.Check()
}

// Check returns all errors of a configuration, joined.
func (c Config) Check() error {
	var errs []error
	refuse := func(field string, value any, allowed string) {
		errs = append(errs, &FieldError{field, value, allowed})
	}
	if c.Top != Top {
		refuse("top", fmt.Sprintf("%q", c.Top), Top)
	}
	if c.Profile != ProfileRDMAP && c.Profile != ProfileFalcon {
		refuse("profile", fmt.Sprintf("%q", c.Profile), ProfileRDMAP+" and "+ProfileFalcon)
	}
	for i, e := range c.Extensions {
		if e != "draft00" && e != "commit" {
			refuse("extensions", fmt.Sprintf("%q", e), "draft00 and commit")
		} else if slices.Contains(c.Extensions[:i], e) {
			refuse("extensions", fmt.Sprintf("%q twice", e), "each once")
		}
	}
	if o := c.AtomicWriteOrder; o != "" && o != "wire" && o != "host" {
		refuse("atomic_write_order", fmt.Sprintf("%q", o), "wire and host")
	} else if o == "host" && c.Protocol()&spec.Commit == 0 {
		refuse("atomic_write_order", o, "wire; host only with the extension commit")
	}
	if c.ModulePrefix != "" && (!modulePrefix.MatchString(c.ModulePrefix) || len(c.ModulePrefix) > maxPrefix) {
		refuse("module_prefix", fmt.Sprintf("%q", c.ModulePrefix), fmt.Sprintf("words of lower-case letters and digits, starting with a letter, each followed by _, at most %d characters in total; or empty", maxPrefix))
	}
	if !slices.Contains(block.BusWidths, c.BusBytes) {
		refuse("bus_bytes", c.BusBytes, "8, 16, 32, 64 or 128")
	}
	power := func(field string, n, least, most int) {
		if n < least || n > most || n&(n-1) != 0 {
			refuse(field, n, fmt.Sprintf("a power of two from %d to %d", least, most))
		}
	}
	power("streams", c.Streams, 2, 16384)
	power("stags", c.STags, 16, 65536)
	power("ird", c.IRD, 1, 1024)
	power("ord", c.ORD, 2, 1024)
	power("receive_depth", c.ReceiveDepth, 2, 1024)
	power("send_depth", c.SendDepth, 2, 1024)
	power("max_payload", c.MaxPayload, 256, 16384)
	power("atomic_depth", c.AtomicDepth, 4, 4096)
	if b := c.FarMemoryBit; b != 0 && (b < 12 || b > 63) {
		refuse("far_memory_bit", b, "12 to 63, or 0 for none")
	} else if b != 0 && (c.Profile != ProfileRDMAP || c.Protocol() != 0) {
		refuse("far_memory_bit", b, "0 with profile "+ProfileFalcon+" and with the extension commit")
	}
	c.checkFalcon(refuse, power)
	return errors.Join(errs...)
}
