package batch

import "encoding/binary"

const pageBytes = 4096

// pages are the written bytes of a memory, in pages of 4 KiB; all others are zero.
type pages struct {
	byNumber map[uint64]*page
	number   uint64 // of the last page used
	last     *page  // nil: none
}

type page [pageBytes]byte

// find returns the page of an address, nil if nothing was written there.
func (p *pages) find(address uint64) *page {
	number := address / pageBytes
	if p.last != nil && p.number == number {
		return p.last
	}
	if found := p.byNumber[number]; found != nil {
		p.number, p.last = number, found
		return found
	}
	return nil
}

func (p *pages) touch(address uint64) *page {
	if found := p.find(address); found != nil {
		return found
	}
	if p.byNumber == nil {
		p.byNumber = map[uint64]*page{}
	}
	p.number, p.last = address/pageBytes, &page{}
	p.byNumber[p.number] = p.last
	return p.last
}

func (p *pages) read(address uint64, bytes []byte) {
	for len(bytes) > 0 {
		at := address % pageBytes
		n := min(len(bytes), int(pageBytes-at))
		if found := p.find(address); found != nil {
			copy(bytes[:n], found[at:])
		} else {
			clear(bytes[:n])
		}
		address, bytes = address+uint64(n), bytes[n:]
	}
}

func (p *pages) write(address uint64, bytes []byte) {
	for len(bytes) > 0 {
		n := copy(p.touch(address)[address%pageBytes:], bytes)
		address, bytes = address+uint64(n), bytes[n:]
	}
}

// getWords and putWords move words between bytes and packed values: the byte at the lowest address goes to the lowest bits.
func getWords(words []uint64, bytes []byte) {
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(bytes[8*i:])
	}
}

func putWords(bytes []byte, words []uint64) {
	for i, w := range words {
		binary.LittleEndian.PutUint64(bytes[8*i:], w)
	}
}
