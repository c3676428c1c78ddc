package coverage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// Kind is the kind of an item.
type Kind string

const (
	Line   Kind = "line"
	Branch Kind = "branch"
	Toggle Kind = "toggle"
	Bin    Kind = "bin"
)

// Kinds lists all kinds in report order.
var Kinds = []Kind{Line, Branch, Toggle, Bin}

// Item is one coverage point.
type Item struct {
	Kind    Kind
	Block   string // kind of block, or opcode of a bin
	Module  string
	Name    string // matched by waivers: the text of the line; text of the line and arm; PORT[BIT] rises; the bin
	Where   string // file and line
	Covered bool
}

// items holds the coverage points of one or more configurations, each once.
type items map[string]*Item

func (s items) add(key string, i Item) {
	if is := s[key]; is != nil {
		is.Covered = is.Covered || i.Covered
		return
	}
	s[key] = &i
}

// sorted lists the items by kind, block and place.
func (s items) sorted() []*Item {
	keys := slices.Collect(maps.Keys(s))
	slices.SortFunc(keys, func(a, b string) int {
		x, y := s[a], s[b]
		return cmp.Or(slices.Index(Kinds, x.Kind)-slices.Index(Kinds, y.Kind), cmp.Compare(x.Block, y.Block), cmp.Compare(x.Module, y.Module), cmp.Compare(a, b))
	})
	var list []*Item
	for _, k := range keys {
		list = append(list, s[k])
	}
	return list
}

// addCode adds the lines, arms and ports of a design.
func (s items) addCode(d *simulator.Design, c *simulator.Coverage) {
	text := map[string][]string{} // lines of each file
	for _, f := range d.Files {
		text[f.Name] = strings.Split(f.Text, "\n")
	}
	for _, p := range c.Points {
		line := func(n int) string {
			if lines := text[p.File]; n >= 1 && n <= len(lines) {
				return strings.TrimSpace(lines[n-1])
			}
			return ""
		}
		for _, n := range p.Lines {
			where := fmt.Sprintf("%s:%d", p.File, n)
			s.add(fmt.Sprintf("line %s:%06d", p.File, n), Item{Line, p.Module, p.Module, line(n), where, p.Count > 0})
		}
		if p.Arm != "" {
			where := fmt.Sprintf("%s:%d", p.File, p.Line)
			key := fmt.Sprintf("branch %s:%06d:%03d %s", p.File, p.Line, p.Column, p.Arm)
			s.add(key, Item{Branch, p.Module, p.Module, line(p.Line) + " : " + p.Arm, where, p.Count > 0})
		}
	}
	for _, p := range c.Pins {
		where := fmt.Sprintf("%s.v:%d", p.Module, portLine(text[p.Module+".v"], p.Port))
		for bit := range p.Width {
			name := fmt.Sprintf("%s[%d]", p.Port, bit)
			for edge, bits := range map[string][]uint64{"rises": p.Rose, "falls": p.Fell} {
				key := fmt.Sprintf("toggle %s.%s[%04d] %s", p.Variant, p.Port, bit, edge)
				s.add(key, Item{Toggle, p.Module, p.Variant, name + " " + edge, where, bits[bit/64]>>(bit%64)&1 == 1})
			}
		}
	}
}

// portLine returns the line that declares a port.
func portLine(lines []string, port string) int {
	for i, l := range lines {
		words := strings.Fields(strings.TrimSuffix(strings.TrimSpace(l), ","))
		if len(words) > 2 && (words[0] == "input" || words[0] == "output") && words[len(words)-1] == port {
			return i + 1
		}
	}
	return 0
}
