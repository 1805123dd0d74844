package verbs

// wcStatusText holds the text of ibv_wc_status_str(3), to be found again in
// the logs of other programs.
var wcStatusText = [...]string{
	WCSuccess: "success", WCLocLenErr: "local length error", WCLocQPOpErr: "local QP operation error",
	WCLocEECOpErr: "local EE context operation error", WCLocProtErr: "local protection error",
	WCWRFlushErr: "Work Request Flushed Error", WCMWBindErr: "memory management operation error",
	WCBadRespErr: "bad response error", WCLocAccessErr: "local access error",
	WCRemInvReqErr: "remote invalid request error", WCRemAccessErr: "remote access error",
	WCRemOpErr: "remote operation error", WCRetryExcErr: "transport retry counter exceeded",
	WCRNRRetryExcErr: "RNR retry counter exceeded", WCLocRDDViolErr: "local RDD violation error",
	WCRemInvRDReqErr: "remote invalid RD request", WCRemAbortErr: "aborted error",
	WCInvEECNErr: "invalid EE context number", WCInvEECStateErr: "invalid EE context state",
	WCFatalErr: "fatal error", WCRespTimeoutErr: "response timeout error", WCGeneralErr: "general error",
	WCTMErr: "TM error", WCTMRndvIncomplete: "TM software rendezvous",
}

// Text returns what ibv_wc_status_str(3) says of the status.
func (s WCStatus) Text() string {
	if int(s) < len(wcStatusText) {
		return wcStatusText[s]
	}
	return "unknown"
}
