package hdltest

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
)

// Main runs the tests of a package, for its TestMain. Property tests draw the same in each run and make the
// given number of checks, unless a flag says otherwise: go test ./hdl -rapid.seed=7 -rapid.checks=1000.
func Main(m *testing.M, checks int) {
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	defaults := [][2]string{{"rapid.seed", "1"}, {"rapid.checks", strconv.Itoa(checks)}, {"rapid.nofailfile", "true"}}
	for _, d := range defaults {
		if given[d[0]] {
			continue
		}
		if err := flag.Set(d[0], d[1]); err != nil {
			fmt.Fprintln(os.Stderr, "hdltest.Main is for packages that use rapid:", err)
			os.Exit(2)
		}
	}
	os.Exit(m.Run())
}
