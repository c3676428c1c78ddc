package outdir_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/outdir"
)

var (
	manifest = outdir.Manifest{Generator: "rnicgen 1", Kind: "rtl", Config: map[string]int{"bus_bytes": 8}}
	first    = []outdir.File{{Name: "rtl/b.v", Data: []byte("bee\n")}, {Name: "a.f", Data: []byte("rtl/b.v\n")}}
	second   = []outdir.File{{Name: "rtl/c.v", Data: []byte("sea\n")}}
)

// tree lists the files below a directory with their text; directories end in a slash.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		name, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		if d.IsDir() {
			files[filepath.ToSlash(name)+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	}))
	return files
}

// The sums are those of `printf 'rtl/b.v\n' | sha256sum` and `printf 'bee\n' | sha256sum`.
const firstManifest = `{
  "generator": "rnicgen 1",
  "kind": "rtl",
  "config": {
    "bus_bytes": 8
  },
  "files": [
    {
      "name": "a.f",
      "bytes": 8,
      "sha256": "d1934c54cdeb6adcfaf40ec2877595465dc817f4c3256a7cc1f55cbeac466799"
    },
    {
      "name": "rtl/b.v",
      "bytes": 4,
      "sha256": "c150e5a8a604acebd8d15bd7bf8ea96b2874bdcc91dee6319977d353251283b0"
    }
  ]
}
`

func TestWriteAndVerify(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "new", "out")
	require.NoError(t, outdir.Write(dir, manifest, first))
	assert.Equal(t, map[string]string{
		"./": "", "new/": "", "new/out/": "", "new/out/rtl/": "",
		"new/out/rtl/b.v": "bee\n", "new/out/a.f": "rtl/b.v\n", "new/out/manifest.json": firstManifest,
	}, tree(t, parent), "nothing but the directory is there")

	m, err := outdir.Verify(dir)
	require.NoError(t, err)
	assert.Equal(t, "rnicgen 1", m.Generator)
	assert.Len(t, m.Files, 2)

	info, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o755), info.Mode().Perm(), "others may read it")
}

func TestWriteTakesWhatIsItsOwn(t *testing.T) {
	for _, row := range []struct {
		says    string
		prepare func(dir string) error
	}{
		{"nothing there", func(string) error { return nil }},
		{"an empty directory", func(dir string) error { return os.Mkdir(dir, 0o755) }},
		{"an earlier output", func(dir string) error { return outdir.Write(dir, manifest, first) }},
		{"an earlier output with a file changed", func(dir string) error {
			if err := outdir.Write(dir, manifest, first); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "a.f"), []byte("edited"), 0o644)
		}},
		{"an earlier output with a file removed", func(dir string) error {
			if err := outdir.Write(dir, manifest, first); err != nil {
				return err
			}
			return os.Remove(filepath.Join(dir, "rtl", "b.v"))
		}},
	} {
		t.Run(row.says, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "out")
			require.NoError(t, row.prepare(dir))
			require.NoError(t, outdir.Write(dir, manifest, second))
			names := []string{}
			for name := range tree(t, parent) {
				names = append(names, name)
			}
			assert.ElementsMatch(t, []string{"./", "out/", "out/rtl/", "out/rtl/c.v", "out/manifest.json"}, names)
			_, err := outdir.Verify(dir)
			assert.NoError(t, err)
		})
	}
}

// What is somebody else's stays as it is, to the last octet.
func TestWriteRefusesWhatIsNot(t *testing.T) {
	const allowed = "allowed: a new directory, an empty one, or one that rnicgen wrote"
	for _, row := range []struct {
		says    string
		prepare func(dir string) error
		err     string // after the directory's name
	}{
		{"a file", func(dir string) error { return os.WriteFile(dir, []byte("mine"), 0o644) }, ": a file is there; " + allowed},
		{"a directory of the user's", func(dir string) error {
			return errors(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("mine"), 0o644))
		}, ": notes.txt in it is not from rnicgen; " + allowed},
		{"a file of the user's in a directory of ours", func(dir string) error {
			return errors(outdir.Write(dir, manifest, first), os.WriteFile(filepath.Join(dir, "rtl", "mine.v"), []byte("mine"), 0o644))
		}, ": rtl/mine.v in it is not from rnicgen; " + allowed},
		{"an empty directory of the user's in a directory of ours", func(dir string) error {
			return errors(outdir.Write(dir, manifest, first), os.Mkdir(filepath.Join(dir, "mine"), 0o755))
		}, ": mine in it is not from rnicgen; " + allowed},
		{"a manifest that cannot be read lists nothing", func(dir string) error {
			return errors(outdir.Write(dir, manifest, first), os.WriteFile(filepath.Join(dir, "manifest.json"), []byte("{"), 0o644))
		}, ": a.f in it is not from rnicgen; " + allowed},
	} {
		t.Run(row.says, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "out")
			require.NoError(t, row.prepare(dir))
			before := tree(t, parent)
			err := outdir.Write(dir, manifest, second)
			assert.EqualError(t, err, "output directory "+dir+row.err)
			assert.Equal(t, before, tree(t, parent), "nothing was changed, nothing was left behind")
		})
	}
}

