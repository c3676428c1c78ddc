package synth

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Table prints reports as text, followed by the memories and slowest paths of each.
func Table(reports []*Report) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "block\tLUT\tFF\tcarry\tLUT RAM\tblock RAM\tlevels\tns\tMHz\tns inside\t")
	for _, r := range reports {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.2f\t%.0f\t%.2f\t\n", r.Module, r.LUT, r.FF, r.Carry, r.LUTRAM, r.BlockRAM, r.Levels, r.Delay, 1000/max(r.Delay, 0.01), r.Inner)
	}
	w.Flush()
	for _, r := range reports {
		if r.Routing != nil {
			fmt.Fprintf(&b, "\n%s after place and route on %s: %.2f MHz, the median of %v\n", r.Module, r.Target, r.Routing.MHz, r.Routing.Seeds)
		}
	}
	for _, r := range reports {
		fmt.Fprintf(&b, "\n%s on %s\n", r.Module, r.Target)
		for _, m := range r.Memories {
			fmt.Fprintf(&b, "  memory %s: %d %s  [%s]\n", m.Name, m.Cells, m.Cell, m.Made)
		}
		for _, p := range r.Paths {
			fmt.Fprintf(&b, "  %.2f ns, %d levels: %s [%s] > %s [%s]\n", p.Delay, p.Levels, p.Start, p.Made[0], p.End, p.Made[1])
			if len(p.Through) > 0 {
				fmt.Fprintf(&b, "    by %s\n", strings.Join(p.Through, " > "))
			}
		}
		if len(r.Unmodeled) > 0 {
			fmt.Fprintf(&b, "  without delay in the estimate: %s\n", strings.Join(r.Unmodeled, ", "))
		}
	}
	return b.String()
}
