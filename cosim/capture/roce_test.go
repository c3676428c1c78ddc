package capture_test

import (
	"encoding/binary"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/capture/roce"
	"github.com/rnicgen/rnicgen/model/atomic"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Compares the model with the Linux kernel: all atomics with a response, in order. The content of an address is known from
// earlier RDMA Writes or atomics; otherwise it is taken from the response itself.
func TestModelFollowsTheKernelsAtomics(t *testing.T) {
	for _, c := range []struct {
		file               string
		responded, checked int // checked: with known content
	}{
		{"rxe612_flush_atomicwrite", 1, 0},
		{"rxe612_ib_atomic_bw_CMP_AND_SWAP", 20, 0}, // each on a different address
		{"rxe612_ib_atomic_bw_FETCH_AND_ADD", 20, 0},
		{"rxe612_ib_send_bw_UD", 0, 0},
		{"rxe612_nak08_faddkey_1", 0, 0},
		{"rxe612_rtest_ops", 7, 7},
	} {
		t.Run(c.file, func(t *testing.T) {
			got, err := capture.Open(filepath.Join("testdata", "rxe", c.file+".pcap"))
			require.NoError(t, err)
			k := kernel{t: t, memory: map[uint64]byte{}, responded: map[int]roce.AtomicExchange{}}
			for _, x := range got.RoCE.Atomics {
				if x.Answered {
					k.responded[x.RequestPacket] = x
				}
			}
			for _, p := range got.RoCE.Packets {
				k.take(p)
			}
			assert.Len(t, k.responded, c.responded)
			assert.Equal(t, c.checked, k.checked, "checked")
		})
	}
}

// kernel tracks the responder's memory through one capture, in which one process has one region.
type kernel struct {
	t         *testing.T
	memory    map[uint64]byte // known octets by virtual address
	responded map[int]roce.AtomicExchange
	cursor    uint64 // next address of the Write in progress
	checked   int
}

func (k *kernel) take(p roce.Arrival) {
	if x, ok := k.responded[p.Number]; ok {
		k.atomic(x)
	}
	if strings.HasPrefix(p.Opcode.String(), "rc_write_") {
		if p.RETH != nil {
			k.cursor = p.RETH.VA
		}
		for _, octet := range p.Payload {
			k.memory[k.cursor] = octet
			k.cursor++
		}
	}
}

func (k *kernel) atomic(x roce.AtomicExchange) {
	var word [8]byte // as in the memory of the responder, a little-endian machine
	known := true
	for i := range word {
		octet, ok := k.memory[x.VA+uint64(i)]
		word[i], known = octet, known && ok
	}
	if known {
		k.checked++
		assert.Equal(k.t, binary.LittleEndian.Uint64(word[:]), x.Original, "packet %d: %v at %016x", x.RequestPacket, x.Opcode, x.VA)
	}
	op, mask := wire.FetchAdd, uint64(0)
	if x.Opcode == roce.CmpSwap {
		op, mask = wire.CmpSwap, ^uint64(0)
	}
	binary.LittleEndian.PutUint64(word[:], atomic.Execute(op, x.Original, x.SwapOrAdd, mask, x.Compare, ^uint64(0)))
	for i, octet := range word {
		k.memory[x.VA+uint64(i)] = octet
	}
}

// Compares the RoCE headers with tshark's, one line per packet.
func TestTsharkAgreesAboutRoCE(t *testing.T) {
	program, err := exec.LookPath("tshark")
	require.NoError(t, err, "tshark is missing: apt-get install tshark")
	for _, c := range rxeCaptures {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata", "rxe", c.file+".pcap")
			arguments := []string{"-r", file, "-n", "-T", "fields", "-E", "occurrence=f", "-E", "separator=|", "-e", "frame.number"}
			for _, field := range []string{"bth.opcode", "bth.destqp", "bth.psn", "bth.a", "reth.va", "reth.r_key", "reth.dmalen",
				"atomiceth.swapdt", "atomiceth.cmpdt", "atomicacketh.origremdt",
				"aeth.syndrome", "aeth.msn", "immdt", "ieth", "deth.q_key", "deth.srcqp"} {
				arguments = append(arguments, "-e", "infiniband."+field)
			}
			out, err := exec.Command(program, arguments...).Output()
			require.NoError(t, err)
			got, err := capture.Open(file)
			require.NoError(t, err)
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			require.Len(t, lines, len(got.RoCE.Packets))
			for i, line := range lines {
				assert.Equal(t, strings.Join(roceFields(got.RoCE.Packets[i]), "|"), normalise(line))
			}
		})
	}
}

