package gen

import (
	"regexp"
	"strings"
)

// parameters are what a block's name has behind its kind: sizes and options.
var parameters = regexp.MustCompile(`(_\d+|_retire|_draft00)+$`)

// Kind is the block that a module of this name is an instance of: its name without sizes and options. Of the blocks that any
// record can pass through it is the block alone: fifo, bypass, merge.
func Kind(module string) string {
	name := parameters.ReplaceAllString(module, "")
	for _, generic := range []string{"fifo", "bypass", "merge"} {
		if strings.HasSuffix(name, "_"+generic) {
			return generic
		}
	}
	return name
}
