package rnic

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// flushes are what a device has asked its platform for, and the first Flush that it has answered without.
type flushes struct {
	asked []Flush // and not answered yet, or failed
	none  error
}

// followFlush finds what the device has asked the platform for on behalf of a Flush that it has executed. One of 0 octets asks for nothing.
func (n *Node) followFlush(stream uint32, in *inbound) {
	if n.Device.platform == nil || !in.is(spec.FlushRequest) || in.octets == 0 || n.flushes.none != nil {
		return
	}
	var r wire.FlushRequest
	if err := r.Decode(in.payload); err != nil {
		n.flushes.none = err
		return
	}
	region, _ := n.Model.Region(int(in.stag >> 8))
	want := Flush{Address: in.address, Octets: uint32(in.octets), Type: region.Attributes.Type, Persistent: r.Flags&wire.Persistence != 0, Visible: r.Flags&wire.GlobalVisibility != 0}
	at := slices.IndexFunc(n.flushes.asked, func(f Flush) bool {
		f.ID = 0
		return f == want
	})
	if at < 0 && n.streams[stream].failures != 0 {
		return // requests behind a response that was not sent may not have started
	}
	if at < 0 {
		n.flushes.none = n.differs(stream, "a flush", fmt.Sprintf("one of %+v", n.flushes.asked), fmt.Sprintf("%+v", want))
		return
	}
	n.flushes.asked = slices.Delete(n.flushes.asked, at, at+1)
}