func errors(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// Whole or not at all: a file that cannot be written leaves neither half a directory nor a change of the old one.
func TestWriteFailsWhole(t *testing.T) {
	bad := append([]outdir.File{{Name: "rtl/b.v/inside_a_file.v", Data: []byte("no")}}, second...)
	for _, had := range []bool{false, true} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "out")
		if had {
			require.NoError(t, outdir.Write(dir, manifest, first))
		}
		before := tree(t, parent)
		assert.Error(t, outdir.Write(dir, manifest, append(first[:1:1], bad...)))
		assert.Equal(t, before, tree(t, parent))
	}
}

// A parent that takes no directory is named. It is a file here, as root may write everywhere else.
func TestWriteBelowAFile(t *testing.T) {
	parent := t.TempDir()
	file := filepath.Join(parent, "file")
	require.NoError(t, os.WriteFile(file, []byte("mine"), 0o644))
	for _, dir := range []string{filepath.Join(file, "out"), filepath.Join(file, "deep", "out")} {
		err := outdir.Write(dir, manifest, first)
		assert.ErrorContains(t, err, "output directory "+dir+": ")
		assert.ErrorContains(t, err, "not a directory")
	}
	assert.Equal(t, map[string]string{"./": "", "file": "mine"}, tree(t, parent))

	err := outdir.Write("/proc/rnicgen/out", manifest, first)
	assert.ErrorContains(t, err, "output directory /proc/rnicgen/out: ")
	err = outdir.Write("/proc/rnicgen", manifest, first)
	assert.ErrorContains(t, err, "output directory /proc/rnicgen: its parent cannot be written: ")
}

func TestVerifyFindsWhatChanged(t *testing.T) {
	for _, row := range []struct {
		says  string
		spoil func(dir string) error
		err   string
	}{
		{"a file changed", func(dir string) error { return os.WriteFile(filepath.Join(dir, "rtl", "b.v"), []byte("bea\n"), 0o644) },
			"rtl/b.v differs from its sha256 in manifest.json"},
		{"a file cut short", func(dir string) error { return os.Truncate(filepath.Join(dir, "a.f"), 0) },
			"a.f differs from its sha256 in manifest.json"},
		{"a file missing", func(dir string) error { return os.Remove(filepath.Join(dir, "rtl", "b.v")) },
			"no such file"},
		{"no manifest", func(dir string) error { return os.Remove(filepath.Join(dir, "manifest.json")) },
			"manifest.json: no such file"},
		{"a manifest that is no JSON", func(dir string) error { return os.WriteFile(filepath.Join(dir, "manifest.json"), []byte("{"), 0o644) },
			"manifest.json: unexpected end of JSON input"},
		{"a manifest that leads out", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(`{"files":[{"name":"../secret"}]}`), 0o644)
		}, `"../secret" leads out of the directory`},
	} {
		t.Run(row.says, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			require.NoError(t, outdir.Write(dir, manifest, first))
			require.NoError(t, row.spoil(dir))
			_, err := outdir.Verify(dir)
			assert.ErrorContains(t, err, row.err)
		})
	}
}

// The manifest lists files by name, whatever their order was, so that equal outputs have equal manifests.
func TestManifestIsSorted(t *testing.T) {
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	require.NoError(t, outdir.Write(a, manifest, first))
	require.NoError(t, outdir.Write(b, manifest, []outdir.File{first[1], first[0]}))
	assert.Equal(t, tree(t, a), tree(t, b))
}
