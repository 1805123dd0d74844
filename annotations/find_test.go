package annotations

import (
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		word string
		want string // kind:id of the first hit
	}{
		{"ibv_reg_mr", "step:reg_mr"},
		{"reg_mr", "step:reg_mr"},
		{"ibv_modify_qp()", "step:qp_init"},
		{"ibv_query_gid", "step:query_gid"},
		{"mmap", "step:alloc_buffer"},
		{"EINVAL", "concept:errnos"},
		{"enotsup", "concept:errnos"},
		{"12", "concept:completion-statuses"},
		{"IBV_WC_RETRY_EXC_ERR", "concept:completion-statuses"},
		{"retry_exc_err", "concept:completion-statuses"},
		{"transport retry counter exceeded", "concept:completion-statuses"},
		{"Failed status transport retry counter exceeded (12) for wr_id 2", "concept:completion-statuses"},
		{"Failed to modify QP to RTR", "concept:gids"},
		{"psn", "term:psn"},
		{"Protection Domain", "term:pd"},
		{"保护域", "term:pd"},
		{"队列对", "term:qp"},
		{"queue pair", "term:qp"},
		{"why-rdma", "concept:why-rdma"},
		{"流量控制", "concept:flow-control"},
		{"Flow control in this program", "concept:flow-control"},
		{"LimitMEMLOCK", "concept:drivers-and-packages"},
	} {
		for _, lang := range Languages() {
			if c.word == "流量控制" && lang == English {
				continue // words that are no name are found in their own language
			}
			hits := mustLoad(t, lang).Find(c.word)
			if len(hits) == 0 {
				t.Errorf("%s: Find(%q) finds nothing", lang, c.word)
				continue
			}
			if got := string(hits[0].Kind) + ":" + hits[0].ID; got != c.want {
				t.Errorf("%s: Find(%q) finds %s first, want %s", lang, c.word, got, c.want)
			}
		}
	}
}

// TestFindNumber makes sure that a number finds the status and the errno.
func TestFindNumber(t *testing.T) {
	pages := map[string]bool{}
	for _, h := range mustLoad(t, English).Find("12") {
		pages[h.ID] = true
		if !strings.Contains(h.Excerpt, "(12)") {
			t.Errorf("hit in %s has excerpt %q, without (12)", h.ID, h.Excerpt)
		}
	}
	for _, id := range []string{"completion-statuses", "errnos", "poll_cq", "reg_mr"} {
		if !pages[id] {
			t.Errorf("12 is not found in %s", id)
		}
	}
}

func TestFindNothing(t *testing.T) {
	b := mustLoad(t, Chinese)
	for _, word := range []string{"", "  ", "zzyzx"} {
		if hits := b.Find(word); len(hits) > 0 {
			t.Errorf("Find(%q) = %v, want nothing", word, hits)
		}
	}
}

// TestHitsOpen makes sure that every name of the index leads to a page.
func TestHitsOpen(t *testing.T) {
	for _, lang := range Languages() {
		b := mustLoad(t, lang)
		for name, hits := range b.index {
			for _, h := range hits {
				if _, ok := b.Open(h.Kind, h.ID); !ok {
					t.Errorf("%s: %q leads to %s:%s, which is not there", lang, name, h.Kind, h.ID)
				}
			}
		}
	}
}
