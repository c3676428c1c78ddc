package scenario

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap"
)

// atLeast returns why a configuration is too small, or "".
func atLeast(field string, is, least int) string {
	if is < least {
		return fmt.Sprintf("%s is %d; needed: at least %d", field, is, least)
	}
	return ""
}

// receiveNothing returns a receive request for Immediate Data, which needs no buffer.
func receiveNothing(s *stage, stream uint32) rdmap.ReceiveRequest {
	return rdmap.ReceiveRequest{Stream: stream, ID: s.nextID()}
}
