package tui

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestTexts finds words that are missing in a language.
func TestTexts(t *testing.T) {
	for lang, tx := range texts {
		missing(t, lang, reflect.ValueOf(*tx))
	}
	for _, verb := range []string{"%d", "%s", "%v"} {
		e, z := reflect.ValueOf(english), reflect.ValueOf(chinese)
		for i := range e.NumField() {
			if e.Field(i).Kind() != reflect.String {
				continue
			}
			if n, m := strings.Count(e.Field(i).String(), verb), strings.Count(z.Field(i).String(), verb); n != m {
				t.Errorf("%s has %d %s in English and %d in Chinese", e.Type().Field(i).Name, n, verb, m)
			}
		}
	}
}

func missing(t *testing.T, where string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		if v.String() == "" {
			t.Errorf("%s: the text is missing", where)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			missing(t, where+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			missing(t, where, v.Index(i))
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			missing(t, where, v.MapIndex(k))
		}
	default:
	}
}

// TestKeysDocument compares docs/keys.md with the key map.
func TestKeysDocument(t *testing.T) {
	got := "# Keys\n\nGenerated from the key map of the program (`go test ./tui -run TestKeysDocument -update`).\n" +
		Keys("en") + "\n# 按键\n" + Keys("zh")
	path := filepath.Join("..", "docs", "keys.md")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || string(want) != got {
		t.Errorf("docs/keys.md is stale: go test ./tui -run TestKeysDocument -update (%v)", err)
	}
}

// TestKeysAreDistinct finds a key that two bindings want.
func TestKeysAreDistinct(t *testing.T) {
	seen := map[string]string{}
	for _, g := range newKeyMap(&english.keys).all() {
		for _, b := range g.keys {
			for _, k := range b.Keys() {
				if other, ok := seen[k]; ok {
					t.Errorf("%q means %q and %q", k, other, b.Help().Desc)
				}
				seen[k] = b.Help().Desc
			}
		}
	}
}
