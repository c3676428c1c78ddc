package bench

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
)

// image is a file for $readmemh. Fields are joined by underscores, which Verilog reads over.
type image struct {
	name  string
	width int // hexadecimal digits of a line
	lines int
	text  bytes.Buffer
}

func (i *image) add(format string, values ...any) int {
	fmt.Fprintf(&i.text, format+"\n", values...)
	i.lines++
	return i.lines - 1
}

// octets adds one octet a line, and returns the line of the first.
func (i *image) octets(b []byte) int {
	first := i.lines
	for n := range b {
		i.text.Write(append(hex.AppendEncode(i.text.AvailableBuffer(), b[n:n+1]), '\n'))
	}
	i.lines += len(b)
	return first
}

// whole ends the image with a line of ones, which shows the bench that nothing is missing.
func (i *image) whole() []byte {
	return append(bytes.Clone(i.text.Bytes()), strings.Repeat("f", i.width)+"\n"...)
}
