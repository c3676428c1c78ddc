package system

import (
	"fmt"
	"time"

	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Ordering is the ordering mode of the QPs of a flow, with RDMA over Falcon (RoF 6.2).
type Ordering string

const (
	Strong    Ordering = "strong"    // data and completions in order
	Weak      Ordering = "weak"      // data as packets arrive, completions in order
	Unordered Ordering = "unordered" // both as packets arrive
)

// Falcon is the mode in the words of the specification; strong if it is left out.
func (o Ordering) Falcon() spec.Ordering {
	return map[Ordering]spec.Ordering{"": spec.Strong, Strong: spec.Strong, Weak: spec.Weak, Unordered: spec.Unordered}[o]
}

// falconOperations are the operations of RDMA over Falcon.
var falconOperations = []Operation{Write, Read, Send, FetchAdd, CmpSwap}

// profile checks what the profiles do not have in common.
func (c *checks) profile() {
	w := c.workload
	falcon := c.engine.Falcon != nil
	if r := w.Network.Reorder; r > 0 && !falcon {
		c.refuse("network.reorder", time.Duration(r), "0s, as iWARP is over TCP, which keeps order; with profile falcon any duration")
	}
	for i := range w.Flows {
		at := fmt.Sprintf("flows[%d].ordering", i)
		switch o := w.Flows[i].Ordering; o {
		case "":
		case Strong, Weak, Unordered:
			if !falcon {
				c.refuse(at, o, "left out; with profile falcon "+names([]Ordering{Strong, Weak, Unordered}))
			}
		default:
			c.refuse(at, fmt.Sprintf("%q", o), names([]Ordering{Strong, Weak, Unordered})+", with profile falcon")
		}
	}
}
