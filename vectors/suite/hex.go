package suite

import (
	"encoding/hex"
	"fmt"
	"strconv"
)

// HexOctets is written as lower-case hexadecimal digits, in wire order.
type HexOctets []byte

// MarshalText writes two digits per octet.
func (o HexOctets) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, o), nil }

// UnmarshalText reads two digits per octet.
func (o *HexOctets) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	if err != nil {
		return fmt.Errorf("octets are %q: %w; allowed: two hexadecimal digits per octet", text, err)
	}
	*o = b
	return nil
}

// Hex32 is written as 8 hexadecimal digits.
type Hex32 uint32

// MarshalText writes 8 digits.
func (h Hex32) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%08x", uint32(h)), nil }

// UnmarshalText reads a number of at most 32 bits.
func (h *Hex32) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(text), 16, 32)
	*h = Hex32(v)
	return err
}

// Hex64 is written as 16 hexadecimal digits, so that no JSON reader converts it to floating point.
type Hex64 uint64

// MarshalText writes 16 digits.
func (h Hex64) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

// UnmarshalText reads a number of at most 64 bits.
func (h *Hex64) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(text), 16, 64)
	*h = Hex64(v)
	return err
}
