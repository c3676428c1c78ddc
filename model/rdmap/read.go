package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// reads implements RDMA Reads: RFC 5040 section 5.2.
type reads struct{}

var _ = executes("read", reads{})

func (reads) names(payload []byte) target {
	var r wire.ReadRequest
	_ = r.Decode(payload) // the length has been checked
	return target{stag: r.DataSourceSTag, to: r.DataSourceTO, octets: uint64(r.ReadMessageSize)}
}

func (reads) checkRequest(*Engine, []byte) spec.Rule { return spec.None }

func (reads) checkTarget([]byte, uint64, memory.Region) spec.Rule { return spec.None }

// execute generates a Read Response. On a memory error, the segments before the failure have been sent.
func (reads) execute(e *Engine, s *endpoint, r *request) spec.Rule {
	var body wire.ReadRequest
	_ = body.Decode(r.payload())
	for offset, left := uint64(0), int(body.ReadMessageSize); ; {
		n := min(left, e.config.MaxPayload)
		left -= n
		h := wire.TaggedHeader(wire.OpReadResponse, body.DataSinkSTag, body.DataSinkTO+offset, left == 0)
		if !e.emitData(s, &h, r.address+offset, n) {
			return spec.Local
		}
		offset += uint64(n)
		if left == 0 {
			e.counters.ReadsExecuted++
			return spec.None
		}
	}
}

func (reads) appendRequest(tx []byte, w *work) []byte {
	return wire.AppendReadRequest(tx, w.msn, wire.ReadRequest{
		DataSinkSTag: w.Local.STag, DataSinkTO: w.Local.TO, ReadMessageSize: w.Length,
		DataSourceSTag: w.Remote.STag, DataSourceTO: w.Remote.TO,
	})
}

func (reads) lengths(w *WorkRequest) (buffer, reported uint32) { return w.Length, w.Length }

func (reads) reply(*work, []byte) (reply, spec.Rule) { return reply{}, spec.None }
