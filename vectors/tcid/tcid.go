// Package tcid reads the numbers of tests.
package tcid

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
)

// Read returns the tcIds of cases by key, from a text with one line each: the number and the case's key, in ascending order. A
// line never changes, so that a tcId always denotes the same test.
func Read(text string, retired map[int]bool) (map[string]int, error) {
	ids := map[string]int{}
	last := 0
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		number, key, _ := strings.Cut(lines.Text(), " ")
		id, err := strconv.Atoi(number)
		_, twice := ids[key]
		if err != nil || id <= last || key == "" || twice || retired[id] {
			return nil, fmt.Errorf("vectors: ids.txt: line %d is %q; allowed: a number above %d that is not retired, and a new key", n, lines.Text(), last)
		}
		ids[key], last = id, id
	}
	return ids, lines.Err()
}
