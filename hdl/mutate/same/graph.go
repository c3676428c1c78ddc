package same

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/hdl/mutate"
)

// graph is a module as yosys describes it: values, each a formula of others, and what registers and memories become.
type graph struct {
	nodes   []*node // each after those that it is a formula of
	byName  map[string]*node
	next    []next
	outputs []string            // the nodes of the output ports
	matters map[string]*big.Int // the bits of an output, or of what a register or memory becomes, that anything depends on; nil: all
	valid   map[string]string   // of an output that is data of a stream: the node of the stream's valid
	rst     string
}

// node is a value: an input, a register, a memory, or a formula.
type node struct {
	name  string
	of    string // the name in the module, of a register
	sort  string
	body  string // "" for what is free
	needs []string
}

// next is what a register or a memory becomes at the clock edge.
type next struct{ state, value string }

var (
	declared = regexp.MustCompile(`^\(declare-fun (\|[^|]*\|) \(\|[^|]*\|\) (.*)\) ; \\?(.*)$`)
	defined  = regexp.MustCompile(`^\(define-fun (\|[^|]*\|) \(\(state \|[^|]*\|\)\) (Bool|\(_ BitVec \d+\)|\(Array \(_ BitVec \d+\) \(_ BitVec \d+\)\)) (.*)\)( ; .*)?$`)
	becomes  = regexp.MustCompile(`^  \(= \((\|[^|]*\|) state\) \((\|[^|]*\|) next_state\)\)`)
	used     = regexp.MustCompile(`\((\|[^|]*\|) state\)`)
	said     = regexp.MustCompile(`^; yosys-smt2-output (\S+) `)
)

// read reads what yosys wrote.
func read(a mutate.Alone, text string) (*graph, error) {
	g := &graph{byName: map[string]*node{}, valid: map[string]string{}, matters: map[string]*big.Int{}}
	of := func(name string) string { return fmt.Sprintf("|%s_n %s|", a.Top, name) }
	add := func(n *node) {
		g.nodes, g.byName[n.name] = append(g.nodes, n), n
	}
	for _, line := range strings.Split(text, "\n") {
		if m := said.FindStringSubmatch(line); m != nil {
			g.outputs = append(g.outputs, of(m[1]))
			g.matters[of(m[1])] = a.Matters[m[1]]
		} else if m := declared.FindStringSubmatch(line); m != nil {
			add(&node{name: m[1], sort: m[2], of: m[3]})
		} else if m := becomes.FindStringSubmatch(line); m != nil {
			g.next = append(g.next, next{state: m[2], value: m[1]})
		} else if m := defined.FindStringSubmatch(line); m != nil {
			n := &node{name: m[1], sort: m[2]}
			for _, u := range used.FindAllStringSubmatch(m[3], -1) {
				n.needs = append(n.needs, u[1])
			}
			n.body = used.ReplaceAllString(m[3], "$1")
			add(n)
		} else if strings.HasPrefix(line, "(define-fun") && !strings.Contains(line, "next_state") {
			return nil, fmt.Errorf("yosys writes a formula of another form: %s", line)
		}
	}
	for _, n := range g.nodes {
		for _, need := range n.needs {
			if g.byName[need] == nil {
				return nil, fmt.Errorf("yosys: %s is a formula of %s, which is not there", n.name, need)
			}
		}
	}
	for _, n := range g.next {
		g.matters[n.value] = a.Matters[g.byName[n.state].of]
	}
	for _, s := range a.Streams {
		for _, f := range s.Fields {
			if !s.Sink && g.byName[of(s.Valid)] != nil {
				g.valid[of(f)] = of(s.Valid)
			}
		}
	}
	if a.Clocked && g.byName[of("rst")] != nil {
		g.rst = of("rst")
	}
	return g, nil
}

// port is the value of a port, nil when it is not there.
func (g *graph) port(top, port string) *node { return g.byName[fmt.Sprintf("|%s_n %s|", top, port)] }

// input is the free value behind an input port.
func (g *graph) input(top, port string) *node {
	n := g.port(top, port)
	for n != nil && n.body != "" && len(n.needs) == 1 {
		n = g.byName[n.needs[0]]
	}
	return n
}

// behind lists the formulas that depend on some values, in order.
func (g *graph) behind(changed map[string]bool) (list []*node, is map[string]bool) {
	is = map[string]bool{}
	for name := range changed {
		is[name] = true
	}
	for _, n := range g.nodes {
		for _, need := range n.needs {
			if is[need] && !is[n.name] {
				is[n.name] = true
				list = append(list, n)
			}
		}
	}
	return list, is
}

// width of a sort, 0 for an array.
func width(sort string) int {
	if sort == "Bool" {
		return 1
	}
	if s, is := strings.CutPrefix(sort, "(_ BitVec "); is {
		n, _ := strconv.Atoi(strings.TrimSuffix(s, ")"))
		return n
	}
	return 0
}

// truth makes a condition of a value of one bit.
func truth(n *node, name string) string {
	if n.sort == "Bool" {
		return name
	}
	return "(= " + name + " #b1)"
}

// bit is 0 or 1 as a value of a sort.
func bit(sort string, v int) string {
	if sort == "Bool" {
		return [...]string{"false", "true"}[v]
	}
	return fmt.Sprintf("#b%d", v)
}
