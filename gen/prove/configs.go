// Package prove proves the properties of every block of gen, in small configurations.
package prove

import (
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
)

// Configs are the configurations whose blocks are proven: both tops, small, with and without draft00.
func Configs() []gen.Config {
	rnic := gen.Config{Top: gen.TopRNIC, Profile: "rdmap", Extensions: []string{}, BusBytes: 8, Streams: 4, RetirePort: true,
		STags: 16, IRD: 2, ORD: 2, ReceiveDepth: 2, SendDepth: 2, MaxPayload: 256, AtomicDepth: 16}
	atomics := gen.Config{Top: gen.TopAtomics, Profile: "rdmap", Extensions: []string{}, BusBytes: 8, Streams: 2, RetirePort: true, WindowWords: 2}
	rnicDraft, atomicsDraft := rnic, atomics
	rnicDraft.Extensions, atomicsDraft.Extensions = []string{"draft00"}, []string{"draft00"}
	return []gen.Config{rnic, atomics, rnicDraft, atomicsDraft}
}

// Modules are the modules of the configurations, each once, children before parents.
func Modules(configs ...gen.Config) ([]*hdl.Design, error) {
	var out []*hdl.Design
	known := map[string]string{}
	for _, c := range configs {
		d, err := gen.Compile(c)
		if err != nil {
			return nil, err
		}
		for _, m := range d.Modules() {
			files := m.Files()
			// A parent that only has other names for its children is not proven again.
			text := strings.ReplaceAll(files[len(files)-1].Text, "_draft00", "")
			before, twice := known[m.Top()]
			switch {
			case !twice:
				known[m.Top()] = text
				out = append(out, m)
			case before != text:
				return nil, fmt.Errorf("%s is not the same in two configurations", m.Top())
			}
		}
	}
	return out, nil
}
