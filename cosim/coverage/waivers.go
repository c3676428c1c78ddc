package coverage

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// waivers.csv justifies items that are not reached: kind, block, items, reason. In block and items a * matches any text; block
// names blocks or modules, several with |. Items of toggles are ports, with bits as [7:4,2] or without for all, and may end with
// rises or falls. A line is reviewed like code.
//
//go:embed waivers.csv
var waiversText string

// waivers_commit.csv adds those of configurations with the extension commit.
//
//go:embed waivers_commit.csv
var commitWaiversText string

// The names of both.
const (
	waiversFile       = "waivers.csv"
	commitWaiversFile = "waivers_commit.csv"
)

// Waiver is a line of the file.
type Waiver struct {
	Kind   Kind
	Block  string
	Items  string
	Reason string

	file       string
	number     int
	block, has *regexp.Regexp
	bits       [][2]int // from and to; none: all
}

func (w *Waiver) String() string {
	return fmt.Sprintf("%s:%d: %s %s %s", w.file, w.number, w.Kind, w.Block, w.Items)
}

var bitRange = regexp.MustCompile(`^(.*?)\[([^\]]*)\](| rises| falls)$`)

// waiversOf reads the waivers of some configurations.
func waiversOf(configs []Config) ([]*Waiver, error) {
	list, err := ReadWaivers(waiversFile, waiversText)
	if err != nil || !slices.ContainsFunc(configs, func(c Config) bool { return c.Protocol()&spec.Commit != 0 }) {
		return list, err
	}
	more, err := ReadWaivers(commitWaiversFile, commitWaiversText)
	return append(list, more...), err
}

// mustHaveEffect returns the file whose waivers must all be needed: those of the defaults, or of them with the extension. Other
// configurations may need none.
func mustHaveEffect(configs []Config) string {
	extended := gen.Default()
	extended.Extensions = []string{"commit"}
	switch {
	case reflect.DeepEqual(configs, Defaults()):
		return waiversFile
	case len(configs) == 1 && reflect.DeepEqual(configs[0].Config, extended):
		return commitWaiversFile
	}
	return ""
}

// ReadWaivers reads the text of a file.
func ReadWaivers(file, text string) (list []*Waiver, err error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment, r.FieldsPerRecord = '#', 4
	for first := true; ; first = false {
		fields, err := r.Read()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		number, _ := r.FieldPos(0)
		if first {
			if strings.Join(fields, ",") != "kind,block,items,reason" {
				return nil, fmt.Errorf("%s:%d: columns are %q; allowed: kind,block,items,reason", file, number, fields)
			}
			continue
		}
		w := &Waiver{Kind: Kind(fields[0]), Block: fields[1], Items: fields[2], Reason: fields[3], file: file, number: number}
		switch {
		case w.Kind != Line && w.Kind != Branch && w.Kind != Toggle && w.Kind != Bin:
			return nil, fmt.Errorf("%v: kind is %q; allowed: %v", w, w.Kind, Kinds)
		case w.Block == "" || w.Items == "" || len(w.Reason) < 10:
			return nil, fmt.Errorf("%v: block, items or reason is missing", w)
		}
		w.block = Pattern(strings.Split(w.Block, "|")...)
		items := w.Items
		if w.Kind == Toggle {
			edge := ""
			if m := bitRange.FindStringSubmatch(items); m != nil {
				items, edge = m[1], m[3]
				if w.bits, err = readBits(m[2]); err != nil {
					return nil, fmt.Errorf("%v: %w", w, err)
				}
			} else if at := strings.LastIndex(items, " "); at >= 0 {
				items, edge = items[:at], items[at:]
			}
			if edge != "" && edge != " rises" && edge != " falls" {
				return nil, fmt.Errorf("%v: edge %q; allowed: rises, falls", w, edge)
			}
			w.has = regexp.MustCompile(strings.TrimSuffix(Pattern(items).String(), "$") + `\[(\d+)\]` + map[string]string{"": " (?:rises|falls)"}[edge] + edge + "$")
		} else {
			w.has = Pattern(items)
		}
		list = append(list, w)
	}
}

// readBits reads a list such as 7:4,2.
func readBits(text string) (list [][2]int, err error) {
	for _, part := range strings.Split(text, ",") {
		high, low, is := strings.Cut(part, ":")
		if !is {
			low = high
		}
		to, err1 := strconv.Atoi(high)
		from, err2 := strconv.Atoi(low)
		if err1 != nil || err2 != nil || from < 0 || from > to {
			return nil, fmt.Errorf("bits %q; allowed: a list such as 7:4,2", text)
		}
		list = append(list, [2]int{from, to})
	}
	return list, nil
}

// Pattern makes an expression of alternative texts with stars, one of which must match completely.
func Pattern(texts ...string) *regexp.Regexp {
	for i, t := range texts {
		texts[i] = strings.ReplaceAll(regexp.QuoteMeta(t), `\*`, ".*")
	}
	return regexp.MustCompile("^(?:" + strings.Join(texts, "|") + ")$")
}

// fits reports whether the waiver matches an item.
func (w *Waiver) fits(i *Item) bool {
	if w.Kind != i.Kind || !w.block.MatchString(i.Block) && !w.block.MatchString(i.Module) {
		return false
	}
	m := w.has.FindStringSubmatch(i.Name)
	if m == nil || w.bits == nil {
		return m != nil
	}
	bit, err := strconv.Atoi(m[len(m)-1])
	return err == nil && slices.ContainsFunc(w.bits, func(r [2]int) bool { return r[0] <= bit && bit <= r[1] })
}

// waive finds the waivers of each uncovered item, and the waivers that match no item.
func waive(list []*Item, waivers []*Waiver) (waived map[*Item]*Waiver, open []*Item, idle []*Waiver) {
	waived = map[*Item]*Waiver{}
	used := map[*Waiver]bool{}
	for _, i := range list {
		if i.Covered {
			continue
		}
		for _, w := range waivers {
			if w.fits(i) {
				used[w] = true
				if waived[i] == nil {
					waived[i] = w
				}
			}
		}
		if waived[i] == nil {
			open = append(open, i)
		}
	}
	for _, w := range waivers {
		if !used[w] {
			idle = append(idle, w)
		}
	}
	return waived, open, idle
}
