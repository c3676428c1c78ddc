package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// falconBeat is one transfer of a packet from Falcon.
type falconBeat struct {
	Tdata, Tkeep []byte
	Tlast        bool
	Tuser        spec.PacketType
	Tid          uint32
	Tdest        uint32
}

// octetsBeat is one transfer of payload.
type octetsBeat struct {
	Tdata, Tkeep []byte
	Tlast        bool
}

// falconRun is the input of falcon_parser and the expected output.
type falconRun struct {
	order    spec.BitOrder
	busBytes int
	rx       []falconBeat
	records  []falconRecord
	payloads [][]byte // of the records with payload, nil if its octets are not specified
}

func (run *falconRun) add(x falconTransaction, octets []byte) {
	run.addBeats(x, octets, beatsOf(run.busBytes, 0, octets))
}

// addEmptyEnd is add of whole beats of octets, with an empty one as the last.
func (run *falconRun) addEmptyEnd(x falconTransaction, octets []byte) {
	beats := beatsOf(run.busBytes, 0, octets)
	beats[len(beats)-1].Tlast = false
	run.addBeats(x, octets, append(beats, beatsOf(run.busBytes, 0, nil)...))
}

func (run *falconRun) addBeats(x falconTransaction, octets []byte, beats []axisBeat) {
	for _, b := range soiled(beats) {
		run.rx = append(run.rx, falconBeat{b.Tdata, b.Tkeep, b.Tlast, x.Type, x.RSN, x.CID})
	}
	record, payload := falconRecordOf(x, octets, run.order)
	run.records = append(run.records, record)
	run.payloads = append(run.payloads, payload)
}

func (run *falconRun) open(t testing.TB) *bench {
	return run.openFor(t, falconConnections)
}

func (run *falconRun) openFor(t testing.TB, connections int) *bench {
	return open(t, falcon.Parser(run.order, run.busBytes, connections))
}

func (run *falconRun) check(t testing.TB, b *bench) {
	push(b, "s_axis_rx", run.rx...)
	run.expect(t, b)
}

// expect checks the output for the packets that have been pushed.
func (run *falconRun) expect(t testing.TB, b *bench) {
	b.run()
	records, packets := take[falconRecord](b, "m_record"), packetsOf(t, take[octetsBeat](b, "m_axis_payload"))
	require.Len(t, records, len(run.records))
	for i, r := range records {
		has := r.HasPayload
		meaningful(&r, run.records[i], run.order)
		require.Equal(t, run.records[i], r, "packet %d", i)
		if has {
			require.NotEmpty(t, packets, "payload of packet %d", i)
			if run.payloads[i] != nil {
				require.Equal(t, run.payloads[i], packets[0], "payload of packet %d", i)
			}
			packets = packets[1:]
		}
	}
	require.Empty(t, packets)
}

// packetsOf joins beats, whose octets are packed: none is empty, and all but the last of a packet are full.
func packetsOf(t testing.TB, beats []octetsBeat) (packets [][]byte) {
	packet := []byte{}
	for _, b := range beats {
		n := 0
		for i := range b.Tdata {
			n += int(b.Tkeep[i/8] >> (i % 8) & 1)
		}
		require.Equal(t, beatsOf(len(b.Tdata), 0, make([]byte, n))[0].Tkeep, b.Tkeep)
		require.True(t, n == len(b.Tdata) || b.Tlast && n > 0, "%d octets", n)
		packet = append(packet, b.Tdata[:n]...)
		if b.Tlast {
			packets, packet = append(packets, packet), []byte{}
		}
	}
	return packets
}
