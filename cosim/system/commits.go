package system

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commits measures the requests of the extension commit.
func (m *measurement) commits() {
	if m.config.Protocol()&spec.Commit == 0 {
		return
	}
	d := &m.delays
	flush, verify := m.request(spec.Commit.Opcode(spec.FlushRequest), shortOctets), m.request(spec.Commit.Opcode(spec.VerifyRequest), shortOctets)
	flush.Commit.Flags, verify.Commit.Algorithm = wire.Persistence, memory.CRC32C
	m.arrive(flush)
	d.ArriveToFlush = m.first("m_axi_ar") - m.last("s_axis_rx")
	d.FlushToBeat = m.first("m_axis_tx") - m.last("m_axi_r")
	m.arrive(verify)
	m.arrive(verify) // the first time may take longer
	d.ArriveToVerify = m.first("m_axi_ar") - m.last("s_axis_rx")
	d.VerifyToBeat = m.first("m_axis_tx") - m.last("m_axi_r")
	m.arrive(m.request(spec.Commit.Opcode(spec.AtomicWriteRequest), 0))
	d.ArriveToRewrite = m.first("m_axi_ar") - m.last("s_axis_rx")
	d.RewriteToBeat = m.first("m_axis_tx") - m.last("m_axi_b")
	m.post(flush)
	d.ReplyToDone = m.last("cqe") - m.last("s_axis_rx")
}
