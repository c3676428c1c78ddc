package gen

import (
	"reflect"

	"github.com/rnicgen/rnicgen/gen/engine/request"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/hdl"
)

// StateField is a number in the state of each stream: some bits of the stream's word in a memory. Tests set such numbers where traffic
// would take hours to reach them.
type StateField struct {
	Memory     string // hierarchical name
	Name       string // field in the type of the word
	Low, Width int    // bits
}

// StreamState lists the numbers in rx_check and request_messages.
func StreamState(config Config) []StateField {
	c := config.Engine()
	list := append(stateFields("check.stream_state", rdmap.RxStateOf(c)), stateFields("requester.messages.issue_state", request.IssueStateOf(c))...)
	return append(list, StateField{Memory: "check.answered_msn", Name: "AnsweredMsn", Width: 32})
}

// stateFields are the fields of a word packed by hdl.Pack, the most significant one first, but for those of a tag.
func stateFields[T any](memory string, word T) (list []StateField) {
	v, low := reflect.ValueOf(word), hdl.PackedWidth(word)
	for i := range v.NumField() {
		value, is := v.Field(i).Interface().(hdl.Value)
		if !is {
			if tag := v.Field(i).Interface(); tag != nil {
				low -= hdl.PackedWidth(tag)
			}
			continue
		}
		width := value.Width()
		low -= width
		list = append(list, StateField{Memory: memory, Name: v.Type().Field(i).Name, Low: low, Width: width})
	}
	return list
}