// normalise converts tshark's hexadecimal numbers to decimal.
func normalise(line string) string {
	fields := strings.Split(line, "|")
	for i, f := range fields {
		if v, err := strconv.ParseUint(f, 0, 64); err == nil && strings.HasPrefix(f, "0x") {
			fields[i] = strconv.FormatUint(v, 10)
		}
	}
	return strings.Join(fields, "|")
}

// roceFields returns the columns of the tshark call.
func roceFields(p roce.Arrival) []string {
	fields := make([]string, 17)
	put := func(at int, values ...uint64) {
		for i, v := range values {
			fields[at+i] = strconv.FormatUint(v, 10)
		}
	}
	ackReq := map[bool]uint64{true: 1}[p.AckReq]
	put(0, uint64(p.Number), uint64(p.Opcode), uint64(p.DestQP), uint64(p.PSN), ackReq)
	if p.RETH != nil && p.Opcode != roce.Flush && p.Opcode != roce.AtomicWrite { // tshark 4.0 does not support these two
		put(5, p.RETH.VA, uint64(p.RETH.RKey), uint64(p.RETH.Length))
	}
	if p.Atomic != nil { // tshark names address and key as in the RETH
		put(5, p.Atomic.VA, uint64(p.Atomic.RKey))
		put(8, p.Atomic.SwapOrAdd, p.Atomic.Compare)
	}
	if p.AtomicAck != nil {
		put(10, *p.AtomicAck)
	}
	if p.AETH != nil {
		put(11, uint64(p.AETH.Kind)<<5|uint64(p.AETH.Value), uint64(p.AETH.MSN))
	}
	if p.Immediate != nil {
		fields[13] = fmt.Sprintf("%08x", *p.Immediate)
	}
	if p.InvRKey != nil {
		fields[14] = fmt.Sprintf("%08x", *p.InvRKey)
	}
	if p.DETH != nil {
		put(15, uint64(p.DETH.QKey), uint64(p.DETH.SourceQP))
	}
	return fields
}

// FLUSH and ATOMIC WRITE, which tshark 4.0 does not support, compared with the octets of the capture.
func TestFlushAndAtomicWrite(t *testing.T) {
	got, err := capture.Open("testdata/rxe/rxe612_flush_atomicwrite.pcap")
	require.NoError(t, err)
	at := map[int]roce.Arrival{}
	for _, p := range got.RoCE.Packets {
		at[p.Number] = p
	}
	assert.Equal(t, &roce.FETH{Placement: 1}, at[8].FETH)
	assert.Equal(t, &roce.RETH{VA: 0x7F54ED754040, RKey: 0x84EF, Length: 100}, at[8].RETH)
	assert.Equal(t, &roce.FETH{Selectivity: 1, Placement: 1}, at[16].FETH, "the whole memory region")
	assert.Equal(t, &roce.RETH{VA: 0x7F54ED754080, RKey: 0x84EF, Length: 8}, at[10].RETH)
	assert.Equal(t, []byte{0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7}, at[10].Payload)
	assert.Equal(t, at[10].Payload, at[12].Payload)
	assert.Equal(t, append(at[10].Payload, at[12].Payload...), at[19].Payload[:16], "a Read returns the data of the Atomic Writes")
}

func TestRefusedAtomic(t *testing.T) {
	got, err := capture.Open("testdata/rxe/rxe612_nak08_faddkey_1.pcap")
	require.NoError(t, err)
	require.Len(t, got.RoCE.Atomics, 1)
	x := got.RoCE.Atomics[0]
	assert.Equal(t, roce.AtomicExchange{
		Opcode: roce.FetchAdd, Requester: x.Requester, Responder: x.Responder, QP: 0x5B, PSN: 0x521821,
		VA: 0x7F417236E000, RKey: 0xDEADBE00, SwapOrAdd: 1,
		Refused: true, NAK: 2, RequestPacket: 6, ResponsePacket: 7,
	}, x)
	assert.Equal(t, "10.8.0.1 10.8.0.2", x.Requester.String()+" "+x.Responder.String())
}
