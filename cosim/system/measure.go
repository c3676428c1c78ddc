package system

import (
	"errors"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// shortOctets is the length of a short message.
const shortOctets = 32

// Measure measures the delays of the hardware of a configuration.
func Measure(c gen.Config, o Options) (Delays, error) {
	if err := o.complete(c); err != nil {
		return Delays{}, err
	}
	m := &measurement{}
	for _, part := range []struct {
		latency  uint64
		measures []func()
	}{
		{o.Latency, []func(){m.sent, m.arrived, m.words, m.behind, m.commits}},
		{1, []func(){m.rates}},
		{o.Latency, []func(){m.ahead}},
	} {
		o.Latency = part.latency
		b, err := openBench(c, o)
		if err != nil {
			return m.delays, err
		}
		m.bench = b
		for _, measure := range part.measures {
			measure()
		}
		if err := errors.Join(m.err, b.h.Close()); err != nil {
			return m.delays, err
		}
	}
	return m.delays, nil
}

// measurement is in progress. After an error, err, the delays mean nothing.
type measurement struct {
	*bench
	delays Delays
	err    error
}

// request is a work request of the hardware or of its peer.
func (m *measurement) request(op wire.Opcode, octets int) rdmap.WorkRequest {
	at := rdmap.Buffer{STag: benchTag}
	w := rdmap.WorkRequest{Opcode: op, Signaled: true, Length: uint32(octets), Local: at, Remote: at}
	switch op {
	case spec.Send.Opcode():
		w.Remote = rdmap.Buffer{}
	case spec.Immediate.Opcode():
		w.Local, w.Remote, w.Length = rdmap.Buffer{}, rdmap.Buffer{}, 0
	}
	return w
}

// receives is an opcode that takes a receive request.
func receives(op wire.Opcode) bool { return op == spec.Send.Opcode() || op == spec.Immediate.Opcode() }

func (m *measurement) do(something func() error) {
	if m.err == nil {
		m.err = something()
	}
}

// post logs requests of the hardware.
func (m *measurement) post(list ...rdmap.WorkRequest) {
	for _, w := range list {
		if receives(w.Opcode) {
			m.do(func() error { return m.peer.PostReceive(m.receive(w.Stream)) })
		}
	}
	m.do(m.settle)
	m.do(m.clear)
	m.work = append(m.work, list...)
	m.do(m.settle)
}

// arrive logs requests of the peer.
func (m *measurement) arrive(list ...rdmap.WorkRequest) {
	for _, w := range list {
		if receives(w.Opcode) {
			m.h.PostReceive(m.receive(w.Stream))
		}
	}
	m.do(m.settle)
	m.do(m.clear)
	m.ask(list...)
	m.do(m.settle)
}

// ask makes the peer send requests.
func (m *measurement) ask(list ...rdmap.WorkRequest) {
	for _, w := range list {
		m.do(func() error { return m.peer.PostWork(w) })
	}
	m.do(m.answer)
}

func (m *measurement) receive(stream uint32) rdmap.ReceiveRequest {
	return rdmap.ReceiveRequest{Stream: stream, Buffer: rdmap.Buffer{STag: benchTag}, Length: uint32(m.config.MaxPayload)}
}

// sent measures what the hardware sends.
func (m *measurement) sent() {
	d := &m.delays
	m.post(m.request(spec.Write.Opcode(), shortOctets))
	d.WorkToFetch = m.first("m_axi_ar") - m.first("wqe")
	d.FetchToBeat = m.first("m_axis_tx") - m.last("m_axi_r")
	d.FetchToLastBeat = m.last("m_axis_tx") - m.last("m_axi_r")
	d.BeatToDone = m.last("cqe") - m.last("m_axis_tx")
	m.post(m.request(spec.Write.Opcode(), m.config.MaxPayload))
	d.FirstFetchToBeat = m.first("m_axis_tx") - m.first("m_axi_r")
	d.FetchToBeatLong = m.first("m_axis_tx") - m.last("m_axi_r")
	d.FetchToLastBeatLong = m.last("m_axis_tx") - m.last("m_axi_r")
	m.post(m.request(spec.Write.Opcode(), 0))
	d.WorkToBeatEmpty = m.first("m_axis_tx") - m.first("wqe")
	m.post(m.request(spec.Send.Opcode(), shortOctets))
	d.WorkToFetchSend = m.first("m_axi_ar") - m.first("wqe")
	d.BeatToDoneSend = m.last("cqe") - m.last("m_axis_tx")
	m.post(m.request(spec.Immediate.Opcode(), 0))
	d.WorkToBeatImmediate = m.first("m_axis_tx") - m.first("wqe")
	d.BeatToDoneImmediate = m.last("cqe") - m.last("m_axis_tx")
	m.post(m.request(spec.ReadRequest.Opcode(), shortOctets))
	d.WorkToBeat = m.first("m_axis_tx") - m.first("wqe")
	d.PlaceToDone = m.last("cqe") - m.last("m_axi_b")
	m.post(m.request(spec.AtomicRequest.Opcode(), 0))
	d.WorkToBeatAtomic = m.first("m_axis_tx") - m.first("wqe")
	d.ArriveToResult = m.last("m_axi_w") - m.last("s_axis_rx")
	d.ResultToDone = m.last("cqe") - m.last("m_axi_b")
}

// arrived measures what arrives.
func (m *measurement) arrived() {
	d := &m.delays
	m.arrive(m.request(spec.Write.Opcode(), shortOctets))
	d.ArriveToAddress = m.first("m_axi_aw") - m.last("s_axis_rx")
	d.ArriveToPlace = m.first("m_axi_w") - m.last("s_axis_rx")
	m.arrive(m.request(spec.Write.Opcode(), m.config.MaxPayload))
	d.ArriveToPlaceLong = m.first("m_axi_w") - m.last("s_axis_rx")
	m.arrive(m.request(spec.Send.Opcode(), shortOctets))
	d.PlaceToReceive = m.last("cqe") - m.last("m_axi_b")
	m.arrive(m.request(spec.Immediate.Opcode(), 0))
	d.ArriveToDone = m.last("cqe") - m.last("s_axis_rx")
	m.arrive(m.request(spec.ReadRequest.Opcode(), shortOctets))
	d.ArriveToRead = m.first("m_axi_ar") - m.last("s_axis_rx")
	d.FetchToResponse = m.first("m_axis_tx") - m.last("m_axi_r")
	m.arrive(m.request(spec.ReadRequest.Opcode(), m.config.MaxPayload))
	d.FirstFetchToResponse = m.first("m_axis_tx") - m.first("m_axi_r")
	d.FetchToResponseLong = m.first("m_axis_tx") - m.last("m_axi_r")
}

// words measures words of Atomics.
func (m *measurement) words() {
	d := &m.delays
	atomic := m.request(spec.AtomicRequest.Opcode(), 0)
	m.arrive(atomic)
	d.ArriveToWord = m.first("m_axi_ar") - m.last("s_axis_rx")
	d.WordToBeat = m.first("m_axis_tx") - m.first("m_axi_r")
	d.WordToWrite = m.first("m_axi_w") - m.first("m_axi_r")
	m.held()
}

// heldLatency is long enough for a second request to arrive before the word is written.
const heldLatency = 200

// held measures words that are on chip.
func (m *measurement) held() {
	d := &m.delays
	atomic := m.request(spec.AtomicRequest.Opcode(), 0)
	m.do(m.settle)
	latency := m.latency
	m.latency = max(latency, heldLatency)
	m.do(m.clear)
	m.ask(atomic)
	m.do(func() error { return m.until("m_axis_tx", 1) })
	beats := len(m.log["s_axis_rx"])
	m.ask(atomic)
	m.do(func() error { return m.until("s_axis_rx", 2*beats) })
	arrived := m.last("s_axis_rx")
	m.do(m.settle)
	d.ArriveToBeat = m.last("m_axis_tx") - arrived

	// The latest second request, relative to the end of the write, for which memory is not asked.
	for gap := range uint64(heldGaps) {
		m.do(m.clear)
		m.ask(atomic)
		m.do(func() error { return m.until("m_axi_w", 1) })
		m.do(func() error { return m.run(m.latency - heldGaps + gap) })
		m.ask(atomic)
		m.do(func() error { return m.until("s_axis_rx", 2*beats) })
		arrived, written := m.last("s_axis_rx"), m.first("m_axi_w")+int(m.latency)
		m.do(m.settle)
		if len(m.log["m_axi_ar"]) > 1 {
			break
		}
		d.HeldFor = arrived - written
	}
	m.latency = latency
}

// heldGaps is more cycles than from the arrival of an Atomic Request to its word.
const heldGaps = 64

// behind measures requests behind others.
func (m *measurement) behind() {
	d := &m.delays
	read, atomic, write := m.request(spec.ReadRequest.Opcode(), shortOctets), m.request(spec.AtomicRequest.Opcode(), 0), m.request(spec.Write.Opcode(), m.config.MaxPayload)
	m.arrive(atomic)
	response := len(m.log["m_axis_tx"])
	m.arrive(read, atomic) // the first time may take longer
	m.arrive(read, atomic)
	d.BeatToWord = m.last("m_axi_ar") - m.at("m_axis_tx", len(m.log["m_axis_tx"])-1-response)
	m.arrive(atomic, read)
	d.WriteToRead = m.last("m_axi_ar") - m.last("m_axi_b")
	m.arrive(write, read)
	d.PlaceToRead = m.last("m_axi_ar") - m.last("m_axi_b")
	m.arrive(write, atomic)
	d.PlaceToWord = m.last("m_axi_ar") - m.at("m_axi_b", len(m.log["m_axi_b"])-2)
}
