//go:build !(freebsd || openbsd || dragonfly)

package verbs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
)

// These tests ask soft0, and know ENODATA: not every system has them.

func soft() verbs.Driver { return softroce.New(softroce.Options{}) }

// An object with children refuses to close and names them.
func TestBusyNamesTheChildren(t *testing.T) {
	o := build(t, soft(), nil)
	for _, c := range []struct {
		name  string
		close func() error
		says  []string
	}{
		{"ibv_destroy_comp_channel", o.ch.Close, []string{"still in use by " + o.cq.String()}},
		{"ibv_destroy_cq", o.cq.Close, []string{"still in use by " + o.qp.String()}},
		{"ibv_dealloc_pd", o.pd.Close, []string{"still in use by " + o.mr.String() + ", " + o.qp.String()}},
	} {
		err := c.close()
		if !errors.Is(err, syscall.EBUSY) {
			t.Errorf("%s gives %v", c.name, err)
			continue
		}
		for _, s := range append(c.says, c.name, "EBUSY") {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%q does not say %q", err, s)
			}
		}
	}
	var busy *verbs.BusyError
	want := []string{o.ch.String(), o.cq.String(), "PD", o.mr.String(), o.qp.String()}
	if err := o.ctx.Close(); !errors.As(err, &busy) || !slices.Equal(busy.Children, want) || !errors.Is(err, syscall.EBUSY) {
		t.Errorf("closing the context gives %v, want %q", err, want)
	}
	if !slices.Equal(o.ctx.Objects(), want) {
		t.Errorf("the objects are %q, want %q", o.ctx.Objects(), want)
	}
}

// Waiting ends with the context, and gives its cause.
func TestWaitingEndsWithTheContext(t *testing.T) {
	o := build(t, soft(), nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errLater)
	if _, err := o.ch.GetEvent(ctx); !errors.Is(err, errLater) {
		t.Errorf("GetEvent gives %v", err)
	}
	if _, err := o.ctx.GetAsyncEvent(ctx); !errors.Is(err, errLater) {
		t.Errorf("GetAsyncEvent gives %v", err)
	}
}

// An empty entry of the GID table is passed over; any other error is told.
func TestPeekGIDs(t *testing.T) {
	f := &fake{fail: map[string]error{"QueryGID 1": syscall.ENODATA}}
	list, err := verbs.GetDeviceList(f, nil)
	must(t, err)
	c, err := list.Open("")
	must(t, err)
	// Entry 0 is zero, entry 1 empty, entry 2 in use.
	if g, err := c.PeekGIDs(1); err != nil || len(g) != 1 || g[0].Index != 2 {
		t.Errorf("the table is %+v, %v", g, err)
	}
	f.fail["QueryGID 2"] = syscall.EIO
	if _, err := c.PeekGIDs(1); !errors.Is(err, syscall.EIO) {
		t.Errorf("an error in the table gives %v", err)
	}
	must(t, c.Close())
}
