package memory

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The check values of the catalogues: digests of "123456789", on the wire.
func TestDigests(t *testing.T) {
	s := NewSpace()
	s.Write(0xFFC, []byte("123456789")) // across a page
	for a, want := range map[Algorithm]string{
		CRC32C:    "e3069283",
		CRC64NVMe: "ae8b14860a799888",
		SHA256:    "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
	} {
		assert.Equal(t, want, hex.EncodeToString(s.Digest(nil, a, 0xFFC, 9)), "%v", a)
		assert.Equal(t, len(want)/2, a.Octets(), "%v", a)
		assert.LessOrEqual(t, a.Octets(), MostDigest)
		assert.Equal(t, []byte{7}, s.Digest([]byte{7}, a, 0xFFC, 9)[:1], "appended")
	}
	// The digests of nothing.
	for a, want := range map[Algorithm]string{
		CRC32C:    "00000000",
		CRC64NVMe: "0000000000000000",
		SHA256:    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	} {
		assert.Equal(t, want, hex.EncodeToString(s.Digest(nil, a, 0, 0)), "%v", a)
	}
	assert.Zero(t, NoAlgorithm.Octets()+algorithms.Octets())
	assert.Equal(t, []string{"none", "CRC32C", "CRC-64/NVME", "SHA-256", "unknown algorithm 4"},
		[]string{NoAlgorithm.String(), CRC32C.String(), CRC64NVMe.String(), SHA256.String(), algorithms.String()})
}

// All four combinations of the flush rights with what a Flush asks for: every right that it asks for is needed.
func TestFlushRights(t *testing.T) {
	const both = FlushPersistent | FlushVisible
	own := Peer{Stream: 5}
	for _, has := range []Rights{0, FlushPersistent, FlushVisible, both} {
		tb := table(t, 2, map[int]Region{1: {Valid: true, Rights: has | RemoteWrite, Owner: 5, Length: 32, Attributes: Attributes{Type: Flushable}}})
		for _, asked := range []Rights{FlushPersistent, FlushVisible, both} {
			_, fault := tb.CheckNamed(own, 0x100, 0, 32, asked)
			assert.Equal(t, has&asked == asked, fault == Granted, "has %b, asked %b", has, asked)
			if fault != Granted {
				assert.Equal(t, NoRight, fault)
				assert.Equal(t, []Fault{NoRight}, tb.FaultsNamed(own, 0x100, 0, 32, asked))
			}
		}
	}
}

// Verify needs Verifiable, and Remote Read where the region says so: by default with a CRC.
func TestVerifyRights(t *testing.T) {
	for a, needs := range map[Attributes]bool{{Hash: CRC32C}: true, {Hash: CRC64NVMe}: true, {Hash: SHA256}: false,
		{Hash: CRC32C, Read: ReadNotNeeded}: false, {Hash: SHA256, Read: ReadNeeded}: true} {
		for _, rights := range []Rights{0, Verifiable, RemoteRead, Verifiable | RemoteRead} {
			tb := table(t, 1, map[int]Region{0: {Valid: true, Rights: rights, Length: 8, Attributes: a}})
			_, fault := tb.CheckNamed(Peer{}, 0, 0, 8, Verifiable)
			assert.Equal(t, rights&Verifiable != 0 && (!needs || rights&RemoteRead != 0), fault == Granted, "%v, %b", a, rights)
		}
	}
	// Verifiable gives no other right.
	tb := table(t, 1, map[int]Region{0: {Valid: true, Rights: Verifiable, Length: 8, Attributes: Attributes{Hash: SHA256}}})
	_, fault := tb.Check(Peer{}, 0, 0, 8, RemoteRead)
	assert.Equal(t, NoRight, fault)
}

// An access of 0 octets names a region all the same (I-20): STag, association and right are checked, and its TO is in
// the region or at its end.
func TestNamedWithoutOctets(t *testing.T) {
	tb := table(t, 3, map[int]Region{1: {Valid: true, Rights: FlushVisible, Owner: 5, Base: 0x1003, Length: 32, Address: 0x8000}})
	own := Peer{Stream: 5}
	for _, tt := range []struct {
		name  string
		peer  Peer
		stag  uint32
		to    uint64
		right Rights
		fault Fault
	}{
		{"the first octet", own, 0x100, 0x1003, FlushVisible, Granted},
		{"the end", own, 0x100, 0x1023, FlushVisible, Granted},
		{"before", own, 0x100, 0x1002, FlushVisible, OutOfBounds},
		{"behind the end", own, 0x100, 0x1024, FlushVisible, OutOfBounds},
		{"the last TO of all", own, 0x100, 1<<64 - 1, FlushVisible, OutOfBounds},
		{"right", own, 0x100, 0x1003, FlushPersistent, NoRight},
		{"association", Peer{Stream: 6}, 0x100, 0x1003, FlushVisible, NotAssociated},
		{"STag", own, 0x200, 0x1003, FlushVisible, BadSTag},
	} {
		_, fault := tb.CheckNamed(tt.peer, tt.stag, tt.to, 0, tt.right)
		assert.Equal(t, tt.fault, fault, tt.name)
		_, fault = tb.Check(tt.peer, tt.stag, tt.to, 0, tt.right)
		assert.Equal(t, Granted, fault, "Writes and Reads of 0 octets name none")
	}
}

// What cannot be supported is refused at registration (I-94).
func TestRegistrationIsRefused(t *testing.T) {
	tb, err := NewTable(1)
	require.NoError(t, err)
	for _, tt := range []struct {
		region Region
		text   string
	}{
		{Region{Rights: FlushPersistent}, "memory: STag index 0: Flush to Persistence of plain memory; allowed: of memory that can be persistent"},
		{Region{Rights: Verifiable}, "memory: STag index 0: Verifiable without an algorithm; allowed: with one"},
		{Region{Attributes: Attributes{Hash: algorithms}}, "memory: STag index 0: algorithm is 4; allowed: 0..3"},
		{Region{Attributes: Attributes{Type: types}}, "memory: STag index 0: type is 3; allowed: 0..2"},
		{Region{Attributes: Attributes{Read: readNeeds}}, "memory: STag index 0: need of Remote Read is 3; allowed: 0..2"},
		{Region{Attributes: Attributes{Mode: modes}}, "memory: STag index 0: mode is 2; allowed: 0..1"},
		{Region{Rights: FlushPersistent, Attributes: Attributes{Type: PeerToPeer}}, ""},
		{Region{Rights: FlushVisible | Verifiable, Attributes: Attributes{Hash: SHA256}}, ""},
	} {
		tt.region.Valid = true
		if err := tb.Set(0, tt.region); tt.text != "" {
			assert.EqualError(t, err, tt.text)
		} else {
			assert.NoError(t, err)
		}
	}
	assert.NoError(t, tb.Set(0, Region{Rights: Verifiable}), "a row that is not valid")
}
