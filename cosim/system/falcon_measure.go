package system

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/gen"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// MeasureFalcon measures the delays of the hardware of a configuration of the profile falcon.
func MeasureFalcon(c gen.Config, o Options) (FalconDelays, error) {
	if err := o.complete(c); err != nil {
		return FalconDelays{}, err
	}
	m := &falconMeasurement{}
	for _, part := range []struct {
		latency  uint64
		measures []func()
	}{
		{o.Latency, []func(){m.posted, m.arrived, m.words, m.behind, m.several}},
		{1, []func(){m.rates}},
	} {
		o.Latency = part.latency
		b, err := openFalconBench(c, o, spec.Strong)
		if err != nil {
			return m.delays, err
		}
		m.falconBench = b
		for _, measure := range part.measures {
			measure()
		}
		if err := errors.Join(m.failed, b.h.Close()); err != nil {
			return m.delays, err
		}
	}
	return m.delays, nil
}

// falconMeasurement is in progress. After an error, failed, the delays mean nothing.
type falconMeasurement struct {
	*falconBench
	delays FalconDelays
	failed error
}

func (m *falconMeasurement) do(something func() error) {
	if m.failed == nil {
		m.failed = something()
	}
}

// request is a work request of the hardware or of its peer.
func (m *falconMeasurement) request(kind spec.Kind, octets int) falcon.Work {
	return falcon.Work{Opcode: falcon.OpcodeOf(spec.RC, kind, spec.Plain), Local: []model.Element{{Key: benchTag, Length: uint32(octets)}}, RKey: benchTag, Data: 1}
}

var sendOpcode = falcon.OpcodeOf(spec.RC, spec.Send, spec.Plain)

// receive is the buffer of a receive.
func (m *falconMeasurement) receive() model.Element {
	return model.Element{Key: benchTag, Length: uint32(m.config.MaxPayload)}
}

// post logs requests of the hardware.
func (m *falconMeasurement) post(list ...falcon.Work) {
	for _, w := range list {
		if w.Opcode == sendOpcode {
			m.peer.PostReceive(w.QP, 0, m.receive())
		}
	}
	m.do(m.settle)
	m.do(m.clear)
	m.work = append(m.work, list...)
	m.do(m.settle)
}

// arrive logs requests of the peer.
func (m *falconMeasurement) arrive(list ...falcon.Work) {
	for _, w := range list {
		if w.Opcode == sendOpcode {
			m.h.PostReceive(w.QP, 0, m.receive())
		}
	}
	m.do(m.settle)
	m.do(m.clear)
	m.ask(list...)
	m.do(m.settle)
}

// ask makes the peer send requests.
func (m *falconMeasurement) ask(list ...falcon.Work) {
	for _, w := range list {
		m.peer.PostWork(w)
	}
	m.answer()
}

// posted measures what the hardware sends.
func (m *falconMeasurement) posted() {
	d := &m.delays
	m.post(m.request(spec.Write, shortOctets))
	d.WorkToFetch = m.first("m_axi_ar") - m.first("wqe")
	d.FetchToBeat = m.first("m_axis_tx") - m.last("m_axi_r")
	d.CompletedToDone = m.last("cqe") - m.last("completed")
	m.post(m.request(spec.Write, m.config.MaxPayload))
	d.FetchToBeatLong = m.first("m_axis_tx") - m.last("m_axi_r")
	m.post(m.request(spec.Send, shortOctets))
	d.WorkToFetchSend = m.first("m_axi_ar") - m.first("wqe")
	m.post(m.request(spec.Read, shortOctets))
	d.WorkToBeat = m.first("m_axis_tx") - m.first("wqe")
	d.ArriveToResponse = m.first("m_axi_w") - m.last("s_axis_rx")
	d.PlaceToDone = m.last("cqe") - m.last("m_axi_b")
	m.post(m.request(spec.FetchAdd, 8))
	d.WorkToBeatAtomic = m.first("m_axis_tx") - m.first("wqe")
	d.ArriveToResult = m.first("m_axi_w") - m.last("s_axis_rx")
	d.ResultToDone = m.last("cqe") - m.last("m_axi_b")
}

// arrived measures what arrives.
func (m *falconMeasurement) arrived() {
	d := &m.delays
	m.arrive(m.request(spec.Write, shortOctets))
	d.ArriveToPlace = m.first("m_axi_w") - m.last("s_axis_rx")
	d.PlaceToAnswer = m.last("answer") - m.last("m_axi_b")
	m.arrive(m.request(spec.Write, m.config.MaxPayload))
	d.ArriveToPlaceLong = m.first("m_axi_w") - m.last("s_axis_rx")
	m.arrive(m.request(spec.Send, shortOctets))
	d.PlaceToAnswerSend = m.last("answer") - m.last("m_axi_b")
	d.PlaceToReceive = m.last("cqe") - m.last("m_axi_b")
	m.arrive(m.request(spec.Read, shortOctets))
	d.ArriveToAnswer = m.last("answer") - m.last("s_axis_rx")
	d.ArriveToRead = m.first("m_axi_ar") - m.last("s_axis_rx")
	d.FetchToResponse = m.first("m_axis_tx") - m.last("m_axi_r")
	m.arrive(m.request(spec.Read, m.config.MaxPayload))
	d.FetchToResponseLong = m.first("m_axis_tx") - m.last("m_axi_r")
}

