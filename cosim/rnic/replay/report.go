package replay

import "fmt"

// Report summarizes the replay of one capture's connections.
type Report struct {
	Connections      int    `json:"engine_connections"`           // iWARP connections, and RoCE queue pairs on which what follows was answered
	ConnectionsEmpty int    `json:"engine_connections_empty"`     // without DDP segments: no start-up of MPA, or a rejected one
	Segments         int    `json:"engine_segments"`              // captured segments received by an engine
	SegmentsLeftOut  int    `json:"engine_segments_left_out"`     // not passed to an engine: MPA's, after a bad CRC, responses to requests not in the capture
	RoCEAtomics      int    `json:"engine_roce_atomics"`          // of RoCE, as Atomic Requests of RFC 7306
	RoCEFlushes      int    `json:"engine_roce_flushes"`          // of RoCE, as RDMA Flushes, with the extension commit
	RoCEAtomicWrites int    `json:"engine_roce_atomic_writes"`    // of RoCE, with the extension commit
	Messages         int    `json:"engine_messages_compared"`     // messages of the engines that match the captured ones
	Completions      int    `json:"engine_completions_compared"`  // of work and receive requests
	Terminates       int    `json:"engine_terminates"`            // of engines
	TerminateCodes   int    `json:"engine_terminate_codes_equal"` // of these, with the captured code
	MemoryOctets     int    `json:"memory_octets_compared"`       // written by messages, at the end of the replay
	ReadOctets       int    `json:"read_octets_compared"`         // of responses to Reads and Atomics
	ReadOctetsKnown  int    `json:"read_octets_known"`            // of these, written before by other captured messages
	HostStores       int    `json:"host_stores_inferred"`         // responses showing that the host had changed its memory
	STagsMapped      int    `json:"stag_indices_mapped"`          // indices mapped to another row of the STag table
	Cycles           uint64 `json:"engine_clocks"`
	Mismatches       int    `json:"engine_mismatches"`

	First error `json:"-"` // the first mismatch
}

func (r *Report) mismatch(format string, args ...any) {
	r.Mismatches++
	if r.First == nil {
		r.First = fmt.Errorf(format, args...)
	}
}
