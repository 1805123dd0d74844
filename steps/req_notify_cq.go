package steps

import "context"

// reqNotifyCQ arms the completion queue before anything can complete.
func reqNotifyCQ(_ context.Context, e *End) error {
	return e.CQ.ReqNotify(false)
}
