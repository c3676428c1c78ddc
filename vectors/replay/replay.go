// Package replay runs tests and tells what came out: on the golden model, and on hardware.
package replay

import (
	"encoding/binary"
	"fmt"

	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Outcome is what came of a test.
type Outcome struct {
	Expect []suite.Expect
	Memory []suite.MemoryWord
}

// hostAccess is a decoded input of the host port.
type hostAccess struct {
	write bool
	index int
	data  uint64
}

func decodeHost(in suite.Input) (hostAccess, error) {
	b := in.Hex
	if len(b) != 13 || b[0] > 1 {
		return hostAccess{}, fmt.Errorf("hex is %x; allowed on %s: 00 or 01, 4 octets of index, 8 octets of data", []byte(b), in.Port)
	}
	return hostAccess{b[0] == 1, int(binary.BigEndian.Uint32(b[1:])), binary.BigEndian.Uint64(b[5:])}, nil
}

func decodeSetup(in suite.Input) (msn uint32, err error) {
	if len(in.Hex) != 4 {
		return 0, fmt.Errorf("hex is %x; allowed on %s: 4 octets of MSN", []byte(in.Hex), in.Port)
	}
	return binary.BigEndian.Uint32(in.Hex), nil
}

// wordOctets is a word as m_host's expectations write it.
func wordOctets(word uint64) suite.Octets { return binary.BigEndian.AppendUint64(nil, word) }

func wrongPort(port string) error {
	return fmt.Errorf("port is %q; allowed: %s, %s, %s, %s", port, suite.PortRx, suite.PortSetup, suite.PortHost, suite.PortReset)
}
