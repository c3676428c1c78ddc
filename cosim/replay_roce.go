package cosim

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/capture/roce"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// roce executes the atomics that a captured RoCE responder answered, in their order, on hardware and model, and compares
// what both find in memory with what the responder said it had found. InfiniBand's atomics are RFC 7306's with masks that
// select everything. What an address holds is known from RDMA Writes before, or from an earlier atomic there; on the first
// sight of an address the answer itself is taken for it, and nothing is compared but hardware and model.
func (r *Replayer) roce(c *capture.Capture, report *ReplayReport) error {
	if r.atomics == nil {
		var err error
		if r.atomics, err = Open(r.config, r.engine, r.options); err != nil {
			return err
		}
		if err := r.atomics.SetWindow(roceSTag, 0); err != nil {
			return err
		}
	} else if err := r.atomics.Reset(); err != nil {
		return err
	}
	model, err := rdmap.New(rdmap.Config{Streams: r.config.Streams, WindowWords: r.config.WindowWords, WindowSTag: roceSTag})
	if err != nil {
		return err
	}
	k := &roceReplay{report: report, dut: r.atomics, model: model, words: r.config.WindowWords,
		memory: map[uint64]byte{}, index: map[uint64]int{}, held: map[int]uint64{}, answered: map[int]roce.AtomicExchange{}}
	for _, x := range c.RoCE.Atomics {
		if x.Answered {
			k.answered[x.RequestPacket] = x
		}
	}
	for _, p := range c.RoCE.Packets {
		if err := k.take(p); err != nil {
			return err
		}
	}
	return nil
}

const roceSTag = 0x526f4345

// roceReplay follows the responder's memory through one capture, in which one process has one region.
type roceReplay struct {
	report   *ReplayReport
	dut      *DUT
	model    *rdmap.Responder
	words    int
	memory   map[uint64]byte // known octets by virtual address
	index    map[uint64]int  // word of the window by virtual address
	held     map[int]uint64  // what the window's words hold
	answered map[int]roce.AtomicExchange
	cursor   uint64 // where the RDMA Write under way goes on
}

func (k *roceReplay) take(p roce.Arrival) error {
	if x, is := k.answered[p.Number]; is {
		if err := k.atomic(x); err != nil {
			return err
		}
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
	return nil
}

func (k *roceReplay) atomic(x roce.AtomicExchange) error {
	if _, seen := k.index[x.VA]; !seen {
		if len(k.index) == k.words {
			return fmt.Errorf("its atomics touch more than the %d words of the window; allowed: a larger window_words", k.words)
		}
		k.index[x.VA] = len(k.index)
	}
	index := k.index[x.VA]
	before, known := k.content(x.VA)
	if !known {
		before = x.Original
	} else {
		k.report.Known++
	}
	request := wire.NewFetchAdd(uint32(x.RequestPacket), roceSTag, uint64(8*index), x.SwapOrAdd, 0)
	if x.Opcode == roce.CmpSwap {
		request = wire.NewCmpSwap(uint32(x.RequestPacket), roceSTag, uint64(8*index), x.SwapOrAdd, ^uint64(0), x.Compare, ^uint64(0))
	}
	segment := wire.AppendAtomicRequest(nil, 1, request)

	if held, has := k.held[index]; !has || held != before { // an RDMA Write came between, or nothing came before
		if err := k.store(index, before); err != nil {
			return err
		}
	}
	outcome, err := k.model.Receive(0, segment)
	if err != nil {
		return err
	}
	if err := k.dut.Send(0, segment); err != nil {
		return err
	}
	if err := k.dut.Run(); err != nil {
		return err
	}
	k.report.Atomics++
	k.compare(x, outcome, k.dut.Responses())
	k.held[index] = outcome.Retired.Result
	var word [8]byte // as the responder, a little-endian machine, has it in memory
	binary.LittleEndian.PutUint64(word[:], outcome.Retired.Result)
	for i, octet := range word {
		k.memory[x.VA+uint64(i)] = octet
	}
	return nil
}

// store writes a word into both memories, as the host does.
func (k *roceReplay) store(index int, word uint64) error {
	if _, err := k.model.HostAccess(true, index, word); err != nil {
		return err
	}
	if err := k.dut.HostWrite(index, word); err != nil {
		return err
	}
	return k.dut.Run()
}

// content is the word at an address, as far as the capture tells.
func (k *roceReplay) content(va uint64) (word uint64, known bool) {
	for i := range uint64(8) {
		octet, is := k.memory[va+i]
		if !is {
			return 0, false
		}
		word |= uint64(octet) << (8 * i)
	}
	return word, true
}

func (k *roceReplay) compare(x roce.AtomicExchange, model rdmap.Outcome, sent []Segment) {
	at := fmt.Sprintf("packet %d, %v at 0x%016x", x.RequestPacket, x.Opcode, x.VA)
	switch {
	case !model.Executed:
		k.report.mismatch("%s: the model refuses it: %s", at, model.Record.Error)
	case model.Retired.Original != x.Original:
		k.report.mismatch("%s: the responder found 0x%016x, the model 0x%016x", at, x.Original, model.Retired.Original)
	case len(sent) != 1 || string(sent[0].Octets) != string(model.Response):
		k.report.mismatch("%s:\n  rtl:   %x\n  model: %x", at, sent, model.Response)
	}
}
