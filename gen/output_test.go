package gen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
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

// Both lists name every Verilog file, each module after those that it instantiates, and the core file names the top.
func TestGenerateListsItsFiles(t *testing.T) {
	files, err := gen.Generate(gen.Default())
	require.NoError(t, err)
	names, text := named(files)
	rtl := names[:len(names)-2]
	design, err := gen.Compile(gen.Default())
	require.NoError(t, err)
	var modules []string
	for _, m := range design.Modules() {
		if name := "rtl/" + m.Top() + ".v"; !slices.Contains(modules, name) {
			modules = append(modules, name)
		}
	}
	assert.Equal(t, modules, rtl)
	assert.LessOrEqual(t, len(rtl), 30+len(gen.Default().Engine().Profile.Executors(gen.Default().Engine())), "blocks besides executors")
	assert.Equal(t, "rtl/rnic.v", rtl[len(rtl)-1])
	for i, name := range rtl {
		for _, behind := range rtl[i+1:] {
			module := strings.TrimSuffix(path.Base(behind), ".v")
			assert.NotRegexp(t, "\n    "+module+" (#|[a-z_]+ \\()", text[name], "%s instantiates a module listed after it", name)
		}
	}
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
	assert.Equal(t, "::rnic:"+engine.Version, core.Name)
	assert.Equal(t, rtl, core.Filesets["rtl"].Files)
	assert.Equal(t, "verilogSource-2005", core.Filesets["rtl"].FileType)
	for _, target := range []string{"default", "lint"} {
		assert.Equal(t, gen.Top, core.Targets[target].Toplevel)
		assert.Equal(t, []string{"rtl"}, core.Targets[target].Filesets)
	}
}

// Every file contains exactly the module that it is named after, and no file names the machine that generated it.
func TestGenerateOneModulePerFile(t *testing.T) {
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
				assert.Regexp(t, "\nmodule "+module+" #?\\(", text, f.Name)
			}
		}
	}
}

// No line of a generated file is longer than 120 columns.
func TestGenerateShortLines(t *testing.T) {
	commit := gen.Default()
	commit.Extensions = []string{"commit"}
	for _, c := range []gen.Config{gen.Default(), goldens()["narrow_draft00"], commit, gen.DefaultOf(gen.ProfileFalcon)} {
		files, err := gen.Generate(c)
		require.NoError(t, err)
		for _, f := range files {
			if path.Ext(f.Name) != ".v" {
				continue
			}
			for n, line := range strings.Split(string(f.Data), "\n") {
				assert.LessOrEqual(t, len(line), 120, "%s:%d", f.Name, n+1)
			}
		}
	}
}

// The smallest and the largest valid configurations can be generated.
func TestGenerateAtTheLimits(t *testing.T) {
	for _, bus := range block.BusWidths {
		for most := range 2 {
			c := gen.Config{Top: gen.Top, Profile: "rdmap", BusBytes: bus, Streams: 2, STags: 16, IRD: 1, ORD: 2, ReceiveDepth: 2, SendDepth: 2,
				MaxPayload: 256, AtomicDepth: 4}
			if most == 1 {
				c = gen.Config{Top: gen.Top, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: bus, Streams: 16384, RetirePort: true, STags: 65536,
					IRD: 1024, ORD: 1024, ReceiveDepth: 1024, SendDepth: 1024, MaxPayload: 16384, AtomicDepth: 4096}
			}
			_, err := gen.Generate(c)
			require.NoError(t, err, "%+v", c)
		}
	}
}

// Modules of the same name, with the same parameters, are identical in every configuration.
func TestEqualNamesAreEqualModules(t *testing.T) {
	seen := map[string]string{}
	for i := 0; i < 64; i += 9 { // bits of i select the values
		pick := func(bit, zero, one int) int { return zero + i>>bit&1*(one-zero) }
		c := gen.Config{Top: gen.Top, Profile: "rdmap", BusBytes: pick(0, 8, 64), Streams: pick(1, 2, 64), RetirePort: pick(2, 0, 1) == 1,
			STags: pick(3, 16, 1024), IRD: pick(4, 1, 8), ORD: pick(5, 2, 8), ReceiveDepth: pick(3, 4, 16), SendDepth: pick(4, 8, 2),
			MaxPayload: pick(5, 1024, 256), AtomicDepth: pick(1, 16, 4)}
		if pick(2, 0, 1)^pick(5, 0, 1) == 1 {
			c.Extensions = []string{"draft00"}
		}
		design, err := gen.Compile(c)
		require.NoError(t, err)
		for _, f := range design.Specialised() {
			if before, known := seen[f.Name]; known {
				require.Equal(t, before, f.Text, f.Name)
			}
			seen[f.Name] = f.Text
		}
	}
}

// Two different engines in one design: their prefixes keep all module names distinct.
func TestTwoEnginesInOneDesign(t *testing.T) {
	small, large := goldens()["default"], gen.Default()
	small.BusBytes, small.Streams, small.STags, small.RetirePort, small.ModulePrefix = 8, 4, 16, false, "left_"
	large.BusBytes, large.Streams, large.STags, large.RetirePort, large.ModulePrefix = 16, 2, 32, false, "right_"
	dir := t.TempDir()
	var names []string
	both := "module both (input wire clk, input wire rst);\n"
	for _, c := range []gen.Config{small, large} {
		files, err := gen.Generate(c)
		require.NoError(t, err)
		list, text := named(files)
		for _, name := range list[:len(list)-2] {
			assert.True(t, strings.HasPrefix(path.Base(name), c.ModulePrefix), name)
			assert.NotContains(t, names, path.Base(name))
			names = append(names, path.Base(name))
			require.NoError(t, os.WriteFile(filepath.Join(dir, path.Base(name)), []byte(text[name]), 0o644))
		}
		both += fmt.Sprintf("    %[1]s %[1]s (.clk(clk), .rst(rst));\n", c.TopModule())
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "both.v"), []byte(both+"endmodule\n"), 0o644))
	names = append(names, "both.v")
	for _, tool := range [][]string{
		append([]string{"verilator", "--lint-only", "-Wall", "-Wno-PINMISSING", "-Wno-DECLFILENAME", "--top-module", "both"}, names...),
		append([]string{"iverilog", "-g2005", "-s", "both", "-o", "both"}, names...),
		{"yosys", "-q", "-p", "read_verilog " + strings.Join(names, " ") + "; hierarchy -check -top both"},
	} {
		cmd := exec.Command(tool[0], tool[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", tool[0], out)
	}
}

func TestGenerateRefuses(t *testing.T) {
	c := gen.Default()
	c.BusBytes, c.Streams = 24, 1
	files, err := gen.Generate(c)
	assert.Empty(t, files)
	var field *gen.FieldError
	require.ErrorAs(t, err, &field)
	assert.Equal(t, gen.FieldError{Field: "bus_bytes", Value: 24, Allowed: "8, 16, 32, 64 or 128"}, *field)
	assert.Equal(t, fmt.Sprint(c.Check()), err.Error())
}
