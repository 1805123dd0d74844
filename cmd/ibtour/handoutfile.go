package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// target is the file a document is written to.
type target struct {
	path string
	html bool
	perm fs.FileMode // of the file that was there
}

// newTarget looks at the name of a file before anything is done; nil for none,
// which is standard output.
func (a *app) newTarget(path string) (*target, error) {
	if path == "" {
		return nil, nil
	}
	t := &target{path: path, perm: 0o666}
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".md":
	case ".html":
		t.html = true
	default:
		return nil, a.say().outputName.Err(path)
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, a.say().outputFolder.Err(path, dir)
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("-o: %w", err)
	case !info.Mode().IsRegular():
		return nil, a.say().outputSpecial.Err(path)
	default:
		t.perm = info.Mode().Perm()
	}
	return t, nil
}

// write puts the text in place at once: a reader sees the old file or the new
// one, and nothing is left of a file that could not be finished.
func (t *target) write(text string) error {
	temp := filepath.Join(filepath.Dir(t.path), fmt.Sprintf(".%s.%08x", filepath.Base(t.path), rand.Uint32()))
	err := writeNew(temp, text, t.perm)
	if err == nil {
		err = os.Rename(temp, t.path)
	}
	if err != nil {
		_ = os.Remove(temp) // there may be none
		return fmt.Errorf("-o %s: %w", t.path, err)
	}
	return nil
}

func writeNew(path, text string, perm fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}
