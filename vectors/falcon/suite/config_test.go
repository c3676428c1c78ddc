package suite

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen"
)

func TestConfigOfHardware(t *testing.T) {
	h := gen.DefaultOf(Profile)
	h.BitOrder, h.MaxPayload = "mirrored", 256
	c, err := Of(h)
	assert.NoError(t, err)
	want := DefaultConfig()
	want.BitOrder = "mirrored"
	assert.Equal(t, want, c)

	h.IRD, h.Window, h.BufferOctets, h.MaxPayload, h.BitOrder = 4, 8, 8192, 300, "left"
	_, err = Of(h)
	assert.Equal(t, []string{`config: bit_order is "left"; allowed: drawn or mirrored`,
		"config: max_payload is 300; allowed: for vectors a power of two from 256 to 4096", "config: ird is 4; allowed: for vectors 8 to 256",
		"config: window is 8; allowed: for vectors 16 to 1024", "config: buffer_octets is 8192; allowed: for vectors 16 to 4096"}, strings.Split(err.Error(), "\n"))
	_, err = Of(gen.Default())
	assert.ErrorContains(t, err, `config: profile is "rdmap"; allowed: falcon`)
}