// words measures words of Atomics.
func (m *falconMeasurement) words() {
	d := &m.delays
	atomic := m.request(spec.FetchAdd, 8)
	m.arrive(atomic)
	d.ArriveToWord = m.first("m_axi_ar") - m.last("s_axis_rx")
	d.WordToBeat = m.first("m_axis_tx") - m.first("m_axi_r")
	d.WordToWrite = m.first("m_axi_w") - m.first("m_axi_r")

	// A second request while the word is on chip.
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
	m.latency = latency
}

// behind measures requests behind others.
func (m *falconMeasurement) behind() {
	d := &m.delays
	read, atomic, write := m.request(spec.Read, shortOctets), m.request(spec.FetchAdd, 8), m.request(spec.Write, m.config.MaxPayload)
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

// several measures the rhythm of work requests of one QP, and how soon another one follows those that may be in progress.
func (m *falconMeasurement) several() {
	d, c := &m.delays, m.config
	// The completions of Writes that are over in consecutive cycles.
	m.hold(c.SendDepth, m.messages(spec.Write, 1, c.SendDepth)...)
	d.WorkPause = m.at("m_axi_ar", 1) - m.at("m_axi_ar", 0)
	m.release()
	done := m.log["cqe"]
	for i := 1; i < len(done); i++ {
		if gap := int(done[i] - done[i-1]); gap > 1 {
			d.DoneLook, d.DonePause = int(done[i-1]-done[0]), gap
			break
		}
	}
	// A Write of one packet more than the window has.
	m.hold(c.Window, m.request(spec.Write, (c.Window+1)*c.MaxPayload))
	m.release()
	d.CompletedToFetch = m.last("m_axi_ar") - m.first("completed")
	// One packet more of a Read than ORD permits, which follows the first response.
	m.hold(c.ORD, m.request(spec.Read, (c.ORD+1)*c.MaxPayload))
	m.do(m.clear)
	m.allowed = 1
	m.do(func() error { return m.until("m_axis_tx", 1) })
	d.PlaceToMore = m.first("m_axis_tx") - m.last("m_axi_b")
	m.release()
	if c.SendDepth < c.ORD+2 {
		return // no Read waits for ORD
	}
	m.post(m.messages(spec.Read, 1, c.ORD+2)...)
	beats := len(m.log["m_axis_tx"]) / (c.ORD + 2)
	d.PlaceToNext = m.at("m_axis_tx", beats*c.ORD) - m.first("m_axi_b")
	d.NextPause = m.at("m_axis_tx", beats*(c.ORD+1)) - m.at("m_axis_tx", beats*c.ORD)
}

// hold logs requests of the hardware whose packets, so many, are neither completed nor answered. Release goes on.
func (m *falconMeasurement) hold(packets int, list ...falcon.Work) {
	m.do(m.settle)
	m.do(m.clear)
	m.held = true
	m.work = append(m.work, list...)
	for range patience {
		if m.failed == nil && len(m.sending)+len(m.over) < packets {
			m.do(m.step)
		}
	}
}

func (m *falconMeasurement) release() {
	m.held = false
	m.do(m.settle)
}

// rates measures cycles per message.
func (m *falconMeasurement) rates() {
	m.delays.OneQP = m.ratesOn(1)
	m.delays.ManyQPs = m.ratesOn(min(manyStreams, m.config.Streams))
}

func (m *falconMeasurement) ratesOn(qps int) (r FalconRates) {
	c := m.config
	each := map[spec.Kind]int{spec.Write: c.SendDepth, spec.Send: min(c.SendDepth, c.ReceiveDepth), spec.Read: min(c.SendDepth, c.ORD, c.IRD), spec.FetchAdd: min(c.SendDepth, c.ORD, c.IRD)}
	out := func(kind spec.Kind, stream string) float64 {
		m.post(m.messages(kind, qps, each[kind])...)
		return m.perMessage(stream, qps*each[kind])
	}
	in := func(kind spec.Kind, stream string) float64 {
		m.arrive(m.messages(kind, qps, each[kind])...)
		return m.perMessage(stream, qps*each[kind])
	}
	r.WritesOut, r.SendsOut, r.ReadsOut, r.AtomicsOut = out(spec.Write, "m_axis_tx"), out(spec.Send, "m_axis_tx"), out(spec.Read, "m_axis_tx"), out(spec.FetchAdd, "m_axis_tx")
	r.WritesDone, r.ReadsDone = out(spec.Write, "cqe"), out(spec.Read, "cqe")
	r.WritesIn, r.SendsIn, r.ReadsIn, r.AtomicsIn = in(spec.Write, "answer"), in(spec.Send, "answer"), in(spec.Read, "m_axis_tx"), in(spec.FetchAdd, "m_axis_tx")
	return r
}

// messages returns a number of messages of each QP, in turn, each of another line of memory.
func (m *falconMeasurement) messages(kind spec.Kind, qps, each int) (list []falcon.Work) {
	for i := range qps * each {
		octets := shortOctets
		if kind&spec.Atomic != 0 {
			octets = 8
		}
		w := m.request(kind, octets)
		w.QP = uint32(i % qps)
		w.Local[0].VA, w.VA = uint64(i*m.config.BusBytes), uint64(i*m.config.BusBytes)
		list = append(list, w)
	}
	return list
}
