package prove

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/formal"
)

// group is the modules of one configuration, children first, and what property files may ask of it.
type group struct {
	modules []*hdl.Design
	lists   formal.Lists
	macros  func(*hdl.Design) map[string]string // besides those that package formal defines
	form    []string                            // what may change a block, but not its name
	covers  func(kind string) bool              // a property file is of the form that the blocks of a kind have
}

func groups(configs ...gen.Config) (list []group, err error) {
	for _, c := range configs {
		m, err := modules(c)
		if err != nil {
			return nil, err
		}
		form := c.Extensions
		if c.Profile != gen.ProfileRDMAP {
			form = []string{c.Profile, c.BitOrder}
		} else if c.FarMemoryBit > 0 {
			form = append(slices.Clone(form), "far")
		}
		list = append(list, group{m, lists(c), macros(c), form, func(kind string) bool { return covers(kind, c) }})
	}
	return list, nil
}

// modules are those of a configuration, and what its blocks have in place.
func modules(c gen.Config) ([]*hdl.Design, error) {
	d, err := gen.Compile(c)
	if err != nil {
		return nil, err
	}
	inPlace, err := gen.InPlace(c)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(d.Modules())
	for _, d := range inPlace {
		all = append(all, d.Modules()...)
	}
	return all, nil
}

// options returns the parameters of a module as macros for property files: numbers such as `STREAMS, `FAR_MEMORY_BIT even
// without far memory, and `DRAFT00 and `MIRRORED with 0 or 1.
func options(d *hdl.Design) map[string]string {
	out := map[string]string{"FAR_MEMORY_BIT": "0"}
	for _, option := range []string{"draft00", "mirrored"} {
		out[strings.ToUpper(option)] = "0"
		if d.Has(option) {
			out[strings.ToUpper(option)] = "1"
		}
	}
	for _, p := range d.Params() {
		out[strings.ToUpper(p.Name)] = strconv.Itoa(p.Value)
	}
	return out
}
