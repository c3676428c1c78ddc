package gen_test

import (
	model "github.com/rnicgen/rnicgen/model/memory"
)

// beat returns the beat that writes the row.
func (e stagRow) beat(index uint32) (b rowBeat) {
	b.Index = index
	b.Entry.Valid, b.Entry.Key, b.Entry.ByDomain, b.Entry.Owner = e.Valid, e.Key, e.ByDomain, int(e.Owner)
	b.Entry.Base, b.Entry.Length, b.Entry.Address = e.Base, e.Length, e.Address
	r := &b.Entry.Rights
	for i, to := range []*bool{&r.Invalidate, &r.RemoteAtomic, &r.RemoteWrite, &r.RemoteRead, &r.LocalWrite, &r.LocalRead} {
		*to = e.Rights>>i&1 == 1
	}
	return b
}

// commitRowBeat is a row with what the extension adds.
type commitRowBeat struct {
	rowBeat
	Entry struct{ Tag tagBeat }
}

func (e stagRow) commitBeat(index uint32) commitRowBeat {
	return commitRowBeat{e.beat(index), struct{ Tag tagBeat }{e.Tag}}
}

// Bits of the rights of a stagRow.
const (
	mayInvalidate = 1 << iota
	mayRemoteAtomic
	mayRemoteWrite
	mayRemoteRead
	mayLocalWrite
	mayLocalRead
)

// region returns the row for the golden model.
func (e stagRow) region() model.Region {
	r := model.Region{Valid: e.Valid, Key: e.Key, ByDomain: e.ByDomain, Owner: e.Owner, Base: e.Base, Length: e.Length, Address: e.Address}
	for bit, right := range []model.Rights{model.Invalidate, model.RemoteAtomic, model.RemoteWrite, model.RemoteRead, model.LocalWrite, model.LocalRead} {
		if e.Rights>>bit&1 == 1 {
			r.Rights |= right
		}
	}
	for right, is := range map[model.Rights]bool{model.FlushPersistent: e.Tag.Persistent, model.FlushVisible: e.Tag.Visible, model.Verifiable: e.Tag.Verifiable} {
		if is {
			r.Rights |= right
		}
	}
	r.Attributes = model.Attributes{Type: model.Type(e.Tag.Type), Hash: model.Algorithm(e.Tag.Algorithm), Read: model.ReadNotNeeded}
	if e.Tag.NeedsRead {
		r.Attributes.Read = model.ReadNeeded
	}
	return r
}

func rowOf(b rowBeat) stagRow {
	row := stagRow{Valid: b.Entry.Valid, Key: b.Entry.Key, ByDomain: b.Entry.ByDomain, Owner: uint16(b.Entry.Owner), Base: b.Entry.Base, Length: b.Entry.Length, Address: b.Entry.Address}
	r := b.Entry.Rights
	for i, is := range []bool{r.Invalidate, r.RemoteAtomic, r.RemoteWrite, r.RemoteRead, r.LocalWrite, r.LocalRead} {
		if is {
			row.Rights |= 1 << i
		}
	}
	return row
}
