package annotations

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ibtour/steps"
	"ibtour/verbs"
)

// What the texts must explain is found in the source of the program: the
// verbs a step calls say in their comments which errnos they return, and so
// do the devices; reasons.go has a hint for those a learner is likely to meet.

// program is the parsed source of the steps, the verbs and the devices.
type program struct {
	steps   map[string]*ast.FuncDecl // by name
	verbs   map[string]*ast.FuncDecl // by Type.Method or name
	devices map[string][]*ast.FuncDecl
	fields  map[string]string // of steps.End: name to type of package verbs
}

func parseProgram(t *testing.T) *program {
	t.Helper()
	p := &program{
		steps: map[string]*ast.FuncDecl{}, verbs: map[string]*ast.FuncDecl{},
		devices: map[string][]*ast.FuncDecl{}, fields: map[string]string{},
	}
	eachDecl(t, "../steps", func(d ast.Decl) {
		if f, ok := d.(*ast.FuncDecl); ok {
			p.steps[f.Name.Name] = f
		}
		p.findEnd(d)
	})
	eachDecl(t, "../verbs", func(d ast.Decl) {
		if f, ok := d.(*ast.FuncDecl); ok {
			p.verbs[strings.TrimPrefix(receiver(f)+"."+f.Name.Name, ".")] = f
		}
	})
	for _, dir := range []string{"../verbs/softroce", "../verbs/libibverbs"} {
		eachDecl(t, dir, func(d ast.Decl) {
			if f, ok := d.(*ast.FuncDecl); ok {
				p.devices[f.Name.Name] = append(p.devices[f.Name.Name], f)
			}
		})
	}
	return p
}

func eachDecl(t *testing.T, dir string, visit func(ast.Decl)) {
	t.Helper()
	names, err := filepath.Glob(dir + "/*.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no source found (%v)", dir, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			visit(d)
		}
	}
}

func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	return typeName(f.Recv.List[0].Type)
}

// typeName returns CQ of *verbs.CQ.
func typeName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// findEnd notes the types of the fields of steps.End.
func (p *program) findEnd(d ast.Decl) {
	g, ok := d.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, s := range g.Specs {
		ts, ok := s.(*ast.TypeSpec)
		if !ok || ts.Name.Name != "End" {
			continue
		}
		for _, f := range ts.Type.(*ast.StructType).Fields.List {
			for _, n := range f.Names {
				p.fields[n.Name] = typeName(f.Type)
			}
		}
	}
}

// returns collects what the function of a step can return: errnos, and the
// verbs it calls.
type returns struct {
	errnos []string
	calls  []string // Type.Method of package verbs
	seen   map[*ast.FuncDecl]bool
}

func (p *program) returnsOf(s *steps.Step) *returns {
	name := runtime.FuncForPC(reflect.ValueOf(s.Do).Pointer()).Name()
	r := &returns{seen: map[*ast.FuncDecl]bool{}}
	p.visit(r, p.steps[name[strings.LastIndexByte(name, '.')+1:]])
	slices.Sort(r.errnos)
	r.errnos = slices.Compact(r.errnos)
	return r
}

func (p *program) visit(r *returns, f *ast.FuncDecl) {
	if f == nil || r.seen[f] {
		return
	}
	r.seen[f] = true
	r.addComment(f)
	if f.Body == nil {
		return
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.CallExpr:
			p.call(r, x)
		case *ast.SelectorExpr:
			if pkg, ok := x.X.(*ast.Ident); ok && pkg.Name == "syscall" {
				r.add(x.Sel.Name)
			}
		}
		return true
	})
}

// call follows a call into a helper of the steps, into a verb, and from there
// into both devices.
func (p *program) call(r *returns, c *ast.CallExpr) {
	switch fun := c.Fun.(type) {
	case *ast.Ident:
		p.visit(r, p.steps[fun.Name])
	case *ast.SelectorExpr:
		switch x := fun.X.(type) {
		case *ast.Ident:
			if x.Name == "verbs" {
				p.verb(r, fun.Sel.Name)
			} else if x.Name == "e" {
				p.visit(r, p.steps[fun.Sel.Name])
			} else if fun.Sel.Name == "ReqNotify" {
				p.verb(r, "CQ.ReqNotify")
			}
		case *ast.SelectorExpr:
			p.verb(r, p.fields[x.Sel.Name]+"."+fun.Sel.Name)
		}
	}
}

func (p *program) verb(r *returns, name string) {
	f := p.verbs[name]
	if f == nil || r.seen[f] {
		return
	}
	r.seen[f] = true
	r.calls = append(r.calls, name)
	r.addComment(f)
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if dc, ok := s.X.(*ast.SelectorExpr); ok && dc.Sel.Name == "dc" {
				for _, d := range p.devices[s.Sel.Name] {
					r.addComment(d)
				}
			}
		}
		return true
	})
}

var errnoWord = regexp.MustCompile(`\bE[A-Z0-9]{2,}\b`)

func (r *returns) addComment(f *ast.FuncDecl) {
	for _, w := range errnoWord.FindAllString(f.Doc.Text(), -1) {
		r.add(w)
	}
}

func (r *returns) add(name string) {
	if _, ok := errnoNumbers()[name]; ok {
		r.errnos = append(r.errnos, name)
	}
}

// errnoNumbers returns the errnos of this system by name.
func errnoNumbers() map[string]string {
	m := map[string]string{}
	for n := 1; n < 134; n++ {
		if name := verbs.ErrnoName(verbs.Errno(n)); !strings.HasPrefix(name, "errno") {
			m[name] = fmt.Sprint(n)
		}
	}
	return m
}

// statusesInSource returns the completion statuses the embedded device gives.
func statusesInSource(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	names, _ := filepath.Glob("../verbs/softroce/*.go")
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range regexp.MustCompile(`verbs\.WC\w+Err\b`).FindAllString(string(src), -1) {
			used[strings.TrimPrefix(w, "verbs.")] = true
		}
	}
	return used
}
