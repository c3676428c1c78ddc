package verilator

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// dataHead is the first line of Verilator's coverage.dat.
const dataHead = "# SystemC::Coverage-3"

// readPoints reads coverage.dat: a line "C 'KEYS' COUNT" for each point, where KEYS are pairs of name and value such as \x01f\x02fifo.v.
func readPoints(text string) (points []simulator.Point, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(line, "\n")
		refuse := func(what, allowed string) error {
			return fmt.Errorf("coverage.dat:%d: %s in %q; allowed: %s", number, what, line, allowed)
		}
		if number == 1 {
			if line != dataHead {
				return nil, refuse("unknown header", dataHead)
			}
			continue
		}
		line, is := strings.CutPrefix(line, "C '")
		end := strings.LastIndex(line, "' ")
		if !is || end < 0 {
			return nil, refuse("no point", "C 'KEYS' COUNT")
		}
		var p simulator.Point
		if p.Count, err = strconv.ParseUint(line[end+2:], 10, 64); err != nil {
			return nil, refuse("count "+line[end+2:], "a number")
		}
		keys := map[string]string{}
		for _, pair := range strings.Split(line[:end], "\x01")[1:] {
			name, value, is := strings.Cut(pair, "\x02")
			if !is {
				return nil, refuse("a key without value", "\\x01NAME\\x02VALUE")
			}
			keys[name] = value
		}
		kind, module, _ := strings.Cut(keys["page"], "/")
		if kind != "v_line" && kind != "v_branch" {
			return nil, refuse("page "+keys["page"], "v_line/MODULE, v_branch/MODULE")
		}
		p.File, p.Module = filepath.Base(keys["f"]), module
		var err1, err2, err3 error
		p.Line, err1 = strconv.Atoi(keys["l"])
		p.Column, err2 = strconv.Atoi(keys["n"])
		if p.Lines, err3 = readLines(keys["S"], p.Line); err1 != nil || err2 != nil || err3 != nil {
			return nil, refuse("bad position", "numbers, and lines such as 3-5,7")
		}
		if arm := keys["o"]; arm != "block" {
			p.Arm = arm
		}
		points = append(points, p)
	}
	if number == 0 {
		return nil, fmt.Errorf("coverage.dat is empty; allowed: a file that begins with %s", dataHead)
	}
	return points, nil
}

// readLines reads a list such as 3-5,7; an empty list stands for line.
func readLines(text string, line int) (lines []int, err error) {
	if text == "" {
		return []int{line}, nil
	}
	for _, part := range strings.Split(text, ",") {
		first, last, is := strings.Cut(part, "-")
		if !is {
			last = first
		}
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil || from < 1 || to < from || to-from > 1<<20 {
			return nil, fmt.Errorf("lines %q", part)
		}
		for n := from; n <= to; n++ {
			lines = append(lines, n)
		}
	}
	return lines, nil
}
