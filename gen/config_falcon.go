package gen

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Profiles.
const (
	ProfileRDMAP  = "rdmap"
	ProfileFalcon = "falcon"
)

// profileIn is the profile that a configuration in YAML names; text with an error has none.
func profileIn(text []byte) string {
	var c struct{ Profile string }
	if yaml.Unmarshal(text, &c) != nil {
		return ""
	}
	return c.Profile
}

// Order is the order of bits in headers of the profile falcon.
func (c Config) Order() (o spec.BitOrder, known bool) {
	for _, o := range []spec.BitOrder{spec.Drawn, spec.Mirrored} {
		if o.String() == c.BitOrder {
			return o, true
		}
	}
	return spec.Drawn, false
}

// falcon is the profile; each QP can have a connection of its own.
func (c Config) falcon() falcon.Profile {
	order, _ := c.Order()
	return falcon.Profile{Order: order, Connections: c.Streams, Window: c.Window, BufferOctets: c.BufferOctets}
}

// checkFalcon checks what the profiles do not have in common.
func (c Config) checkFalcon(refuse func(field string, value any, allowed string), power func(field string, n, least, most int)) {
	if c.Profile != ProfileFalcon {
		only := "only with profile " + ProfileFalcon
		if c.BitOrder != "" {
			refuse("bit_order", fmt.Sprintf("%q", c.BitOrder), only)
		}
		if c.Window != 0 {
			refuse("window", c.Window, only)
		}
		if c.BufferOctets != 0 {
			refuse("buffer_octets", c.BufferOctets, only)
		}
		return
	}
	if len(c.Extensions) > 0 {
		refuse("extensions", c.Extensions, "none with profile "+ProfileFalcon)
	}
	if c.RetirePort {
		refuse("retire_port", c.RetirePort, "false with profile "+ProfileFalcon)
	}
	if _, known := c.Order(); !known {
		refuse("bit_order", fmt.Sprintf("%q", c.BitOrder), "drawn or mirrored")
	}
	power("ird", c.IRD, 1, spec.MessageWindow)
	power("ord", c.ORD, 2, spec.MessageWindow)
	power("max_payload", c.MaxPayload, 256, 4096)
	power("window", c.Window, 16, 256)
	power("buffer_octets", c.BufferOctets, 16, 4096)
}
