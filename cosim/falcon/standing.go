package falcon

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
)

// standing describes the items of a connection in progress.
func (f *Fabric) standing(cid [2]uint32, c gen.Config) (text string) {
	order, _ := c.Order()
	names := [...]string{"waits", "is delivered", "got RNR", "is accepted", "is answered early", "is over"}
	for _, w := range f.ways {
		if w.CID != cid {
			continue
		}
		text += fmt.Sprintf("from end %d, credits %+v of %+v, for responses %+v:", w.from, w.left, w.Credits, w.data)
		for rsn := w.next - uint32(c.Window); rsn != w.next; rsn++ {
			if i := w.open[rsn]; i != nil {
				var p packet.Packet
				p.Decode(i.Octets, order)
				text += fmt.Sprintf(" [RSN %d %s: %v, SN %d, RMSN %d]", rsn, names[i.state], p.Opcode, p.SN, p.RMSN)
			}
		}
		text += "; "
	}
	return text
}
