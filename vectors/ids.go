package vectors

import (
	"bufio"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// ids.txt gives every case its tcId: one line each, the number and the case's key. A line is never changed and
// never taken away, so that a tcId means the same test for ever; a new case gets a new line at the end, with
// the next number. (go test ./vectors -run TestIDs -update appends what is missing.)
//
//go:embed ids.txt
var idsText string

// readIDs reads ids.txt.
func readIDs() (map[string]int, error) {
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
