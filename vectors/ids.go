package vectors

import (
	"bufio"
	_ "embed"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// ids.txt gives every case its tcId: one line each, the number and the case's key. A line is never changed and
// never taken away, so that a tcId means the same test for ever; a new case gets a new line at the end, with
// the next number. A case that was wrong goes, and its tcId with it: see retired.txt. (go test ./vectors -run TestIDs -update appends what is missing.)
//
//go:embed ids.txt
var idsText string

// retired.txt lists tcIds whose tests were wrong, and why: one line each. They are given to no other test.
//
//go:embed retired.txt
var retiredText string

// readIDs gives the tcIds of all cases but those that are retired.
func readIDs() (map[string]int, error) {
	ids, err := readAllIDs()
	if err != nil {
		return nil, err
	}
	retired, err := readRetired()
	maps.DeleteFunc(ids, func(_ string, id int) bool { return retired[id] != "" })
	return ids, err
}

// readRetired reads retired.txt.
func readRetired() (map[int]string, error) {
	reasons := map[int]string{}
	for line := range strings.Lines(retiredText) {
		number, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
		id, err := strconv.Atoi(number)
		if err != nil || reason == "" || reasons[id] != "" {
			return nil, fmt.Errorf("vectors: retired.txt: %q; allowed: a tcId and a reason, each once", line)
		}
		reasons[id] = reason
	}
	return reasons, nil
}

// readAllIDs reads ids.txt.
func readAllIDs() (map[string]int, error) {
	ids := map[string]int{}
	last := 0
	lines := bufio.NewScanner(strings.NewReader(idsText))
	for n := 1; lines.Scan(); n++ {
		number, key, _ := strings.Cut(lines.Text(), " ")
		id, err := strconv.Atoi(number)
		_, twice := ids[key]
		if err != nil || id != last+1 || key == "" || twice {
			return nil, fmt.Errorf("vectors: ids.txt: line %d is %q; allowed: %d and a new key", n, lines.Text(), last+1)
		}
		ids[key], last = id, id
	}
	return ids, lines.Err()
}
