package formal

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/internal/ir"
)

// role is the use of a statement of a property file in a run.
type role int

const (
	drop       role = iota // not part of this run
	assertion              // must hold
	assumption             // is assumed
)

// word is the statement for a role. A dropped statement becomes a cover, which [script] removes.
func (r role) word() string { return [...]string{"cover", "assert", "assume"}[r] }

// cast assigns a role to each label of a property file.
type cast func(label, is string) role

// items returns the text of a property file with a role for each statement. Repeated labels get a number, since yosys requires them to
// be unique.
func (s *Spec) items(c cast) string {
	seen := map[string]int{}
	return labelled.ReplaceAllStringFunc(comment.ReplaceAllString(s.text, ""), func(text string) string {
		f := labelled.FindStringSubmatch(text)
		seen[f[1]]++
		label := f[1]
		if seen[label] > 1 {
			label += fmt.Sprintf("%s%d", again, seen[label])
		}
		return label + f[2] + c(f[1], f[3]).word() + f[4]
	})
}

// again separates a label from its number.
const again = "__again_"

// macros are those that a property file may use: the width of each signal and memory, the depth of each memory, and the valid, ready and
// fields of each stream.
func (b Block) macros(d *hdl.Design) map[string]string {
	out, m := map[string]string{}, d.IR()
	if b.Options != nil {
		maps.Copy(out, b.Options(d))
	}
	for _, s := range m.Ports {
		out["WIDTH_"+s.Name] = strconv.Itoa(s.Width)
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ir.Signal:
			out["WIDTH_"+it.Name] = strconv.Itoa(it.Width)
		case *ir.Memory:
			out["WIDTH_"+it.Name], out["DEPTH_"+it.Name] = strconv.Itoa(it.Width), strconv.Itoa(it.Depth)
		}
	}
	for _, s := range d.Streams() {
		out["VALID_"+s.Name], out["READY_"+s.Name], out["DATA_"+s.Name] = s.Valid, s.Ready, "{"+strings.Join(s.Fields, ", ")+"}"
	}
	return out
}

// directives are those that a property file may use.
var directives = map[string]bool{"ifdef": true, "else": true, "endif": true}

// defines returns the definitions of the macros that a property file uses, with the values for the module that follows.
func (b Block) defines(s *Spec, d *hdl.Design) (string, error) {
	known := b.macros(d)
	out, done := &strings.Builder{}, map[string]bool{}
	for i, line := range strings.Split(s.text, "\n") {
		for _, f := range macro.FindAllStringSubmatch(comment.ReplaceAllString(line, ""), -1) {
			if _, directive := directives[f[1]]; directive {
				if _, has := known["WIDTH_"+f[2]]; has && !done["IS_"+f[2]] {
					fmt.Fprintf(out, "`define IS_%s\n", f[2])
				} else if !has {
					fmt.Fprintf(out, "`undef IS_%s\n", f[2])
				}
				done["IS_"+f[2]] = true
				continue
			}
			value, is := known[f[1]]
			if name, asks := strings.CutPrefix(f[1], "HAS_"); asks {
				value, is = "0", true
				if _, has := known["WIDTH_"+name]; has {
					value = "1"
				}
			}
			if !is {
				return "", fmt.Errorf("%s:%d: `%s is unknown in %s; allowed: `WIDTH_signal, `HAS_signal, `DEPTH_memory, `VALID_stream, `READY_stream, "+
					"`DATA_stream, and options such as `DRAFT00 and `STREAMS", s.File, i+1, f[1], d.Name())
			}
			if !done[f[1]] {
				fmt.Fprintf(out, "`define %s %s\n", f[1], value)
			}
			done[f[1]] = true
		}
	}
	return out.String(), nil
}

// clocking declares started for property files: 0 in the first cycle. In a module with a signal of that name it is formal_started.
func clocking(module string) string {
	items := "\n    reg formal_started = 1'b0;\n    always @(posedge clk) formal_started <= 1'b1;\n"
	if !declaresStarted.MatchString(module) {
		items += "    wire started = formal_started;\n"
	}
	return items
}

var declaresStarted = regexp.MustCompile(`(?m)^\s*(input|output|wire|reg)\b[^=;/]*\bstarted\b`)

// reset assumes a reset in the first cycle, from any state.
func reset(once bool) string {
	if once {
		return "    always @* assume (rst == !formal_started);\n"
	}
	return "    always @* if (!formal_started) assume (rst);\n"
}

// handshake is the rule of a stream: an offer is stable until it is accepted. With control, valid may fall at any time.
func handshake(p hdl.StreamPort, word string, control bool) string {
	name, valid := rule+p.Name, p.Valid
	text := ""
	if control {
		valid = name + "_offered"
		text = fmt.Sprintf("    (* anyseq *) wire %s_falls;\n    wire %s = %s & ~%s_falls;\n", name, valid, p.Valid, name)
	}
	data := "1'b1"
	if len(p.Fields) > 0 {
		data = fmt.Sprintf("$stable({%s})", strings.Join(p.Fields, ", "))
	}
	return text + fmt.Sprintf("    always @(posedge clk) if (formal_started && $past(formal_started) && !$past(rst) && $past(%s) && !$past(%s))\n"+
		"        %s: %s (%s && %s);\n", valid, p.Ready, name, word, valid, data)
}

// insert inserts items before the end of a printed module, and macros before the module.
func insert(module, macros, items string) string {
	at := strings.LastIndex(module, "endmodule")
	return macros + module[:at] + items + module[at:]
}

// clocked adds a clock to a combinational module, since the rules of streams span cycles.
func clocked(module string) string {
	at := strings.Index(module, "(\n") + len("(\n")
	return module[:at] + "    input wire clk,\n    input wire rst,\n" + module[at:]
}
