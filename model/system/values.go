package system

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sarchlab/akita/v3/sim"
	"go.yaml.in/yaml/v3"
)

// Values of a workload as they are written.

// Duration is written as 500ns or 1.5us.
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// UnmarshalYAML reads a duration, and names the line of what is none.
func (d *Duration) UnmarshalYAML(node *yaml.Node) error {
	if d.UnmarshalText([]byte(node.Value)) != nil {
		return fmt.Errorf("line %d: duration %q; allowed: a number with a unit, such as 500ns or 1.5us", node.Line, node.Value)
	}
	return nil
}

// MarshalText writes a duration.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// cycles returns the next number of whole cycles.
func (d Duration) cycles(f sim.Freq) Cycle {
	return Cycle(math.Ceil(time.Duration(d).Seconds()*float64(f) - 1e-6))
}

// Value is a word of a CmpSwap: a number, or mine, which no other stream has.
type Value struct {
	Mine   bool
	Number uint64
}

// UnmarshalYAML reads a number or mine.
func (v *Value) UnmarshalYAML(node *yaml.Node) error {
	if node.Value == "mine" {
		*v = Value{Mine: true}
		return nil
	}
	if node.Decode(&v.Number) != nil {
		return fmt.Errorf("line %d: value %q; allowed: a number, mine", node.Line, node.Value)
	}
	return nil
}

// UnmarshalText reads what MarshalText writes.
func (v *Value) UnmarshalText(text []byte) (err error) {
	*v = Value{Mine: string(text) == "mine"}
	if !v.Mine {
		v.Number, err = strconv.ParseUint(string(text), 0, 64)
	}
	return err
}

// MarshalText writes a value as it is read.
func (v Value) MarshalText() ([]byte, error) {
	if v.Mine {
		return []byte("mine"), nil
	}
	return fmt.Append(nil, v.Number), nil
}

// Nodes is a set of nodes: all, or numbers and ranges such as 1-7, or 1- to the last one.
type Nodes struct {
	ranges []nodeRange
}

// nodeRange is from one node to another; last is -1 for the last one.
type nodeRange struct{ first, last int }

// UnmarshalYAML reads all, a number, a range, or a list of numbers and ranges.
func (n *Nodes) UnmarshalYAML(node *yaml.Node) error {
	items := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		items = node.Content
	}
	n.ranges = nil
	for _, i := range items {
		r, err := parseNodes(i.Value)
		if err != nil {
			return fmt.Errorf("line %d: %w", i.Line, err)
		}
		n.ranges = append(n.ranges, r)
	}
	return nil
}

// ParseNodes reads a set as it is written on a command line, with commas.
func ParseNodes(items []string) (n Nodes, err error) {
	for _, i := range items {
		r, err := parseNodes(i)
		if err != nil {
			return n, err
		}
		n.ranges = append(n.ranges, r)
	}
	return n, nil
}

func parseNodes(text string) (r nodeRange, err error) {
	if text == "all" {
		return nodeRange{0, -1}, nil
	}
	first, last, isRange := strings.Cut(text, "-")
	r.first, err = strconv.Atoi(first)
	switch {
	case !isRange:
		r.last = r.first
	case last == "":
		r.last = -1
	case err == nil:
		r.last, err = strconv.Atoi(last)
	}
	if err != nil || last != "" && r.last < r.first || r.first < 0 {
		return r, fmt.Errorf("nodes %q; allowed: all, a number, a range such as 1-7 or 1- to the last one, or a list of these", text)
	}
	return r, nil
}

// MarshalText writes a set as it is read.
func (n Nodes) MarshalText() ([]byte, error) {
	var items []string
	for _, r := range n.ranges {
		switch {
		case r == nodeRange{0, -1}:
			items = append(items, "all")
		case r.last == -1:
			items = append(items, fmt.Sprintf("%d-", r.first))
		case r.first == r.last:
			items = append(items, fmt.Sprint(r.first))
		default:
			items = append(items, fmt.Sprintf("%d-%d", r.first, r.last))
		}
	}
	return []byte(strings.Join(items, ",")), nil
}

// UnmarshalText reads what MarshalText writes.
func (n *Nodes) UnmarshalText(text []byte) (err error) {
	n.ranges = nil
	if len(text) > 0 {
		*n, err = ParseNodes(strings.Split(string(text), ","))
	}
	return err
}

// of returns the nodes of a set among n, each once, in order.
func (n Nodes) of(count int) (list []int) {
	has := make([]bool, count)
	for _, r := range n.ranges {
		last := r.last
		if last == -1 {
			last = count - 1
		}
		for i := r.first; i <= min(last, count-1); i++ {
			has[i] = true
		}
	}
	for i, is := range has {
		if is {
			list = append(list, i)
		}
	}
	return list
}
