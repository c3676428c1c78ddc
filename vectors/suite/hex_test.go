package suite

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHex(t *testing.T) {
	type all struct {
		O HexOctets
		A Hex32
		B Hex64
	}
	text, err := json.Marshal(all{HexOctets{0x0a, 0xff}, 0x1234, 1 << 63})
	require.NoError(t, err)
	assert.Equal(t, `{"O":"0aff","A":"00001234","B":"8000000000000000"}`, string(text))
	var back all
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, all{HexOctets{0x0a, 0xff}, 0x1234, 1 << 63}, back)

	for _, wrong := range []string{`{"O":"abc"}`, `{"O":"zz"}`, `{"A":"123456789"}`, `{"A":""}`, `{"B":"-1"}`, `{"B":"10000000000000000"}`} {
		assert.Error(t, json.Unmarshal([]byte(wrong), &back), wrong)
	}
}
