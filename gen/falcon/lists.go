package falcon

import "fmt"

// Lists are those that property files use: OFFSET, the octets of a beat at which payload begins.
func Lists(busBytes int) map[string][]string {
	var offsets []string
	for _, word := range payloadWords(busBytes) {
		offsets = append(offsets, fmt.Sprint(4*word))
	}
	return map[string][]string{"OFFSET": offsets}
}
