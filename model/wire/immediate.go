package wire

// Immediate is the RDMAP header of Immediate Data and Immediate Data with SE, RFC 7306 section 6.2. The first octet on
// the wire is the most significant octet of Data.
type Immediate struct{ Data uint64 }

var immediateData = ImmediateTable.at64("immediate_data")

// Decode reads the payload of an Immediate Data segment: exactly 8 octets, else spec.WrongLength (I-07).
func (i *Immediate) Decode(b []byte) error {
	if err := ImmediateTable.exact(b); err != nil {
		return err
	}
	i.Data = immediateData.value(b)
	return nil
}

// AppendEncode appends the 8 octets.
func (i *Immediate) AppendEncode(dst []byte) []byte {
	dst, b := ImmediateTable.grow(dst)
	immediateData.put(b, i.Data)
	return dst
}
