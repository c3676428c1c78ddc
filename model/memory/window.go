// Package memory owns the memory that remote peers reach, and decides which addresses reach it.
//
// A Window is one registered region of 64-bit words under one STag. Its words are integers: the byte order of
// the host's memory is not visible here.
//
// A Table has many regions, with owners and rights, in a Space of octets.
package memory

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/wire"
)

// WordOctets is the size of the unit of atomicity: the aligned 8 octets (I-10).
const WordOctets = 8

// MaxWords bounds a window to 512 MiB, a mistyped number should not take the whole machine.
const MaxWords = 1 << 26

// Config describes a window.
type Config struct {
	STag  uint32
	Base  uint64 // TO of the first octet; any value, aligned or not
	Words int    // 1..MaxWords; Base + 8 * Words is at most 2^64
}

// Window is a region of words. Word i has the tagged offsets Base+8i to Base+8i+7.
type Window struct {
	stag  uint32
	base  uint64
	words []uint64
}

// New makes a window of zeros.
func New(c Config) (*Window, error) {
	if c.Words < 1 || c.Words > MaxWords {
		return nil, fmt.Errorf("memory: Words is %d; allowed: 1..%d", c.Words, MaxWords)
	}
	// The last octet has a TO: written without Base + 8*Words, which may be 2^64 itself.
	if last := uint64(c.Words)*WordOctets - 1; c.Base > ^uint64(0)-last {
		return nil, fmt.Errorf("memory: Base is 0x%X with %d Words; allowed: at most 0x%X, so that no TO is above 2^64 - 1",
			c.Base, c.Words, ^uint64(0)-last)
	}
	return &Window{stag: c.STag, base: c.Base, words: make([]uint64, c.Words)}, nil
}

// Words is the number of words.
func (w *Window) Words() int { return len(w.words) }

// Resolve finds the word that an access of 8 octets at TO to under stag means, or the first error of, in
// this order, ErrSTag, ErrTOWrap, ErrBounds and ErrAlignment (RFC 5040 section 7; I-05). Alignment is
// judged on the resolved address, TO - Base, since the word 0 of a window is aligned in memory whatever TO
// stands for it: RFC 7306 section 5.2.1 allows any TO that represents an aligned address.
func (w *Window) Resolve(stag uint32, to uint64) (index int, kind wire.ErrorKind) {
	if stag != w.stag {
		return 0, wire.ErrSTag
	}
	// The access reaches up to TO + 8, exclusively: 2^64 is the last that it may be.
	if to > ^uint64(0)-WordOctets+1 {
		return 0, wire.ErrTOWrap
	}
	size := uint64(len(w.words)) * WordOctets
	if to < w.base || to-w.base > size-WordOctets {
		return 0, wire.ErrBounds
	}
	offset := to - w.base
	if offset%WordOctets != 0 {
		return 0, wire.ErrAlignment
	}
	return int(offset / WordOctets), wire.ErrNone
}

// Load returns word index; false when there is no such word.
func (w *Window) Load(index int) (uint64, bool) {
	if index < 0 || index >= len(w.words) {
		return 0, false
	}
	return w.words[index], true
}

// Store replaces word index and returns what it was; false when there is no such word.
func (w *Window) Store(index int, word uint64) (old uint64, ok bool) {
	if old, ok = w.Load(index); ok {
		w.words[index] = word
	}
	return old, ok
}
