package gen_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
)

func named(files []outdir.File) (names []string, text map[string]string) {
	text = map[string]string{}
	for _, f := range files {
		names = append(names, f.Name)
		text[f.Name] = string(f.Data)
	}
	return names, text
}

// Both lists name every Verilog file, a module behind those that it uses, and the core says which is the top.
func TestGenerateListsItsFiles(t *testing.T) {
	files, err := gen.Generate(gen.DefaultAtomics())
	require.NoError(t, err)
	names, text := named(files)
	rtl := names[:len(names)-2]
	assert.Equal(t, []string{
		"rtl/ddp_classify.v", "rtl/ddp_parser_64_64.v", "rtl/atomic_check_4096_64.v", "rtl/access_arbiter_4096_64.v",
		"rtl/atomic_alu.v", "rtl/atomic_window_4096_64_retire.v", "rtl/atomic_response_builder_64_64.v", "rtl/rnic_atomics.v",
	}, rtl)
	assert.Equal(t, []string{"rnic.f", "rnic.core"}, names[len(rtl):])
	assert.Equal(t, strings.Join(rtl, "\n")+"\n", text["rnic.f"])

	var core struct {
		Name     string
		Filesets map[string]struct {
			FileType string `yaml:"file_type"`
			Files    []string
		}
		Targets map[string]struct {
			Filesets []string
			Toplevel string
		}
	}
	first, rest, _ := strings.Cut(text["rnic.core"], "\n")
	assert.Equal(t, "CAPI=2:", first)
	require.NoError(t, yaml.Unmarshal([]byte(rest), &core))
	assert.Equal(t, "::rnic:"+gen.Version, core.Name)
	assert.Equal(t, rtl, core.Filesets["rtl"].Files)
	assert.Equal(t, "verilogSource-2005", core.Filesets["rtl"].FileType)
	for _, target := range []string{"default", "lint"} {
		assert.Equal(t, "rnic_atomics", core.Targets[target].Toplevel)
		assert.Equal(t, []string{"rtl"}, core.Targets[target].Filesets)
	}
}

// Every file holds the one module that it is named after, and no file names the machine that made it.
func TestGenerateOneModuleAFile(t *testing.T) {
	for _, c := range goldens() {
		files, err := gen.Generate(c)
		require.NoError(t, err)
		for _, f := range files {
			text := string(f.Data)
			assert.NotContains(t, text, "/home", f.Name)
			assert.NotContains(t, text, "/tmp", f.Name)
			assert.NotContains(t, text, ".go:", f.Name)
			if path.Ext(f.Name) == ".v" {
				module := strings.TrimSuffix(path.Base(f.Name), ".v")
				assert.Equal(t, 1, strings.Count(text, "\nmodule "), f.Name)
				assert.Contains(t, text, "\nmodule "+module+" (", f.Name)
			}
		}
	}
}

// The smallest and the largest of everything that a configuration may ask for can be generated.
func TestGenerateAtTheLimits(t *testing.T) {
	for _, bus := range gen.BusWidths {
		for _, streams := range []int{2, 16384} {
			for _, words := range []int{2, 1 << 20} {
				for _, draft00 := range []bool{false, true} {
					c := gen.Config{Top: gen.TopAtomics, Profile: "rdmap", BusBytes: bus, Streams: streams, WindowWords: words, RetirePort: !draft00}
					if draft00 {
						c.Extensions = []string{"draft00"}
					}
					_, err := gen.Generate(c)
					require.NoError(t, err, "%+v", c)
				}
			}
		}
	}
}

func TestGenerateRNICAtTheLimits(t *testing.T) {
	for _, bus := range gen.BusWidths {
		for most := range 2 {
			c := gen.Config{Top: gen.TopRNIC, Profile: "rdmap", BusBytes: bus, Streams: 2, STags: 16, IRD: 1, ORD: 2, ReceiveDepth: 2, SendDepth: 2,
				MaxPayload: 256, AtomicDepth: 4}
			if most == 1 {
				c = gen.Config{Top: gen.TopRNIC, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: bus, Streams: 16384, RetirePort: true, STags: 65536,
					IRD: 64, ORD: 64, ReceiveDepth: 1024, SendDepth: 1024, MaxPayload: 16384, AtomicDepth: 4096}
			}
			_, err := gen.Generate(c)
			require.NoError(t, err, "%+v", c)
		}
	}
}

// Modules of different configurations with one name are one and the same, so that two generated designs go into one
// simulation. The tops are the exception: there is one in a design.
func TestGenerateNamesSayWhatDiffers(t *testing.T) {
	seen := map[string]string{}
	for _, bus := range []int{8, 64} {
		for _, streams := range []int{2, 64} {
			for _, words := range []int{2, 64} {
				for option := range 4 {
					c := gen.Config{Top: gen.TopAtomics, Profile: "rdmap", BusBytes: bus, Streams: streams, WindowWords: words, RetirePort: option&1 == 1}
					if option&2 == 2 {
						c.Extensions = []string{"draft00"}
					}
					files, err := gen.Generate(c)
					require.NoError(t, err)
					_, text := named(files)
					for name, now := range text {
						if before, known := seen[name]; known && strings.HasPrefix(name, "rtl/") && name != "rtl/rnic_atomics.v" {
							assert.Equal(t, before, now, name)
						}
						seen[name] = now
					}
				}
			}
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	c := gen.DefaultAtomics()
	c.BusBytes, c.Streams = 24, 1
	files, err := gen.Generate(c)
	assert.Empty(t, files)
	var field *gen.FieldError
	require.ErrorAs(t, err, &field)
	assert.Equal(t, gen.FieldError{Field: "bus_bytes", Value: 24, Allowed: "8, 16, 32, 64 or 128"}, *field)
	assert.Equal(t, fmt.Sprint(c.Check()), err.Error())
}
