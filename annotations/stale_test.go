package annotations

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "say that the Chinese texts are up to date with the English ones")

// TestStale makes sure that no Chinese text is older than the English one it
// was made from. The front matter of each has the hash of its source.
func TestStale(t *testing.T) {
	for name, source := range englishFiles(t) {
		file := Chinese + "/" + name
		translated, err := content.ReadFile(file)
		if err != nil {
			t.Errorf("annotations/%s is missing: translate annotations/en/%s", file, name)
			continue
		}
		want := hashOf(source)
		meta, body, err := splitFrontMatter(string(translated))
		if err != nil {
			t.Errorf("annotations/%s: %v", file, err)
			continue
		}
		switch {
		case meta["source"] == want:
		case *update:
			if err := os.WriteFile(file, []byte(fence+"source: "+want+"\n"+fence+body), 0o600); err != nil {
				t.Error(err)
			}
		default:
			t.Errorf("annotations/%s was made from another version of the English text: translate what changed "+
				"(git log -p annotations/en/%s), then run go test ./annotations -run TestStale -update", file, name)
		}
	}
}

func hashOf(source string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(source)))[:16] }

// englishFiles returns every English text by its name below en.
func englishFiles(t *testing.T) map[string]string {
	t.Helper()
	return filesOf(t, English)
}

func filesOf(t *testing.T, lang string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, dir := range []string{lang, lang + "/concepts"} {
		entries, err := content.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.IsDir() {
				continue
			}
			b, err := content.ReadFile(dir + "/" + e.Name())
			if err != nil {
				t.Fatal(err)
			}
			files[strings.TrimPrefix(dir+"/"+e.Name(), lang+"/")] = string(b)
		}
	}
	return files
}
