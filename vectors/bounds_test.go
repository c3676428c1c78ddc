package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	cases "github.com/rnicgen/rnicgen/vectors/cases/rdmap"
	"github.com/rnicgen/rnicgen/vectors/schema"
)

// fieldsOf returns the numbers of a configuration, by their names in files.
func fieldsOf(c *gen.Config) map[string]*int {
	return map[string]*int{
		"bus_bytes": &c.BusBytes, "streams": &c.Streams, "stags": &c.STags, "ird": &c.IRD, "ord": &c.ORD, "receive_depth": &c.ReceiveDepth,
		"send_depth": &c.SendDepth, "max_payload": &c.MaxPayload, "atomic_depth": &c.AtomicDepth,
	}
}

// bound is the range that the schema allows for a field of the configuration.
type bound struct {
	Type             string
	Minimum, Maximum *int
	Enum             []any
}

func schemaBounds(t *testing.T) map[string]bound {
	t.Helper()
	var s struct {
		Defs struct {
			Config struct{ Properties map[string]bound }
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(schema.Text, &s))
	return s.Defs.Config.Properties
}

// TestSchemaBounds: for every number of a configuration, the schema allows exactly what gen.Config.Check allows. The
// powers of two from 1 to 2^21, and their neighbours, detect any difference.
func TestSchemaBounds(t *testing.T) {
	numbers := 0
	for name, b := range schemaBounds(t) {
		if name == "seed" || b.Type != "integer" && name != "bus_bytes" {
			continue
		}
		numbers++
		c := least
		field := fieldsOf(&c)[name]
		require.NotNil(t, field, "%s: unknown field", name)
		least, most := 0, 0
		for n := 1; n <= 1<<21; n *= 2 {
			if *field = n; c.Check() == nil {
				if least == 0 {
					least = n
				}
				most = n
			}
		}
		if len(b.Enum) > 0 {
			assert.EqualValues(t, least, b.Enum[0], name)
			assert.EqualValues(t, most, b.Enum[len(b.Enum)-1], name)
			continue
		}
		require.NotNil(t, b.Minimum, name)
		require.NotNil(t, b.Maximum, name)
		assert.Equal(t, least, *b.Minimum, name)
		assert.Equal(t, most, *b.Maximum, name)
	}
	assert.Len(t, fieldsOf(&gen.Config{}), numbers)
}

// TestExtremes: with every field at its minimum or maximum, alone and all together, the file satisfies the schema and
// reads back unchanged. It contains no number that a JSON reader may round.
func TestExtremes(t *testing.T) {
	t.Parallel()
	bounds := schemaBounds(t)
	configs := map[string]gen.Config{"least": least, "most": least}
	most := configs["most"]
	for name, field := range fieldsOf(&most) {
		if *field = 128; name != "bus_bytes" {
			*field = *bounds[name].Maximum
		}
		c := least
		*fieldsOf(&c)[name] = *field
		configs[name] = c
	}
	configs["most"] = most
	for name, c := range configs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, c.Check())
			var list []cases.Case
			for i, one := range cases.All(c) {
				if i%4 == 0 && c.Streams <= 64 && c.STags <= 1024 && !testing.Short() || i%32 == 0 { // a model with 16,384 streams is slow
					list = append(list, one)
				}
			}
			s, err := suiteOf(c, 1<<64-1, list)
			require.NoError(t, err)
			text, err := encode(s)
			require.NoError(t, err)
			read, err := decode(text)
			require.NoError(t, err)
			again, err := encode(read)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(text, again))
			assert.Equal(t, uint64(1<<64-1), read.Config.Seed)
			exactNumbers(t, text)
		})
	}
}

// exactNumbers looks for numbers of 2^53 and above.
func exactNumbers(t *testing.T, text []byte) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return
		}
		if n, is := token.(json.Number); is {
			v, err := strconv.ParseUint(n.String(), 10, 64)
			if err != nil || v >= 1<<53 {
				assert.Fail(t, fmt.Sprintf("%s is a number that JSON readers round; allowed: below 2^53", n))
				return
			}
		}
	}
}
