package steps

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

// sources holds the very files this package is compiled from.
//
//go:embed *.go
var sources embed.FS

// Source returns the Go source of a step: its comment and its function, from
// the file named by its ID.
func Source(id string) (string, error) {
	name := id + ".go"
	src, err := sources.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("step %q has no source: %w", id, err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return "", fmt.Errorf("step %q: %w", id, err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
			from := fset.Position(f.Doc.Pos()).Offset
			to := fset.Position(f.End()).Offset
			return string(bytes.TrimSpace(src[from:to])), nil
		}
	}
	return "", fmt.Errorf("%s has no function", name)
}
