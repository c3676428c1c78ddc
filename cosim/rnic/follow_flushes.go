package rnic

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// flushes are what a device has asked its platform for, and the first Flush that it has answered without.
type flushes struct {
	asked []Flush // and not answered yet, or failed
	may   []Flush // requests without a response: Either: the platform was asked before the stream ended, or not
	none  error
}

// flushOf is what a device asks the platform for on behalf of a request; false if it is not a Flush, or one of 0 octets.
func (n *Node) flushOf(in *inbound) (want Flush, is bool, err error) {
	if n.Device.platform == nil || !in.is(spec.FlushRequest) || in.octets == 0 {
		return Flush{}, false, nil
	}
	var r wire.FlushRequest
	if err := r.Decode(in.payload); err != nil {
		return Flush{}, false, err
	}
	region, _ := n.Model.Region(int(in.stag >> 8))
	return Flush{Address: in.address, Octets: uint32(in.octets), Type: region.Attributes.Type, Persistent: r.Flags&wire.Persistence != 0,
		Visible: r.Flags&wire.GlobalVisibility != 0}, true, nil
}

// followFlush finds what the device has asked the platform for on behalf of a Flush that it has executed.
func (n *Node) followFlush(stream uint32, in *inbound) {
	want, is, err := n.flushOf(in)
	if !is || n.flushes.none != nil {
		n.flushes.none = cmp.Or(n.flushes.none, err)
		return
	}
	at := slices.IndexFunc(n.flushes.asked, func(f Flush) bool {
		f.ID = 0
		return f == want
	})
	if at < 0 && n.streams[stream].failures != 0 { // requests behind a response that was not sent may not have started, or not yet
		n.flushes.may = append(n.flushes.may, want)
		return
	}
	if at < 0 {
		n.flushes.none = n.differs(stream, "a flush", fmt.Sprintf("one of %+v", n.flushes.asked), fmt.Sprintf("%+v", want))
		return
	}
	n.flushes.asked = slices.Delete(n.flushes.asked, at, at+1)
}

// mayFlush keeps the Flushes of a stream that ends without their responses.
func (n *Node) mayFlush(queue []inbound) {
	for i := range queue {
		if f, is, err := n.flushOf(&queue[i]); is && err == nil {
			n.flushes.may = append(n.flushes.may, f)
		}
	}
}

// mayFlushLate keeps a segment behind the end of a stream if it is a Flush.
func (n *Node) mayFlushLate(segment []byte) {
	view, broken := n.classify(segment)
	if broken == spec.None && isOf(view.Header.Opcode, spec.FlushRequest) {
		n.mayFlush([]inbound{n.inbound(segment, view.Header.Opcode)})
	}
}

// settleFlushes compares what the platform was asked for beyond the Flushes that have been answered. The type of the region is not
// compared: it may have been registered again.
func (n *Node) settleFlushes() error {
	for _, f := range n.flushes.asked {
		at := slices.IndexFunc(n.flushes.may, func(m Flush) bool { m.ID, m.Type = f.ID, f.Type; return m == f })
		if at < 0 {
			return n.differs(0, "a flush", fmt.Sprintf("%+v", f), "none")
		}
		n.flushes.may = slices.Delete(n.flushes.may, at, at+1)
	}
	n.flushes.asked = nil
	return nil
}
