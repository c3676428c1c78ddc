package system

// Timing is where the hardware spends cycles, from one event at its ports to another, with one message in an idle engine. `rnicgen
// timing` measures it. An event is in the cycle in which a beat or a message is accepted at its port.
type Timing struct {
	WorkToFetch int `json:"work_to_fetch"` // a Write or Send is posted -> the first line of its payload is read
	WorkToBeat  int `json:"work_to_beat"`  // a request is posted -> its first beat leaves
	FetchToBeat int `json:"fetch_to_beat"` // the last line of the payload of a segment has been read -> its first beat leaves
	BeatToDone  int `json:"beat_to_done"`  // the last beat of a Write, Send or Immediate Data leaves -> its completion

	ArriveToPlace  int `json:"arrive_to_place"`  // the last beat of a segment arrives -> its first line is written
	PlaceToReceive int `json:"place_to_receive"` // the last line of a Send has been written -> the completion of its receive request
	PlaceToDone    int `json:"place_to_done"`    // the last line of a response has been written -> the completion of its request
	ArriveToDone   int `json:"arrive_to_done"`   // the last beat of Immediate Data arrives -> the completion of its receive request

	ArriveToRead int `json:"arrive_to_read"` // the last beat of a Read Request arrives -> the first line of its data is read
	ArriveToWord int `json:"arrive_to_word"` // the last beat of an Atomic Request arrives -> its word is read
	WordToBeat   int `json:"word_to_beat"`   // a word has been read -> the Atomic Response leaves
	WordToWrite  int `json:"word_to_write"`  // a word has been read -> its new value is written
	ArriveToBeat int `json:"arrive_to_beat"` // the last beat of an Atomic Request arrives -> the response leaves, with the word on chip
	BeatToWord   int `json:"beat_to_word"`   // the last beat of a Read Response leaves -> the word of an Atomic that waited for it is read
	WriteToRead  int `json:"write_to_read"`  // the word of an Atomic has been written -> the first line of a Read that waited for it is read
}

// A turn of a segment is not an event at a port. It is here so many cycles before its payload is asked for.
const turnToFetch = 4

// turnToBeat is from the turn of a segment without payload to its first beat.
func (t Timing) turnToBeat() int { return t.WorkToBeat - t.WorkToFetch + turnToFetch }

// TimingOf returns the timing of the hardware with a bus of so many octets.
func TimingOf(bus int) Timing {
	return Timing{WorkToFetch: 29, WorkToBeat: 27, FetchToBeat: 7, BeatToDone: 17, ArriveToPlace: 20, PlaceToReceive: 7, PlaceToDone: 19, ArriveToDone: 27,
		ArriveToRead: 24, ArriveToWord: 20, WordToBeat: 5, WordToWrite: 9, ArriveToBeat: 25, BeatToWord: 21, WriteToRead: 29}
}
