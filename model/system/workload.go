package system

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Workload is a network of nodes and what their hosts do.
type Workload struct {
	About   string `yaml:"about" json:"about"`       // one sentence
	LookFor string `yaml:"look_for" json:"look_for"` // what the result shows

	Nodes    int     `yaml:"nodes" json:"nodes"`         // 2 to 256
	RTL      Nodes   `yaml:"rtl" json:"rtl"`             // the nodes whose RNIC is the generated hardware
	ClockMHz float64 `yaml:"clock_mhz" json:"clock_mhz"` // of all RNICs
	Seed     uint64  `yaml:"seed" json:"seed"`
	Network  Network `yaml:"network" json:"network"`
	Memory   Memory  `yaml:"memory" json:"memory"`
	Flows    []Flow  `yaml:"flows" json:"flows"`
}

// Flow is what some nodes do to others. Each pair of an initiator and a target has its own streams, each of which runs transactions.
type Flow struct {
	Name         string   `yaml:"name" json:"name"`
	From         Nodes    `yaml:"from" json:"from"`                 // initiators
	To           Nodes    `yaml:"to" json:"to"`                     // targets; an initiator is not its own
	Neighbors    int      `yaml:"neighbors" json:"neighbors"`       // of the targets only those among so many nodes that follow the initiator, node 0 after the last; 0: all
	Streams      int      `yaml:"streams" json:"streams"`           // of each pair
	Transactions int      `yaml:"transactions" json:"transactions"` // of each stream; 0: as many as begin within For
	For          Duration `yaml:"for" json:"for"`
	Outstanding  int      `yaml:"outstanding" json:"outstanding"`     // transactions in progress of a stream; with Rate, the most
	Think        Duration `yaml:"think" json:"think"`                 // from the end of a transaction to the start of the next
	Rate         float64  `yaml:"rate" json:"rate"`                   // transactions that begin in a microsecond on a stream, at random moments; 0: one begins when another ends
	Ordering     Ordering `yaml:"ordering" json:"ordering,omitempty"` // of the QPs of the profile falcon; empty: strong
	Objects      Objects  `yaml:"objects" json:"objects"`
	Mix          []Mix    `yaml:"mix" json:"mix"`
}

// Objects are those in the memory of each target of a flow, one after the other. A transaction uses one of them.
type Objects struct {
	Base   uint64  `yaml:"base" json:"base"` // octets before the first one
	Count  int     `yaml:"count" json:"count"`
	Octets uint64  `yaml:"octets" json:"octets"` // of each
	Pick   Pick    `yaml:"pick" json:"pick"`
	Share  float64 `yaml:"share" json:"share"` // of hot: how many of the transactions use the first object
}

// Pick says which object a transaction uses.
type Pick string

const (
	First   Pick = "first"   // always the first
	Own     Pick = "own"     // that of the stream, by its number among those of the flow to the target
	Uniform Pick = "uniform" // any
	Hot     Pick = "hot"     // a share of them the first one, the others any
	Next    Pick = "next"    // one after the other
)

// Mix is a kind of transaction, and its share.
type Mix struct {
	Name       string `yaml:"name" json:"name"`
	Weight     int    `yaml:"weight" json:"weight"`             // among those of the flow
	BackToBack bool   `yaml:"back_to_back" json:"back_to_back"` // the steps are posted together, not each when the one before is complete
	Steps      []Step `yaml:"steps" json:"steps"`
}

// Step is one operation.
type Step struct {
	Operation Operation `yaml:"operation" json:"operation"`
	At        uint64    `yaml:"at" json:"at"`         // octets from the beginning of the object
	Octets    uint32    `yaml:"octets" json:"octets"` // of a write, read, send, flush and verify
	Reply     bool      `yaml:"reply" json:"reply"`   // of a send: the target answers with one of the same length, and the step ends with it
	Add       uint64    `yaml:"add" json:"add"`       // of a fetch_add
	Compare   Value     `yaml:"compare" json:"compare"`
	Swap      Value     `yaml:"swap" json:"swap"`
	Until     string    `yaml:"until" json:"until"` // swapped: a cmp_swap is repeated until it has swapped
}

