package wire

// AtomicRequest is the RDMAP header of an Atomic Operation Request, RFC 7306 section 5.2.1.
type AtomicRequest struct {
	Reserved          uint32 // 28 bits: zero on transmit, ignored on receive
	AOpCode           AOpCode
	RequestIdentifier uint32
	RemoteSTag        uint32
	RemoteTO          uint64 // octets
	Data              uint64 // Add or Swap Data
	Mask              uint64 // Add or Swap Mask
	CompareData       uint64
	CompareMask       uint64
}

// allOnes is the value of unused masks on transmit.
const allOnes = ^uint64(0)

// NewFetchAdd returns a FetchAdd as section 5.2.1 requires on transmit: Compare Data zero, Compare Mask all ones.
func NewFetchAdd(id, stag uint32, to, addData, addMask uint64) AtomicRequest {
	return AtomicRequest{AOpCode: FetchAdd, RequestIdentifier: id, RemoteSTag: stag, RemoteTO: to,
		Data: addData, Mask: addMask, CompareMask: allOnes}
}

// NewCmpSwap returns a CmpSwap.
func NewCmpSwap(id, stag uint32, to, swapData, swapMask, compareData, compareMask uint64) AtomicRequest {
	return AtomicRequest{AOpCode: CmpSwap, RequestIdentifier: id, RemoteSTag: stag, RemoteTO: to,
		Data: swapData, Mask: swapMask, CompareData: compareData, CompareMask: compareMask}
}

// NewSwap returns a Swap of draft-00: both masks all ones, Compare Data zero.
func NewSwap(id, stag uint32, to, swapData uint64) AtomicRequest {
	return AtomicRequest{AOpCode: Swap, RequestIdentifier: id, RemoteSTag: stag, RemoteTO: to,
		Data: swapData, Mask: allOnes, CompareMask: allOnes}
}

var (
	atomicReserved    = AtomicRequestTable.at("reserved")
	atomicAOpCode     = AtomicRequestTable.atBits("aopcode")
	atomicIdentifier  = AtomicRequestTable.at32("request_identifier")
	atomicSTag        = AtomicRequestTable.at32("remote_stag")
	atomicTO          = AtomicRequestTable.at64("remote_to")
	atomicData        = AtomicRequestTable.at64("add_or_swap_data")
	atomicMask        = AtomicRequestTable.at64("add_or_swap_mask")
	atomicCompareData = AtomicRequestTable.at64("compare_data")
	atomicCompareMask = AtomicRequestTable.at64("compare_mask")
)

// Decode reads the payload of an Atomic Request segment: exactly 52 octets, else spec.WrongLength.
func (r *AtomicRequest) Decode(b []byte) error {
	if err := AtomicRequestTable.exact(b); err != nil {
		return err
	}
	*r = AtomicRequest{
		Reserved:          uint32(atomicReserved.value(b)),
		AOpCode:           AOpCode(atomicAOpCode.value(b)),
		RequestIdentifier: atomicIdentifier.value(b),
		RemoteSTag:        atomicSTag.value(b),
		RemoteTO:          atomicTO.value(b),
		Data:              atomicData.value(b),
		Mask:              atomicMask.value(b),
		CompareData:       atomicCompareData.value(b),
		CompareMask:       atomicCompareMask.value(b),
	}
	return nil
}

// AppendEncode appends the 52 octets.
func (r *AtomicRequest) AppendEncode(dst []byte) []byte {
	dst, b := AtomicRequestTable.grow(dst)
	atomicReserved.put(b, uint64(r.Reserved))
	atomicAOpCode.put(b, uint8(r.AOpCode))
	atomicIdentifier.put(b, r.RequestIdentifier)
	atomicSTag.put(b, r.RemoteSTag)
	atomicTO.put(b, r.RemoteTO)
	atomicData.put(b, r.Data)
	atomicMask.put(b, r.Mask)
	atomicCompareData.put(b, r.CompareData)
	atomicCompareMask.put(b, r.CompareMask)
	return dst
}

// AtomicResponse is the RDMAP header of an Atomic Operation Response, RFC 7306 section 5.2.2.
type AtomicResponse struct {
	OriginalRequestIdentifier uint32
	OriginalRemoteDataValue   uint64
}

var (
	responseIdentifier = AtomicResponseTable.at32("original_request_identifier")
	responseValue      = AtomicResponseTable.at64("original_remote_data_value")
)

// Decode reads the payload of an Atomic Response segment: exactly 12 octets (I-01), else spec.WrongLength.
func (r *AtomicResponse) Decode(b []byte) error {
	if err := AtomicResponseTable.exact(b); err != nil {
		return err
	}
	r.OriginalRequestIdentifier = responseIdentifier.value(b)
	r.OriginalRemoteDataValue = responseValue.value(b)
	return nil
}

// AppendEncode appends the 12 octets.
func (r *AtomicResponse) AppendEncode(dst []byte) []byte {
	dst, b := AtomicResponseTable.grow(dst)
	responseIdentifier.put(b, r.OriginalRequestIdentifier)
	responseValue.put(b, r.OriginalRemoteDataValue)
	return dst
}
