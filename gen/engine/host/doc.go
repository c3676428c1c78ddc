// Package host holds the blocks between the engine and its host: registers, receive requests, openings and failures of streams.
package host
