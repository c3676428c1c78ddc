package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Blocks are the blocks of the profile, which nothing joins yet, each in both bit orders.
func Blocks(busBytes, connections int) (list []*hdl.Design, err error) {
	for _, order := range []spec.BitOrder{spec.Drawn, spec.Mirrored} {
		d, err := hdl.Compile(Parser(order, busBytes, connections))
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

// Lists are those that property files use: OFFSET, the octets of a beat at which payload begins.
func Lists(busBytes int) map[string][]string {
	var offsets []string
	for _, word := range payloadWords(busBytes) {
		offsets = append(offsets, fmt.Sprint(4*word))
	}
	return map[string][]string{"OFFSET": offsets}
}
