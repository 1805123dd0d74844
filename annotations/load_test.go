package annotations

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// copied returns the texts as files that a test can spoil.
func copied(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(content, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := content.ReadFile(path)
		files[path] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestLoadErrors spoils one text at a time: Load must refuse it, name the file
// and say what to do.
func TestLoadErrors(t *testing.T) {
	for _, c := range []struct {
		name, file, old, new string
		want                 string
	}{
		{"no title", "en/reg_mr.md", "# Register the memory", "Register the memory", "begin the page with its title"},
		{"second title", "en/reg_mr.md", "## In the kernel", "# In the kernel", "a page has one title"},
		{"section missing", "en/reg_mr.md", "## In the kernel\n", "", "section 2 must be ## In the kernel"},
		{"section too many", "zh/reg_mr.md", "\n## 另见", "\n## 另见\n\nx\n\n## 又见", "remove the section"},
		{"sections swapped", "en/accept.md", "## In user space", "## In the kernel", "section 1 must be ## In user space"},
		{"section empty", "en/accept.md", "Not involved.", "", "write the section"},
		{"core missing", "en/concepts/mtu.md", "# MTU\n", "# MTU\n\n## What is it\n", "write the core text"},
		{"link nowhere", "en/accept.md", "concept:exchange", "concept:exchanges", "leads nowhere"},
		{"link malformed", "en/accept.md", "(concept:exchange)", "(exchange)", "write it as [text](step:ID)"},
		{"link of unknown kind", "en/accept.md", "(concept:exchange)", "(page:exchange)", "leads nowhere"},
		{"link without text", "en/accept.md", "[The address exchange]", "[]", "between the brackets"},
		{"value malformed", "en/reg_mr.md", "{{mr.lkey}}", "{{mr lkey}}", "is no live value"},
		{"front matter open", "en/reg_mr.md", "calls: ibv_reg_mr\n---", "calls: ibv_reg_mr", "end the front matter"},
		{"front matter malformed", "en/reg_mr.md", "calls: ibv_reg_mr", "ibv_reg_mr", "is not key: value"},
		{"term twice", "en/glossary.md", "## verbs: verbs", "## rdma: verbs", "two entries"},
		{"term malformed", "en/glossary.md", "## verbs: verbs", "## verbs", "write it as ## id: name"},
		{"term link", "zh/glossary.md", "(term:rdma-write)", "(term:rdma-writes)", "leads nowhere"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := copied(t)
			text := string(files[c.file].Data)
			if !strings.Contains(text, c.old) {
				t.Fatalf("%s has no %q to spoil: adapt the test", c.file, c.old)
			}
			files[c.file].Data = []byte(strings.Replace(text, c.old, c.new, 1))
			_, err := load(files, English)
			if err == nil {
				t.Fatal("Load accepts it")
			}
			for _, want := range []string{c.file, c.want} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not say %q: %v", want, err)
				}
			}
		})
	}
}

func TestLoadMissing(t *testing.T) {
	files := copied(t)
	delete(files, "zh/concepts/mtu.md")
	if _, err := load(files, English); err == nil || !strings.Contains(err.Error(), "zh/concepts/mtu.md") {
		t.Errorf("Load with a page missing: %v", err)
	}
	if _, err := Load("fr"); err == nil {
		t.Error("Load(fr) succeeds")
	}
}

func TestPlain(t *testing.T) {
	got := Plain("See **the** [memory region](term:mr) and `ibv_reg_mr`.")
	if want := "See the memory region and ibv_reg_mr."; got != want {
		t.Errorf("Plain returns %q, want %q", got, want)
	}
}

func TestFill(t *testing.T) {
	p := Page{Core: "QP {{qp.num}}, key {{mr.lkey}}", Sections: []Section{{Markdown: "{{qp.num}}"}}}
	q := p.Fill(func(name string) (string, bool) { return "0x11", name == "qp.num" })
	if want := "QP 0x11, key ‹mr.lkey›"; q.Core != want {
		t.Errorf("core is %q, want %q", q.Core, want)
	}
	if q.Sections[0].Markdown != "0x11" {
		t.Errorf("section is %q", q.Sections[0].Markdown)
	}
	if p.Sections[0].Markdown != "{{qp.num}}" {
		t.Error("Fill changed the page it was called on")
	}
	if b := p.Blank(); b.Core != "QP ‹qp.num›, key ‹mr.lkey›" {
		t.Errorf("the core of a blank page is %q", b.Core)
	}
}

func TestWithin(t *testing.T) {
	p := Page{Core: "A domain of {{kernel.pds}}.\n\nLook at {{kernel.pds}} and {{qp.num}}."}
	if q := p.Within(func(name string) bool { return name == "qp.num" }); q.Core != "A domain of {{kernel.pds}}." || q.Look() != "" {
		t.Errorf("without its value, the core is %q", q.Core)
	}
	q := p.Within(func(string) bool { return true })
	if q.Core != p.Core || q.Explanation() != "A domain of {{kernel.pds}}." || q.Look() != "Look at {{kernel.pds}} and {{qp.num}}." {
		t.Errorf("with its values, the core is %q and %q", q.Explanation(), q.Look())
	}
}
