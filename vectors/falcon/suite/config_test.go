package suite

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReadConfig(t *testing.T) {
	c, err := ReadConfig([]byte("profile: falcon\nbit_order: mirrored\nmtu: 4096\n"))
	assert.NoError(t, err)
	want := DefaultConfig()
	want.BitOrder, want.MTU = "mirrored", 4096
	assert.Equal(t, want, c)
	c, err = ReadConfig([]byte("profile: falcon"))
	assert.NoError(t, err)
	assert.Equal(t, DefaultConfig(), c)

	for text, message := range map[string]string{
		"profile: rdmap":                        `config: profile is "rdmap"; allowed: falcon`,
		"profile: falcon\nbit_order: left":      `config: bit_order is "left"; allowed: drawn or mirrored`,
		"profile: falcon\nmtu: 300":             "config: mtu is 300; allowed: a power of two from 256 to 4096",
		"profile: falcon\nmtu: 8192":            "config: mtu is 8192; allowed: a power of two from 256 to 4096",
		"profile: falcon\nirrq: 7":              "config: irrq is 7; allowed: 8 to 256",
		"profile: falcon\nwindow: 15":           "config: window is 15; allowed: 16 to 1024",
		"profile: falcon\nbuffer_octets: 5000":  "config: buffer_octets is 5000; allowed: 16 to 4096",
		"profile: falcon\nbus_bytes: 64":        "config: bus_bytes is 64; allowed: with profile falcon only profile, bit_order, mtu, irrq, window, buffer_octets",
		"profile: falcon\nextensions: [commit]": "config: extensions is [commit]; allowed: with profile falcon only",
		"profile: falcon\nmtu: big":             "config: unmarshal errors:",
		"profile: falcon\n---\nmtu: 256":        "config: more than one YAML document; allowed: one",
		"profile: [":                            "config: ",
	} {
		_, err := ReadConfig([]byte(text))
		assert.ErrorContains(t, err, message, text)
	}
	_, err = ReadConfig([]byte("profile: falcon\nstreams: 4\nbus_bytes: 64"))
	assert.Equal(t, 2, len(strings.Split(err.Error(), "\n")), "all errors at once")
}
