// Package schema holds the JSON schema of vector files. It documents the format for other programs, and is the first
// check of a file.
package schema

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

//go:embed rnic_vectors_v3.schema.json
var raw []byte

// Text is the schema: the file, with "WORK" replaced by the opcodes of work requests from the table of operations.
var Text = bytes.Replace(raw, []byte(`"WORK"`), workOpcodes(), 1)

func workOpcodes() []byte {
	var list []string
	for _, o := range spec.AllExtensions.All(spec.Write | spec.Requests | spec.Receives) {
		list = append(list, strconv.Itoa(int(o)))
	}
	return []byte("[" + strings.Join(list, ", ") + "]")
}

// Validate checks a file against the schema. The error names the place, the fault of the value, and what is allowed.
var Validate = New(suite.Schema, Text)

// New returns the check of files against a schema with a name.
func New(name string, text []byte) func(file []byte) error {
	compiled := sync.OnceValues(func() (*jsonschema.Schema, error) { return compile(name, text) })
	return func(file []byte) error {
		s, err := compiled()
		if err != nil {
			return err
		}
		return validate(s, file)
	}
}

func compile(name string, text []byte) (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, document); err != nil {
		return nil, err
	}
	return c.Compile(name)
}

func validate(s *jsonschema.Schema, text []byte) error {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("invalid JSON: %w", err)
	}
	err = s.Validate(document)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	for len(invalid.Causes) > 0 {
		invalid = invalid.Causes[0]
	}
	return fmt.Errorf("/%s: %s", strings.Join(invalid.InstanceLocation, "/"),
		invalid.ErrorKind.LocalizedString(message.NewPrinter(language.English)))
}
