//go:build linux && !android

#include "go_asm.h"
#include "textflag.h"

// turnLoop is the function of turnloop_amd64.s, which explains it, for the
// procedure call standard of AAPCS64: R19 to R28 and R29, R30 belong to the
// caller, R18 to the platform.
//
//	R19  the block          R21  completions or posts still to do
//	R20  the turn           R22  where the next completion goes
GLOBL ·turnLoopEntry(SB), NOPTR|RODATA, $8
DATA ·turnLoopEntry(SB)/8, $turnLoop<>(SB)

// ENDS notes how the loop ends if it ends at what follows.
#define ENDS(outcome) MOVW outcome, R9; MOVW R9, loopBlock_outcome(R19)

// CALLC calls a C function of the block.
#define CALLC(fn) MOVD fn(R19), R9; CALL (R9)

TEXT turnLoop<>(SB), NOSPLIT|NOFRAME, $0
	SUB  $48, RSP
	STP  (R29, R30), (RSP)
	STP  (R19, R20), 16(RSP)
	STP  (R21, R22), 32(RSP)
	MOVD RSP, R29
	MOVD R0, R19
	MOVD loopBlock_turns(R19), R20
	MOVD loopBlock_wc(R19), R22

turn:
	ENDS($const_outcomeDone)
	MOVD  loopBlock_left(R19), R9
	CBZ   R9, out
	MOVWU cTurn_wait(R20), R21

wait:
	CBZW  R21, stamp
	ENDS($const_outcomeStopped)
	MOVWU loopBlock_stop(R19), R9
	CBNZW R9, out
	MOVD  loopBlock_channel(R19), R9
	CBZ   R9, poll

	// The channel does not block: poll(2) waits for it and for Stop.
	ENDS($const_outcomePoll)
	ADD   $loopBlock_fds, R19, R0
	MOVD  $2, R1
	MOVD  $-1, R2
	CALLC(loopBlock_poll)
	TBNZ  $31, R0, errno
	ENDS($const_outcomeStopped)
	MOVHU (loopBlock_fds+cPollFD__size+cPollFD_revents)(R19), R9
	CBNZW R9, out
	ENDS($const_outcomeGetEvent)
	MOVD  loopBlock_channel(R19), R0
	ADD   $loopBlock_evCQ, R19, R1
	ADD   $loopBlock_evContext, R19, R2
	CALLC(loopBlock_getCQEvent)
	CBNZW R0, errno
	MOVD  loopBlock_events(R19), R9
	ADD   $1, R9
	MOVD  R9, loopBlock_events(R19)
	ENDS($const_outcomeReqNotify)
	MOVD  loopBlock_cq(R19), R0
	MOVD  ZR, R1
	CALLC(loopBlock_reqNotifyCQ)
	CBNZW R0, failed

poll:
	ENDS($const_outcomePollCQ)
	MOVD  loopBlock_cq(R19), R0
	MOVW  R21, R1
	MOVD  R22, R2
	CALLC(loopBlock_pollCQ)
	TBNZ  $31, R0, failed
	CBZW  R0, idle
	MOVWU R0, R0 // the upper half of an int is undefined
	MOVD  loopBlock_numWC(R19), R9
	ADD   R0, R9
	MOVD  R9, loopBlock_numWC(R19)
	SUBW  R0, R21
	MOVD  ZR, R10

status:
	MOVWU cWC_status(R22), R9
	ORR   R9, R10
	ADD   $cWC__size, R22
	SUBW  $1, R0
	CBNZW R0, status
	ENDS($const_outcomeBadWC)
	CBNZW R10, out
	JMP   wait

idle:
	YIELD // as PAUSE
	JMP   wait

stamp:
	MOVD  $const_cClockMonotonic, R0
	ADD   $loopBlock_clock, R19, R1
	CALLC(loopBlock_clockGettime)
	MOVD  loopBlock_clock(R19), R9
	MOVD  $const_cSecond, R10
	MUL   R10, R9
	MOVD  (loopBlock_clock+8)(R19), R10
	ADD   R10, R9
	MOVD  loopBlock_at(R19), R10
	MOVD  R9, (R10)
	ADD   $8, R10
	MOVD  R10, loopBlock_at(R19)
	MOVWU cTurn_recvs(R20), R21
	ENDS($const_outcomePostRecv)

recv:
	CBZW  R21, sends
	MOVD  loopBlock_qp(R19), R0
	MOVD  loopBlock_recvWR(R19), R1
	ADD   $loopBlock_badWR, R19, R2
	CALLC(loopBlock_postRecv)
	CBNZW R0, failed
	SUBW  $1, R21
	JMP   recv

sends:
	MOVWU cTurn_sends(R20), R21
	ENDS($const_outcomePostSend)

send:
	CBZW  R21, next
	MOVD  loopBlock_qp(R19), R0
	MOVD  loopBlock_sendWR(R19), R1
	ADD   $loopBlock_badWR, R19, R2
	CALLC(loopBlock_postSend)
	CBNZW R0, failed
	SUBW  $1, R21
	JMP   send

next:
	ADD  $cTurn__size, R20
	MOVD loopBlock_left(R19), R9
	SUB  $1, R9
	MOVD R9, loopBlock_left(R19)
	MOVD loopBlock_done(R19), R9
	ADD  $1, R9
	ADD  $loopBlock_done, R19, R10
	STLR R9, (R10) // after the stamp, for who looks on
	JMP  turn

errno:
	// A call of the wait for an event failed; a signal, or somebody else
	// taking the event, is no failure.
	CALLC(loopBlock_errnoAddress)
	MOVW (R0), R0
	CMPW $const_cEINTR, R0
	BEQ  wait
	CMPW $const_cEAGAIN, R0
	BEQ  wait

failed:
	MOVW R0, loopBlock_code(R19)

out:
	LDP 32(RSP), (R21, R22)
	LDP 16(RSP), (R19, R20)
	LDP (RSP), (R29, R30)
	ADD $48, RSP
	RET
