package falcon

import (
	_ "embed"

	"github.com/rnicgen/rnicgen/vectors/tcid"
)

// ids.txt assigns a tcId to every case: see package tcid. (go test ./vectors/falcon -run 'TestIDs|TestMeanings' -update
// appends missing lines.)
//
//go:embed ids.txt
var idsText string

// IDs returns the tcIds of all cases by key.
func IDs() (map[string]int, error) { return tcid.Read(idsText, nil) }
