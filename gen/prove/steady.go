package prove

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/hdl/formal"
)

// Steady tells whether the offers of a module's stream stay until they are taken, which its block's file may excuse it from.
func (f Files) Steady(module, stream string) bool {
	s := f.Specs[gen.Kind(module)]
	return s == nil || !slices.ContainsFunc(s.Excused, func(e formal.Assumption) bool { return e.Name == "handshake_"+stream })
}
