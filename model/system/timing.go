package system

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Timing is where the hardware spends cycles, from one event at its ports to another, with one message in an idle engine. `rnicgen
// timing` measures it. An event is in the cycle in which a beat or a message is accepted at its port; memory is read in that of its
// address, and has been written in that of its answer.
type Timing struct {
	WorkToFetch     int `json:"work_to_fetch"`      // a Write or Send is posted -> the first line of its payload is read
	WorkToBeat      int `json:"work_to_beat"`       // a request is posted -> its first beat leaves
	FetchToBeat     int `json:"fetch_to_beat"`      // the last line of the payload of a segment of one beat has been read -> the beat leaves
	FetchToBeatLong int `json:"fetch_to_beat_long"` // the same of a longer segment -> its first beat leaves
	BeatToDone      int `json:"beat_to_done"`       // the last beat of a Write or Send leaves -> its completion

	ArriveToPlace  int `json:"arrive_to_place"`  // the last beat of a segment arrives -> its first line is written
	PlaceToReceive int `json:"place_to_receive"` // the last line of a Send has been written -> the completion of its receive request
	PlaceToDone    int `json:"place_to_done"`    // the last line of a response has been written -> the completion of its request

	ArriveToRead int `json:"arrive_to_read"` // the last beat of a Read Request arrives -> the first line of its data is read
	ArriveToWord int `json:"arrive_to_word"` // the last beat of an Atomic Request arrives -> its word is read
	WordToBeat   int `json:"word_to_beat"`   // a word has been read -> the Atomic Response leaves
	WordToWrite  int `json:"word_to_write"`  // a word has been read -> its new value is written
	ArriveToBeat int `json:"arrive_to_beat"` // the last beat of an Atomic Request arrives -> the response leaves, with the word on chip

	BeatToWord  int `json:"beat_to_word"`  // the last beat of a Read Response leaves -> the word of the Atomic behind it is read
	WriteToRead int `json:"write_to_read"` // the word of an Atomic has been written -> the first line of the Read behind it is read
	PlaceToRead int `json:"place_to_read"` // the last line of a Write has been written -> the first line of the Read behind it is read

	// With the extension commit; memory is flushed by a read.
	ArriveToFlush   int `json:"arrive_to_flush,omitempty"`   // the last beat of a Flush Request arrives -> memory is flushed
	FlushToBeat     int `json:"flush_to_beat,omitempty"`     // memory has been flushed -> the response leaves
	ArriveToVerify  int `json:"arrive_to_verify,omitempty"`  // the last beat of a Verify Request arrives -> the first line of its range is read
	VerifyToBeat    int `json:"verify_to_beat,omitempty"`    // the last one has been read -> the response leaves
	ArriveToRewrite int `json:"arrive_to_rewrite,omitempty"` // the last beat of an Atomic Write Request arrives -> its word is read
	RewriteToBeat   int `json:"rewrite_to_beat,omitempty"`   // its word has been written -> the response leaves
	ReplyToDone     int `json:"reply_to_done,omitempty"`     // the last beat of a response without payload arrives -> the completion of its request

	// With RDMA over Falcon.
	PlaceToAnswer    int `json:"place_to_answer,omitempty"`    // the last line of a push has been written -> its answer
	ArriveToAnswer   int `json:"arrive_to_answer,omitempty"`   // the last beat of a pull arrives -> its answer
	CompletedToDone  int `json:"completed_to_done,omitempty"`  // Falcon completes a push -> its completion
	CompletedToFetch int `json:"completed_to_fetch,omitempty"` // Falcon completes a push -> the first line of one that the window held back is read
	PlaceToMore      int `json:"place_to_more,omitempty"`      // the last line of a response has been written -> more of the same Read, which ORD held back, leaves
	PlaceToNext      int `json:"place_to_next,omitempty"`      // the last line of a response has been written -> another pull that ORD held back leaves
	WorkPause        int `json:"work_pause,omitempty"`         // from a work request of a QP to the next
	DoneLook         int `json:"done_look,omitempty"`          // from a completion of a QP to the latest that follows without a pause
	DonePause        int `json:"done_pause,omitempty"`         // from that to the next
	NextPause        int `json:"next_pause,omitempty"`         // from a pull that ORD held back to the next
}

// A turn of a segment is not an event at a port. It is here so many cycles before its payload is asked for.
const turnToFetch = 4

// turnToBeat is from the turn of a segment without payload to its first beat.
func (t Timing) turnToBeat() int { return t.WorkToBeat - t.WorkToFetch + turnToFetch }

// arrive is from the arrival of a request to its first access of memory.
func (t Timing) arrive(c spec.Class) int {
	switch c {
	case spec.ReadRequest:
		return t.ArriveToRead
	case spec.FlushRequest:
		return t.ArriveToFlush
	case spec.VerifyRequest:
		return t.ArriveToVerify
	case spec.AtomicWriteRequest:
		return t.ArriveToRewrite
	}
	return t.ArriveToWord
}

// A request that waited accesses memory that many cycles after what it waited for: as many as after its arrival, and these, which may
// be less than 0. What it waits for is the last beat of a response, the write of an Atomic's word, or the placement of payload.
func (t Timing) afterBeat() int  { return t.BeatToWord - t.ArriveToWord }
func (t Timing) afterWrite() int { return t.WriteToRead - t.ArriveToRead }
func (t Timing) afterPlace() int { return t.PlaceToRead - t.ArriveToRead }

// works, dones and nexts are the rhythms of the profile falcon.
func (t Timing) works() rhythm { return rhythm{pause: Cycle(t.WorkPause)} }
func (t Timing) dones() rhythm { return rhythm{Cycle(t.DoneLook), Cycle(t.DonePause)} }
func (t Timing) nexts() rhythm { return rhythm{Cycle(t.DoneLook), Cycle(t.NextPause)} }

//go:embed timing.json
var measured []byte

// TimingOf returns the timing that was measured on the hardware with a bus of so many octets and with extensions.
func TimingOf(bus int, x spec.Extensions) Timing { return TimingNamed(TimingName(bus, x)) }

// FalconTimingOf returns that of the profile falcon.
func FalconTimingOf(bus int) Timing { return TimingNamed(FalconTimingName(bus)) }

// TimingNamed returns a timing by its name.
func TimingNamed(name string) Timing {
	all := map[string]Timing{}
	if err := json.Unmarshal(measured, &all); err != nil {
		panic(err) // a file of this program
	}
	t, is := all[name]
	if !is {
		panic("no timing of " + name) // of a configuration that its check refuses
	}
	return t
}

// TimingName is the name of a timing in timing.json.
func TimingName(bus int, x spec.Extensions) string {
	if x&spec.Commit != 0 {
		return fmt.Sprintf("%d, commit", bus)
	}
	return fmt.Sprint(bus)
}

// FalconTimingName is that of a timing of the profile falcon.
func FalconTimingName(bus int) string { return fmt.Sprintf("%d, falcon", bus) }
