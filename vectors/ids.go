package vectors

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/vectors/tcid"
)

// ids.txt assigns a tcId to every case, one line each: the number and the case's key, in ascending order. A line never
// changes, so that a tcId always denotes the same test. A new case gets a new line at the end with the next unused
// number. When a case is removed, its line is removed and its tcId is added to retired.txt. (go test ./vectors -run
// 'TestIDs$|TestMeanings$' -update appends missing lines.)
//
//go:embed ids.txt
var idsText string

// retired.txt lists tcIds that must not be reused: a number, or FIRST-LAST, and the reason.
//
//go:embed retired.txt
var retiredText string

// readIDs returns the tcIds of all cases by key.
func readIDs() (map[string]int, error) {
	retired, err := readRetired()
	if err != nil {
		return nil, err
	}
	return tcid.Read(idsText, retired)
}

// readRetired returns the tcIds in retired.txt.
func readRetired() (map[int]bool, error) {
	retired := map[int]bool{}
	for line := range strings.Lines(retiredText) {
		numbers, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
		from, to, isRange := strings.Cut(numbers, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || first > last || reason == "" || retired[first] || retired[last] {
			return nil, fmt.Errorf("vectors: retired.txt: line %q; allowed: a tcId or FIRST-LAST, each once, and a reason", line)
		}
		for id := first; id <= last; id++ {
			retired[id] = true
		}
	}
	return retired, nil
}
