package wire

// ReadRequest is the RDMAP header of an RDMA Read Request, RFC 5040 section 4.4.
type ReadRequest struct {
	DataSinkSTag    uint32
	DataSinkTO      uint64 // octets
	ReadMessageSize uint32 // octets
	DataSourceSTag  uint32
	DataSourceTO    uint64 // octets
}

var (
	readSinkSTag   = ReadRequestTable.at32("data_sink_stag")
	readSinkTO     = ReadRequestTable.at64("data_sink_to")
	readSize       = ReadRequestTable.at32("read_message_size")
	readSourceSTag = ReadRequestTable.at32("data_source_stag")
	readSourceTO   = ReadRequestTable.at64("data_source_to")
)

// Decode reads the payload of a Read Request segment: exactly 28 octets, else spec.WrongLength.
func (r *ReadRequest) Decode(b []byte) error {
	if err := ReadRequestTable.exact(b); err != nil {
		return err
	}
	*r = ReadRequest{
		DataSinkSTag:    readSinkSTag.value(b),
		DataSinkTO:      readSinkTO.value(b),
		ReadMessageSize: readSize.value(b),
		DataSourceSTag:  readSourceSTag.value(b),
		DataSourceTO:    readSourceTO.value(b),
	}
	return nil
}

// AppendEncode appends the 28 octets.
func (r *ReadRequest) AppendEncode(dst []byte) []byte {
	dst, b := ReadRequestTable.grow(dst)
	readSinkSTag.put(b, r.DataSinkSTag)
	readSinkTO.put(b, r.DataSinkTO)
	readSize.put(b, r.ReadMessageSize)
	readSourceSTag.put(b, r.DataSourceSTag)
	readSourceTO.put(b, r.DataSourceTO)
	return dst
}
