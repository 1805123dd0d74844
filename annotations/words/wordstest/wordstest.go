// Package wordstest finds words that are missing in a language, and sentences
// that are given the wrong values.
package wordstest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ibtour/annotations/words"
)

// Compare compares the words of two languages, two structs of one type: none
// is missing, and a sentence has the same values in both.
func Compare(t *testing.T, english, chinese any) {
	t.Helper()
	compare(t, reflect.TypeOf(english).Name(), reflect.ValueOf(english), reflect.ValueOf(chinese))
}

func compare(t *testing.T, name string, en, zh reflect.Value) {
	t.Helper()
	switch en.Kind() {
	case reflect.String:
		e, z := en.String(), zh.String()
		if e == "" || z == "" {
			t.Errorf("%s is %q in English and %q in Chinese", name, e, z)
		}
		for fault, do := range faults {
			if at := fault.FindString(verb.ReplaceAllString(z, "0")); at != "" {
				t.Errorf("%s, %q in %q: %s", name, at, z, do)
			}
		}
		if ev, zv := verbsOf(e), verbsOf(z); en.Type() == reflect.TypeFor[words.Format]() && !maps.Equal(ev, zv) {
			t.Errorf("%s has the values %v in English and %v in Chinese", name, ev, zv)
		}
	case reflect.Struct:
		for i := range en.NumField() {
			compare(t, name+"."+en.Type().Field(i).Name, en.Field(i), zh.Field(i))
		}
	case reflect.Array:
		for i := range en.Len() {
			compare(t, name+"["+strconv.Itoa(i)+"]", en.Index(i), zh.Index(i))
		}
	case reflect.Map:
		if en.Len() != zh.Len() {
			t.Errorf("%s has %d entries in English and %d in Chinese", name, en.Len(), zh.Len())
		}
		for _, k := range en.MapKeys() {
			if !zh.MapIndex(k).IsValid() {
				t.Errorf("%s[%v] is missing in Chinese", name, k)
				continue
			}
			compare(t, name, en.MapIndex(k), zh.MapIndex(k))
		}
	default:
		t.Errorf("%s is a %v: words are text", name, en.Kind())
	}
}

// faults are faults of form in Chinese, with what to do.
var faults = map[*regexp.Regexp]string{
	regexp.MustCompile(`\p{Han}[,;:?!]|[,;?!]\p{Han}`):          "use full-width punctuation between Chinese characters",
	regexp.MustCompile(`\p{Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Han}`): "write a blank between Chinese characters and Latin letters or digits",
	regexp.MustCompile(`[，。；：、？！（]\x20|\x20[，。；：、？！（）]`):        "no blank beside full-width punctuation",
}

// verb is one place of a value: its flags, and the number of the value if it
// is not the next one.
var verb = regexp.MustCompile(`%[-+# 0]*[0-9.]*(?:\[(\d+)\])?[-+# 0]*[0-9.]*([a-zA-Z%])`)

// verbsOf returns the verb of each value of a sentence, by its number.
func verbsOf(format string) map[int]string {
	verbs, next := map[int]string{}, 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1])
		}
		verbs[next] = m[2]
		next++
	}
	return verbs
}

// Used looks through the Go files of the folder a test runs in: all words are
// used, and every sentence is given as many values as it has.
func Used(t *testing.T, english any) {
	t.Helper()
	u := uses{t: t, formats: map[string]words.Format{}, missing: map[string]bool{}}
	u.learn(reflect.ValueOf(english))
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, u.look)
	}
	for name := range u.missing {
		t.Errorf("no code uses the words %s", name)
	}
}

// uses are the words of a struct as the code uses them.
type uses struct {
	t       *testing.T
	formats map[string]words.Format
	missing map[string]bool // words that were not found in the code yet
}

func (u *uses) learn(v reflect.Value) {
	for i := range v.NumField() {
		name, f := v.Type().Field(i).Name, v.Field(i)
		u.missing[name] = true
		switch {
		case f.Kind() == reflect.Struct:
			u.learn(f)
		case f.Type() == reflect.TypeFor[words.Format]():
			u.formats[name] = words.Format(f.String())
		}
	}
}

// look sees x.name, and x.name.With(values) or x.name.Err(values).
func (u *uses) look(n ast.Node) bool {
	if s, ok := n.(*ast.SelectorExpr); ok {
		delete(u.missing, s.Sel.Name)
	}
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return true
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || (method.Sel.Name != "With" && method.Sel.Name != "Err") {
		return true
	}
	if field, ok := method.X.(*ast.SelectorExpr); ok {
		name := field.Sel.Name
		if f, ok := u.formats[name]; ok && len(verbsOf(string(f))) != len(call.Args) {
			u.t.Errorf("%s has %d values and is given %d", name, len(verbsOf(string(f))), len(call.Args))
		}
	}
	return true
}
