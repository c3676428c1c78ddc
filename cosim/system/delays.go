package system

// Delays are cycles between events at the ports of the hardware, with ideal memory. An event is in the cycle in which a beat is
// accepted; the first line of memory that is read is asked for in the cycle of the beat on m_axi_ar, and the last one has been written in
// that of the beat on m_axi_b. Short messages have 32 octets, long ones max_payload: a segment of its full length. All are at addresses
// that are multiples of the bus. There is one message in an idle engine, where no other one is named.
type Delays struct {
	// Of what is sent.
	WorkToFetch         int `json:"work_to_fetch"`           // a short Write is posted -> its first line is asked for
	WorkToFetchSend     int `json:"work_to_fetch_send"`      // a short Send is posted -> its first line is asked for
	WorkToBeat          int `json:"work_to_beat"`            // a Read is posted -> the first beat of its request
	WorkToBeatAtomic    int `json:"work_to_beat_atomic"`     // a FetchAdd is posted -> the first beat of its request
	WorkToBeatImmediate int `json:"work_to_beat_immediate"`  // Immediate Data is posted -> its first beat
	WorkToBeatEmpty     int `json:"work_to_beat_empty"`      // a Write without octets is posted -> its beat
	FirstFetchToBeat    int `json:"first_fetch_to_beat"`     // first line of a long Write read -> its first beat
	FetchToBeat         int `json:"fetch_to_beat"`           // last line of a short Write read -> its first beat
	FetchToBeatLong     int `json:"fetch_to_beat_long"`      // last line of a long Write read -> its first beat
	FetchToLastBeat     int `json:"fetch_to_last_beat"`      // last line of a short Write read -> its last beat
	FetchToLastBeatLong int `json:"fetch_to_last_beat_long"` // last line of a long Write read -> its last beat
	BeatToDone          int `json:"beat_to_done"`            // last beat of a short Write -> its completion
	BeatToDoneSend      int `json:"beat_to_done_send"`       // last beat of a short Send -> its completion
	BeatToDoneImmediate int `json:"beat_to_done_immediate"`  // last beat of Immediate Data -> its completion

	// Of what arrives.
	ArriveToAddress      int `json:"arrive_to_address"`       // last beat of a short Write -> the address of its placement
	ArriveToPlace        int `json:"arrive_to_place"`         // last beat of a short Write -> its first line is written
	ArriveToPlaceLong    int `json:"arrive_to_place_long"`    // last beat of a long Write -> its first line is written
	PlaceToReceive       int `json:"place_to_receive"`        // last line of a short Send written -> completion of its receive request
	ArriveToDone         int `json:"arrive_to_done"`          // last beat of Immediate Data -> completion of its receive request
	PlaceToDone          int `json:"place_to_done"`           // last line of a short Read Response written -> completion of the Read
	ArriveToResult       int `json:"arrive_to_result"`        // last beat of an Atomic Response -> its result is written
	ResultToDone         int `json:"result_to_done"`          // result of an Atomic written -> its completion
	ArriveToRead         int `json:"arrive_to_read"`          // last beat of a Read Request -> its first line is asked for
	FetchToResponse      int `json:"fetch_to_response"`       // last line of a short Read read -> the first beat of the response
	FetchToResponseLong  int `json:"fetch_to_response_long"`  // last line of a long Read read -> the first beat of the response
	FirstFetchToResponse int `json:"first_fetch_to_response"` // first line of a long Read read -> the first beat of the response

	// Of words of Atomics.
	ArriveToWord int `json:"arrive_to_word"` // last beat of an Atomic Request -> its word is asked for
	WordToBeat   int `json:"word_to_beat"`   // word read -> the first beat of the response
	WordToWrite  int `json:"word_to_write"`  // word read -> its new value is written
	ArriveToBeat int `json:"arrive_to_beat"` // last beat of an Atomic Request -> the response, with the word on chip
	HeldFor      int `json:"held_for"`       // word written -> the last cycle in which a request that finds it on chip may arrive, so a negative number

	// Of requests that wait for an earlier one of their stream, or for a Write.
	BeatToWord  int `json:"beat_to_word"`  // last beat of a Read Response -> the word of the Atomic behind it is asked for
	WriteToRead int `json:"write_to_read"` // word of an Atomic written -> the first line of the Read behind it is asked for
	PlaceToRead int `json:"place_to_read"` // last line of a long Write written -> the first line of the Read behind it is asked for
	PlaceToWord int `json:"place_to_word"` // last line of a long Write written -> the word of the Atomic behind it is asked for

	// Of requests of the extension commit, with flush_adapter; 0 without it.
	ArriveToFlush   int `json:"arrive_to_flush,omitempty"`   // last beat of a short Flush Request -> the adapter asks for a line of its range
	FlushToBeat     int `json:"flush_to_beat,omitempty"`     // that line read -> the response
	ArriveToVerify  int `json:"arrive_to_verify,omitempty"`  // last beat of a short Verify Request -> its first line is asked for
	VerifyToBeat    int `json:"verify_to_beat,omitempty"`    // its last line read -> the response with the CRC32C
	ArriveToRewrite int `json:"arrive_to_rewrite,omitempty"` // last beat of an Atomic Write Request -> its word is asked for
	RewriteToBeat   int `json:"rewrite_to_beat,omitempty"`   // its word written -> the response
	ReplyToDone     int `json:"reply_to_done,omitempty"`     // last beat of a Flush Response -> the completion of the Flush

	// Cycles per message, with memory that answers in the next cycle. On one stream there are as many messages as fit: send_depth, ord or ird
	// of them; on many, as many on each of up to 16 streams.
	OneStream   Rates `json:"one_stream"`
	ManyStreams Rates `json:"many_streams"`

	// Lines of payload that are read ahead of what leaves, if nothing may leave.
	ReadAhead      int `json:"read_ahead"`       // of long Writes
	ReadAheadShort int `json:"read_ahead_short"` // of short Writes
}

// Rates are cycles per message, of short messages that are posted or arrive together.
type Rates struct {
	WritesOut  float64 `json:"writes_out"`  // beats of Writes that leave
	SendsOut   float64 `json:"sends_out"`   // beats of Sends that leave
	ReadsOut   float64 `json:"reads_out"`   // Read Requests that leave
	AtomicsOut float64 `json:"atomics_out"` // FetchAdd Requests that leave
	WritesIn   float64 `json:"writes_in"`   // placements of Writes that arrive
	SendsIn    float64 `json:"sends_in"`    // placements of Sends that arrive
	ReadsIn    float64 `json:"reads_in"`    // Read Responses that leave
	AtomicsIn  float64 `json:"atomics_in"`  // Atomic Responses that leave, each of another word
	OneWordIn  float64 `json:"one_word_in"` // Atomic Responses that leave, all of one word
}
