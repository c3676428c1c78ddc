package suite

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Kinds of work requests.
var Kinds = map[spec.Kind]string{spec.Send: "send", spec.Write: "write", spec.Read: "read", spec.CmpSwap: "cmp_swap", spec.FetchAdd: "fetch_add"}

// Suffixes of messages.
var Suffixes = map[spec.Suffix]string{spec.Plain: "", spec.Immediate: "immediate", spec.Invalidate: "invalidate"}

// Rights of a region.
var Rights = []string{"local_read", "local_write", "remote_read", "remote_write", "remote_atomic", "invalidate"}

// Local is the cause of an event without a packet or a completion code.
const Local = "local"

// named returns the value that has a name, among the first n of its type.
func named[V interface {
	~uint8
	fmt.Stringer
}](name string, n int) (V, error) {
	var allowed []string
	for v := range V(n) {
		if v.String() == name {
			return v, nil
		}
		allowed = append(allowed, v.String())
	}
	return 0, fmt.Errorf("%q; allowed: %v", name, allowed)
}

func keyOf[K comparable](names map[K]string, name string) (K, error) {
	for k, n := range names {
		if n == name {
			return k, nil
		}
	}
	var none K
	return none, fmt.Errorf("%q; allowed: one of %v", name, names)
}
