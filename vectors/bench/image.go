package bench

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
)

// image is a file for $readmemh. Fields are separated by underscores, which Verilog ignores.
type image struct {
	name  string
	width int // hexadecimal digits per line
	lines int
	text  bytes.Buffer
}

func (i *image) add(format string, values ...any) int {
	fmt.Fprintf(&i.text, format+"\n", values...)
	i.lines++
	return i.lines - 1
}

// octets adds one octet per line, and returns the line of the first.
func (i *image) octets(b []byte) int {
	first := i.lines
	for n := range b {
		i.text.Write(append(hex.AppendEncode(i.text.AvailableBuffer(), b[n:n+1]), '\n'))
	}
	i.lines += len(b)
	return first
}

// whole returns the image with a final line of ones, by which the bench detects truncation.
func (i *image) whole() []byte {
	return append(bytes.Clone(i.text.Bytes()), strings.Repeat("f", i.width)+"\n"...)
}
