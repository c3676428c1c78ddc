package system

import "github.com/rnicgen/rnicgen/model/system"

// Timing is what the model of an RNIC uses of the delays.
func (d *Delays) Timing() system.Timing {
	return system.Timing{
		WorkToFetch: d.WorkToFetch, WorkToBeat: d.WorkToBeat, FetchToBeat: d.FetchToBeat, FetchToBeatLong: d.FetchToBeatLong, BeatToDone: d.BeatToDone,
		ArriveToPlace: d.ArriveToPlace, PlaceToReceive: d.PlaceToReceive, PlaceToDone: d.PlaceToDone, ArriveToDone: d.ArriveToDone,
		ArriveToRead: d.ArriveToRead, ArriveToWord: d.ArriveToWord, WordToBeat: d.WordToBeat, WordToWrite: d.WordToWrite, ArriveToBeat: d.ArriveToBeat,
		BeatToWord: d.BeatToWord, WriteToRead: d.WriteToRead, PlaceToRead: d.PlaceToRead,
		ArriveToFlush: d.ArriveToFlush, FlushToBeat: d.FlushToBeat, ArriveToVerify: d.ArriveToVerify, VerifyToBeat: d.VerifyToBeat,
		ArriveToRewrite: d.ArriveToRewrite, RewriteToBeat: d.RewriteToBeat, ReplyToDone: d.ReplyToDone,
	}
}
