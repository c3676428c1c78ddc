package prove

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// OK reports whether every property is shown and every control has failed.
func OK(rows []Row) bool {
	for _, r := range rows {
		if !r.OK {
			return false
		}
	}
	return true
}

// Write prints a table of the rows.
func Write(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "block\tproperty\tkind\ttime\tcontrol")
	for _, r := range rows {
		control := r.Control
		switch {
		case r.Shown != "":
			control += "  (" + r.Detail + "; shown by " + r.Shown + ")"
		case r.Detail != "":
			control += "  (" + r.Detail + ")"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%.1f s\t%s\n", r.Block, r.Property, r.shown(), r.Seconds, control)
	}
	return t.Flush()
}

// shown states in words how far a property is shown.
func (r Row) shown() string {
	switch {
	case !r.OK:
		return "FAILED"
	case r.Kind == "proven":
		return fmt.Sprintf("proven k=%d", r.Depth)
	case r.Kind == "bounded":
		return fmt.Sprintf("bounded to %d", r.Depth)
	}
	return r.Kind
}

// Summary counts the rows.
func Summary(rows []Row, solver string, took time.Duration) string {
	count := map[string]int{}
	blocks := map[string]bool{}
	controls, shown := 0, 0
	for _, r := range rows {
		blocks[r.Block] = true
		if r.OK {
			count[r.Kind]++
		} else {
			count["failed"]++
		}
		if r.Shown != "" {
			shown++
		}
		if r.OK && r.Control != "" {
			controls++
		}
	}
	return fmt.Sprintf("%d properties of %d blocks: %d proven, %d bounded, %d composed, %d excused, %d failed, resting on %d assumptions, %d of them shown; the controls of %d fail; %v with %s",
		len(rows)-count["assumed"], len(blocks), count["proven"], count["bounded"], count["composed"], count["excused"], count["failed"],
		count["assumed"], shown, controls, took.Round(time.Second), solver)
}
