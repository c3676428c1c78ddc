package cosim

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/model/rdmap"
)

// ports are the streams of rnic_atomics on an engine and how their beats are packed. A stream that the design does not
// have is -1.
type ports struct {
	rx, setup, host                     int
	tx, record, payload, answer, retire int
	rxBeats, txBeats, payloadBeats      beats
	recordPack                          recordPack
	retirePack                          retirePack
	setupStream, setupMsn               engine.Field
	hostWrite, hostIndex, hostData      engine.Field
	setupWords, hostWords               int
}

func findPorts(d *engine.Design) (p ports, err error) {
	find := func(name string) int {
		i, e := d.Stream(name)
		if e != nil {
			return -1
		}
		return i
	}
	p.rx, p.tx, p.record, p.payload = find("s_axis_rx"), find("m_axis_tx"), find("m_record"), find("m_axis_payload")
	p.setup, p.host, p.answer, p.retire = find("s_setup"), find("s_host"), find("m_host"), find("retire")
	var errs []error
	keep := func(e error) { errs = append(errs, e) }
	p.rxBeats, err = newBeats(d, p.rx)
	keep(err)
	p.payloadBeats, err = newBeats(d, p.payload)
	keep(err)
	p.recordPack, err = newRecordPack(d, p.record)
	keep(err)
	if p.tx >= 0 {
		p.txBeats, err = newBeats(d, p.tx)
		keep(err)
	}
	var f []engine.Field
	if p.setup >= 0 {
		p.setupWords, f, err = offsets(d, p.setup, "stream", "msn")
		keep(err)
		p.setupStream, p.setupMsn = f[0], f[1]
	}
	if p.host >= 0 {
		p.hostWords, f, err = offsets(d, p.host, "write", "index", "data")
		keep(err)
		p.hostWrite, p.hostIndex, p.hostData = f[0], f[1], f[2]
	}
	if p.retire >= 0 {
		p.retirePack, err = newRetirePack(d, p.retire)
		keep(err)
	}
	return p, errors.Join(errs...)
}

// answerWords is the size of a host answer.
const answerWords = 1

func (p *ports) appendSetup(dst []uint64, stream, msn uint32) []uint64 {
	dst, w := grow(dst, p.setupWords)
	engine.SetBits(w, p.setupStream.Offset, p.setupStream.Width, uint64(stream))
	engine.SetBits(w, p.setupMsn.Offset, p.setupMsn.Width, uint64(msn))
	return dst
}

func (p *ports) appendAccess(dst []uint64, a access) []uint64 {
	dst, w := grow(dst, p.hostWords)
	if a.write {
		engine.SetBits(w, p.hostWrite.Offset, 1, 1)
	}
	engine.SetBits(w, p.hostIndex.Offset, p.hostIndex.Width, uint64(a.index))
	engine.SetBits(w, p.hostData.Offset, p.hostData.Width, a.data)
	return dst
}

// appendRetired packs a retire record, if the design has the port.
func (p *ports) appendRetired(dst []uint64, r rdmap.Retired) []uint64 {
	if p.retire < 0 {
		return dst
	}
	return p.retirePack.append(dst, r)
}

// zeros is longer than any packed beat.
var zeros [64]uint64

// grow appends n zero words and returns them too.
func grow(dst []uint64, n int) (longer, added []uint64) {
	dst = append(dst, zeros[:n]...)
	return dst, dst[len(dst)-n:]
}
