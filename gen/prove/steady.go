package prove

import "github.com/rnicgen/rnicgen/gen"

// Steady tells whether the offers of a module's stream stay until they are taken, which its block's file may excuse it from.
func (f Files) Steady(module, stream string) bool {
	return f.Specs[gen.Kind(module)].Excuse(stream) == ""
}