// Operation is an operation of RDMAP.
type Operation string

const (
	Write       Operation = "write"
	Read        Operation = "read"
	Send        Operation = "send"
	FetchAdd    Operation = "fetch_add"
	CmpSwap     Operation = "cmp_swap"
	Flush       Operation = "flush"        // to persistence; this and the following need the extension commit
	Verify      Operation = "verify"       // the target returns the CRC32C
	AtomicWrite Operation = "atomic_write" // of the number of the transaction
)

// operations are all of them.
var operations = []Operation{Write, Read, Send, FetchAdd, CmpSwap, Flush, Verify, AtomicWrite}

// words are those on one aligned word.
var words = []Operation{FetchAdd, CmpSwap, AtomicWrite}

// Commits reports whether a workload needs the extension commit.
func (w *Workload) Commits() bool {
	for _, f := range w.Flows {
		for _, m := range f.Mix {
			for _, s := range m.Steps {
				if s.Operation == Flush || s.Operation == Verify || s.Operation == AtomicWrite {
					return true
				}
			}
		}
	}
	return false
}

//go:embed workloads/*.yaml
var shipped embed.FS

// Shipped returns the names of the workloads that come with the program.
func Shipped() (names []string) {
	files, _ := fs.Glob(shipped, "workloads/*.yaml")
	for _, f := range files {
		names = append(names, strings.TrimSuffix(path.Base(f), ".yaml"))
	}
	return names
}

// OpenShipped returns the text of one of them.
func OpenShipped(name string) ([]byte, error) {
	text, err := shipped.ReadFile("workloads/" + name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("workload %q; allowed: a file, or %s", name, strings.Join(Shipped(), ", "))
	}
	return text, nil
}

// DefaultWorkload is what a file that names nothing but its flows has.
func DefaultWorkload() Workload {
	return Workload{Nodes: 2, ClockMHz: 250, Seed: 1,
		Network: Network{LinkLatency: Duration(500 * time.Nanosecond), LinkGbps: 100, SwitchLatency: Duration(300 * time.Nanosecond), BufferOctets: 256 << 10},
		Memory:  Memory{Kind: Ideal, Latency: Duration(200 * time.Nanosecond)}}
}

// ReadWorkload reads YAML. An unknown field is an error. Check finds what cannot work.
func ReadWorkload(r io.Reader) (Workload, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Workload{}, fmt.Errorf("workload: %w", err)
	}
	w := DefaultWorkload()
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&w); err != nil && !errors.Is(err, io.EOF) {
		text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:")
		return w, fmt.Errorf("workload: %s", strings.Join(strings.Fields(text), " "))
	}
	var more yaml.Node
	if !errors.Is(d.Decode(&more), io.EOF) {
		return w, errors.New("workload: more than one document of YAML; allowed: one")
	}
	for i := range w.Flows {
		w.Flows[i].fill(i)
	}
	return w, nil
}

// fill sets what a flow leaves out.
func (f *Flow) fill(number int) {
	set := func(n *int, to int) {
		if *n == 0 {
			*n = to
		}
	}
	if f.Name == "" {
		f.Name = fmt.Sprintf("flow %d", number)
	}
	set(&f.Streams, 1)
	set(&f.Outstanding, 1)
	set(&f.Objects.Count, 1)
	if f.Objects.Octets == 0 {
		f.Objects.Octets = 4096
	}
	if f.Objects.Pick == "" {
		f.Objects.Pick = Own
		if f.Objects.Count == 1 {
			f.Objects.Pick = First
		}
	}
	for i := range f.Mix {
		m := &f.Mix[i]
		set(&m.Weight, 1)
		for j := range m.Steps {
			s := &m.Steps[j]
			if s.Octets == 0 {
				s.Octets = 8
			}
			if s.Operation == FetchAdd && s.Add == 0 {
				s.Add = 1
			}
		}
		if m.Name == "" && len(m.Steps) > 0 {
			m.Name = string(m.Steps[0].Operation)
		}
	}
}
