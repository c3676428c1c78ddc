package bench

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
)

// Image is a file for $readmemh. Fields are separated by underscores, which Verilog ignores.
type Image struct {
	Name  string
	Width int // hexadecimal digits per line
	Lines int
	text  bytes.Buffer
}

// Add adds a line, and returns its number.
func (i *Image) Add(format string, values ...any) int {
	fmt.Fprintf(&i.text, format+"\n", values...)
	i.Lines++
	return i.Lines - 1
}

// Octets adds one octet per line, and returns the line of the first.
func (i *Image) Octets(b []byte) int {
	first := i.Lines
	for n := range b {
		i.text.Write(append(hex.AppendEncode(i.text.AvailableBuffer(), b[n:n+1]), '\n'))
	}
	i.Lines += len(b)
	return first
}

// Whole returns the image with a final line of ones, by which the bench detects truncation.
func (i *Image) Whole() []byte {
	return append(bytes.Clone(i.text.Bytes()), strings.Repeat("f", i.Width)+"\n"...)
}
