package system

import "github.com/rnicgen/rnicgen/model/system"

// FalconDelays are cycles between events at the ports of the hardware of the profile falcon, with ideal memory, as Delays are. QPs are
// strongly ordered.
type FalconDelays struct {
	// Of what is sent.
	WorkToFetch      int `json:"work_to_fetch"`       // a short Write is posted -> its first line is asked for
	WorkToFetchSend  int `json:"work_to_fetch_send"`  // a short Send is posted -> its first line is asked for
	WorkToBeat       int `json:"work_to_beat"`        // a Read is posted -> the first beat of its request
	WorkToBeatAtomic int `json:"work_to_beat_atomic"` // a FetchAdd is posted -> the first beat of its request
	FetchToBeat      int `json:"fetch_to_beat"`       // last line of a short Write read -> its first beat
	FetchToBeatLong  int `json:"fetch_to_beat_long"`  // last line of a long Write read -> its first beat
	CompletedToDone  int `json:"completed_to_done"`   // Falcon completes a short Write -> its completion

	// Of what arrives.
	ArriveToPlace       int `json:"arrive_to_place"`        // last beat of a short Write -> its first line is written
	ArriveToPlaceLong   int `json:"arrive_to_place_long"`   // last beat of a long Write -> its first line is written
	PlaceToAnswer       int `json:"place_to_answer"`        // last line of a short Write written -> its answer
	PlaceToAnswerSend   int `json:"place_to_answer_send"`   // last line of a short Send written -> its answer
	PlaceToReceive      int `json:"place_to_receive"`       // last line of a short Send written -> the completion of its receive
	ArriveToAnswer      int `json:"arrive_to_answer"`       // last beat of a Read -> its answer
	ArriveToRead        int `json:"arrive_to_read"`         // last beat of a Read -> its first line is asked for
	FetchToResponse     int `json:"fetch_to_response"`      // last line of a short Read read -> the first beat of the response
	FetchToResponseLong int `json:"fetch_to_response_long"` // last line of a long Read read -> the first beat of the response
	ArriveToResponse    int `json:"arrive_to_response"`     // last beat of the response to a short Read -> its first line is written
	PlaceToDone         int `json:"place_to_done"`          // last line of that response written -> the completion of the Read
	ArriveToResult      int `json:"arrive_to_result"`       // last beat of the response to a FetchAdd -> its result is written
	ResultToDone        int `json:"result_to_done"`         // that result written -> the completion of the FetchAdd

	// Of words of Atomics.
	ArriveToWord int `json:"arrive_to_word"` // last beat of a FetchAdd -> its word is asked for
	WordToBeat   int `json:"word_to_beat"`   // word read -> the response
	WordToWrite  int `json:"word_to_write"`  // word read -> its new value is written
	ArriveToBeat int `json:"arrive_to_beat"` // last beat of a FetchAdd -> the response, with the word on chip

	// Of requests that wait for an earlier one of their QP, or for a Write.
	BeatToWord  int `json:"beat_to_word"`  // last beat of the response to a Read -> the word of the FetchAdd behind it is asked for
	WriteToRead int `json:"write_to_read"` // word of a FetchAdd written -> the first line of the Read behind it is asked for
	PlaceToRead int `json:"place_to_read"` // last line of a long Write written -> the first line of the Read behind it is asked for
	PlaceToWord int `json:"place_to_word"` // last line of a long Write written -> the word of the FetchAdd behind it is asked for

	// Of several work requests of one QP.
	WorkPause        int `json:"work_pause"`         // first line of a short Write asked for -> that of the next Write
	DoneLook         int `json:"done_look"`          // completion of a Write -> the last one that follows without a pause, of those that are over in consecutive cycles
	DonePause        int `json:"done_pause"`         // that completion -> the next
	CompletedToFetch int `json:"completed_to_fetch"` // Falcon completes the oldest packet of a full window -> the first line of the next packet is asked for
	PlaceToMore      int `json:"place_to_more"`      // last line of a response written -> the first beat of another packet of the same Read, which ORD held back
	PlaceToNext      int `json:"place_to_next"`      // last line of a response written -> the first beat of a Read that ORD held back; 0 if send_depth leaves none
	NextPause        int `json:"next_pause"`         // that beat -> the first beat of the next such Read, whose response came a little later

	// Cycles per message, with memory that answers in the next cycle, of as many messages on each QP as it may have in progress.
	OneQP   FalconRates `json:"one_qp"`
	ManyQPs FalconRates `json:"many_qps"` // 16
}

// Timing is what the model of an RNIC uses of the delays.
func (d *FalconDelays) Timing() system.Timing {
	return system.Timing{
		WorkToFetch: d.WorkToFetch, WorkToBeat: d.WorkToBeat, FetchToBeat: d.FetchToBeat, FetchToBeatLong: d.FetchToBeatLong,
		ArriveToPlace: d.ArriveToPlace, PlaceToReceive: d.PlaceToReceive, PlaceToDone: d.PlaceToDone,
		ArriveToRead: d.ArriveToRead, ArriveToWord: d.ArriveToWord, WordToBeat: d.WordToBeat, WordToWrite: d.WordToWrite, ArriveToBeat: d.ArriveToBeat,
		BeatToWord: d.BeatToWord, WriteToRead: d.WriteToRead, PlaceToRead: d.PlaceToRead,
		PlaceToAnswer: d.PlaceToAnswer, ArriveToAnswer: d.ArriveToAnswer, CompletedToDone: d.CompletedToDone, CompletedToFetch: d.CompletedToFetch,
		PlaceToMore: d.PlaceToMore, PlaceToNext: d.PlaceToNext, WorkPause: d.WorkPause, DoneLook: d.DoneLook, DonePause: d.DonePause, NextPause: d.NextPause,
	}
}

// FalconRates are cycles per message, of short messages that are posted or arrive together, each of another line of memory.
type FalconRates struct {
	WritesOut  float64 `json:"writes_out"`  // Writes that leave
	SendsOut   float64 `json:"sends_out"`   // Sends that leave
	ReadsOut   float64 `json:"reads_out"`   // Reads that leave
	AtomicsOut float64 `json:"atomics_out"` // FetchAdds that leave
	WritesDone float64 `json:"writes_done"` // completions of Writes
	ReadsDone  float64 `json:"reads_done"`  // completions of Reads
	WritesIn   float64 `json:"writes_in"`   // answers to Writes that arrive
	SendsIn    float64 `json:"sends_in"`    // answers to Sends that arrive
	ReadsIn    float64 `json:"reads_in"`    // responses to Reads that leave
	AtomicsIn  float64 `json:"atomics_in"`  // responses to FetchAdds that leave
}
