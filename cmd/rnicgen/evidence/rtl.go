package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/rnicgen/rnicgen/gen"
)

// RTL identifies the Verilog of a configuration. SHA256 is computed over the lines "sha256 name" of all files, in the
// order of the file list, as `sha256sum` prints them.
type RTL struct {
	Top    string     `json:"top"`
	Config gen.Config `json:"config"`
	SHA256 string     `json:"sha256"`
	Files  []File     `json:"files"`
}

// File is one file of the Verilog.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// RTLOf generates the Verilog of a configuration.
func RTLOf(c gen.Config) (RTL, error) {
	design, err := gen.Compile(c)
	if err != nil {
		return RTL{}, err
	}
	r := RTL{Top: design.Top(), Config: c}
	list := sha256.New()
	for _, f := range design.Files() {
		sum := sha256.Sum256([]byte(f.Text))
		file := File{"rtl/" + f.Name, hex.EncodeToString(sum[:])}
		r.Files = append(r.Files, file)
		fmt.Fprintf(list, "%s  %s\n", file.SHA256, file.Name)
	}
	r.SHA256 = hex.EncodeToString(list.Sum(nil))
	return r, nil
}
