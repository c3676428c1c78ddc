package gates

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// netlist is the part of yosys's JSON that the engine needs: one flat module.
type netlist struct {
	Ports map[string]struct{ Bits []net }
	Cells map[string]*cell
}

type cell struct {
	Type        string
	Parameters  map[string]string
	Connections map[string][]net
}

// net is a one-bit wire. Numbers start at 2; 0 and 1 are the constants. Undriven bits are 0.
type net uint32

// UnmarshalJSON reads a number, or the name of a constant.
func (n *net) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"0"`, `"x"`, `"z"`:
		*n = 0
		return nil
	case `"1"`:
		*n = 1
		return nil
	}
	v, err := strconv.ParseUint(string(text), 10, 32)
	*n = net(v)
	return err
}

// read reads the netlist of a directory.
func read(dir string) (*netlist, error) {
	f, err := os.Open(filepath.Join(dir, netlistFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var file struct{ Modules map[string]*netlist }
	if err := json.NewDecoder(f).Decode(&file); err != nil {
		return nil, err
	}
	for _, n := range file.Modules {
		if len(file.Modules) == 1 {
			return n, nil
		}
	}
	return nil, fmt.Errorf("%d modules; there must be one", len(file.Modules))
}

// number reads a parameter: binary digits, of which only the last 32 matter.
func (c *cell) number(name string) (int, error) {
	text := c.Parameters[name]
	v, err := strconv.ParseUint(text[max(0, len(text)-32):], 2, 32)
	if err != nil {
		return 0, fmt.Errorf("parameter %s is %q", name, text)
	}
	return int(v), nil
}

// bit returns one binary digit of a parameter, counted from its end.
func (c *cell) bit(name string, i int) bool {
	text := c.Parameters[name]
	return i < len(text) && text[len(text)-1-i] == '1'
}

// one returns a connection of a single bit.
func (c *cell) one(name string) net {
	if bits := c.Connections[name]; len(bits) == 1 {
		return bits[0]
	}
	return 0
}

// names returns the names of the cells in a deterministic order.
func (n *netlist) names() []string {
	names := make([]string, 0, len(n.Cells))
	for name := range n.Cells {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
