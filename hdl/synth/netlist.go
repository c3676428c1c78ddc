package synth

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// netlist is a flat module as written by yosys.
type netlist struct {
	Ports map[string]struct {
		Direction string `json:"direction"`
		Bits      []bit  `json:"bits"`
	} `json:"ports"`
	Cells map[string]struct {
		Type        string            `json:"type"`
		Directions  map[string]string `json:"port_directions"`
		Connections map[string][]bit  `json:"connections"`
	} `json:"cells"`
	Nets map[string]struct {
		Hidden int   `json:"hide_name"`
		Bits   []bit `json:"bits"`
	} `json:"netnames"`
}

// bit is the number of a 1-bit net; 0 for a constant.
type bit int

func (b *bit) UnmarshalJSON(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil {
		n = 0 // "0", "1", "x"
	}
	*b = bit(n)
	return nil
}

func readNetlist(text []byte, top string) (*netlist, error) {
	var d struct {
		Modules map[string]*netlist `json:"modules"`
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("yosys' netlist: %w", err)
	}
	n := d.Modules[top]
	if n == nil {
		return nil, fmt.Errorf("yosys' netlist has no module %s", top)
	}
	return n, nil
}

// names chooses the most recognizable name of each net: one from the Verilog, a register before a wire, the shortest.
func (n *netlist) names() map[bit]string {
	out, rank := map[bit]string{}, map[bit]int{}
	for name, v := range n.Nets {
		if v.Hidden == 1 || strings.HasPrefix(name, "$") {
			continue
		}
		cost := len(name)
		if !strings.HasSuffix(name, "_q") {
			cost += 1 << 16
		}
		for i, b := range v.Bits {
			full := name
			if len(v.Bits) > 1 {
				full = fmt.Sprintf("%s[%d]", name, i)
			}
			if was, is := out[b]; b != 0 && (!is || cost < rank[b] || cost == rank[b] && full < was) {
				out[b], rank[b] = full, cost
			}
		}
	}
	return out
}

var index = regexp.MustCompile(`\[\d+\]$`)

// signal is a name without its bit number.
func signal(name string) string { return index.ReplaceAllString(name, "") }

// memoryOf is the memory of a RAM cell: its name up to the numbers that yosys appends.
func memoryOf(cell string) string {
	parts := strings.Split(cell, ".")
	for len(parts) > 1 {
		if _, err := strconv.Atoi(parts[len(parts)-1]); err != nil {
			break
		}
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, ".")
}
