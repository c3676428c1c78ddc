package system

// Timing is where the hardware spends cycles, from one event at its ports to another. It is measured on the hardware, with one message in
// an idle engine; `rnicgen timing` does it. A beat or message at a port is in the cycle in which it is accepted.
type Timing struct {
	WorkToFetch int `json:"work_to_fetch"` // a Write or Send is posted -> the first line of its payload is read
	WorkToBeat  int `json:"work_to_beat"`  // a request or Immediate Data is posted -> its first beat leaves
	FetchToBeat int `json:"fetch_to_beat"` // the first line of payload has been read -> the first beat with it leaves
	BeatToDone  int `json:"beat_to_done"`  // the last beat of a Write, Send or Immediate Data leaves -> its completion

	ArriveToPlace int `json:"arrive_to_place"` // the last beat of a segment arrives -> its first line is written
	PlaceToDone   int `json:"place_to_done"`   // the last line is written -> the completion of what ends with it
	ArriveToDone  int `json:"arrive_to_done"`  // the last beat of a segment without placement arrives -> the completion of what ends with it

	ArriveToRead int `json:"arrive_to_read"` // the last beat of a Read Request arrives -> the first line of its data is read
	ArriveToWord int `json:"arrive_to_word"` // the last beat of an Atomic Request arrives -> its word is read
	WordToBeat   int `json:"word_to_beat"`   // a word has been read -> the Atomic Response leaves
	WordToWrite  int `json:"word_to_write"`  // a word has been read -> its new value is written
	ArriveToBeat int `json:"arrive_to_beat"` // the last beat of an Atomic Request arrives -> the response leaves, with the word on chip
	BeatToWord   int `json:"beat_to_word"`   // the last beat of a Read Response leaves -> the word of an Atomic that waited for it is read
	WriteToRead  int `json:"write_to_read"`  // the word of an Atomic has been written -> the first line of a Read that waited for it is read

	ReadAhead int `json:"read_ahead"` // beats of payload that may have been read, or asked for, before they leave
}

// turnToBeat is from the turn of a segment without payload to its first beat. A turn is counted from when payload is asked for.
func (t Timing) turnToBeat() int { return t.WorkToBeat - t.WorkToFetch }

// TimingOf returns the timing of the hardware with a bus of so many octets.
func TimingOf(bus int) Timing {
	return Timing{WorkToFetch: 10, WorkToBeat: 12, FetchToBeat: 5, BeatToDone: 4, ArriveToPlace: 10, PlaceToDone: 5, ArriveToDone: 14,
		ArriveToRead: 18, ArriveToWord: 15, WordToBeat: 10, WordToWrite: 4, ArriveToBeat: 24, BeatToWord: 10, WriteToRead: 10, ReadAhead: 512}
}
