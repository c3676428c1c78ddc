package replay

import "fmt"

// Report is what became of the connections of one capture.
type Report struct {
	Connections      int    `json:"engine_connections"`           // of iWARP, and queue pairs of RoCE on which atomics were answered
	ConnectionsEmpty int    `json:"engine_connections_empty"`     // without DDP segments: no start-up of MPA, or a rejected one
	Segments         int    `json:"engine_segments"`              // captured ones that an engine received
	SegmentsLeftOut  int    `json:"engine_segments_left_out"`     // not given to an engine: MPA's, behind a bad CRC, answers to what is not in the capture
	RoCEAtomics      int    `json:"engine_roce_atomics"`          // of RoCE, as Atomic Requests of RFC 7306
	Messages         int    `json:"engine_messages_compared"`     // messages of the engines that say what the captured ones say
	Completions      int    `json:"engine_completions_compared"`  // of work and receive requests
	Terminates       int    `json:"engine_terminates"`            // of engines
	TerminateCodes   int    `json:"engine_terminate_codes_equal"` // of these, those with the captured code
	MemoryOctets     int    `json:"memory_octets_compared"`       // that messages brought, at the end of the replay
	ReadOctets       int    `json:"read_octets_compared"`         // of answers to Reads and Atomics
	ReadOctetsKnown  int    `json:"read_octets_known"`            // of these, those that other messages of the capture had brought
	HostStores       int    `json:"host_stores_inferred"`         // answers that show that the host had changed its memory
	STagsMapped      int    `json:"stag_indices_mapped"`          // indices that are another row of the STag table here
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
