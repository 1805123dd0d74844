//go:build linux && !android

#include "go_asm.h"
#include "textflag.h"

// turnLoop executes the turns of a loopBlock. It is a C function,
//
//	void turnLoop(struct loopBlock *b);
//
// called on the system stack of a thread. It keeps the System V ABI: BX, BP
// and R12 to R15 belong to the caller, and the stack is aligned to 16 bytes
// where a function is called (five pushes after the return address). It calls
// C and touches nothing of Go: no Go stack, no g, no heap.
//
//	BX   the block          R13  completions or posts still to do
//	R12  the turn           R14  where the next completion goes
//
//	for ; left > 0; left--, turn++, done++ {
//		for n := turn.wait; n > 0; {
//			if stop { return stopped }
//			if channel { wait for event or stop; take event; arm }
//			n -= poll_cq(n)
//			if any status != 0 { return badWC }
//		}
//		stamp; post turn.recvs receives; post turn.sends sends
//	}
//
// outcome is written before what it names, so that it is right wherever the
// loop ends.
GLOBL ·turnLoopEntry(SB), NOPTR|RODATA, $8
DATA ·turnLoopEntry(SB)/8, $turnLoop<>(SB)

TEXT turnLoop<>(SB), NOSPLIT|NOFRAME, $0
	PUSHQ BP
	PUSHQ BX
	PUSHQ R12
	PUSHQ R13
	PUSHQ R14
	MOVQ  DI, BX
	MOVQ  loopBlock_turns(BX), R12
	MOVQ  loopBlock_wc(BX), R14

turn:
	MOVL $const_outcomeDone, loopBlock_outcome(BX)
	CMPQ loopBlock_left(BX), $0
	JEQ  out
	MOVL cTurn_wait(R12), R13

wait:
	TESTL R13, R13
	JEQ   stamp
	MOVL  $const_outcomeStopped, loopBlock_outcome(BX)
	CMPL  loopBlock_stop(BX), $0
	JNE   out
	CMPQ  loopBlock_channel(BX), $0
	JEQ   poll

	// The channel does not block: poll(2) waits for it and for Stop.
	LEAQ  loopBlock_fds(BX), DI
	MOVL  $2, SI
	MOVL  $-1, DX
	MOVL  $const_outcomePoll, loopBlock_outcome(BX)
	CALL  loopBlock_poll(BX)
	TESTL AX, AX
	JLT   errno
	MOVL  $const_outcomeStopped, loopBlock_outcome(BX)
	CMPW  (loopBlock_fds+cPollFD__size+cPollFD_revents)(BX), $0
	JNE   out
	MOVQ  loopBlock_channel(BX), DI
	LEAQ  loopBlock_evCQ(BX), SI
	LEAQ  loopBlock_evContext(BX), DX
	MOVL  $const_outcomeGetEvent, loopBlock_outcome(BX)
	CALL  loopBlock_getCQEvent(BX)
	TESTL AX, AX
	JNE   errno
	INCQ  loopBlock_events(BX)
	MOVQ  loopBlock_cq(BX), DI
	XORL  SI, SI
	MOVL  $const_outcomeReqNotify, loopBlock_outcome(BX)
	CALL  loopBlock_reqNotifyCQ(BX)
	TESTL AX, AX
	JNE   failed

poll:
	MOVQ  loopBlock_cq(BX), DI
	MOVL  R13, SI
	MOVQ  R14, DX
	MOVL  $const_outcomePollCQ, loopBlock_outcome(BX)
	CALL  loopBlock_pollCQ(BX)
	TESTL AX, AX
	JLT   failed
	JEQ   idle
	MOVL  AX, AX // the upper half of an int is undefined
	ADDQ  AX, loopBlock_numWC(BX)
	SUBL  AX, R13
	XORL  CX, CX

status:
	ORL   cWC_status(R14), CX
	ADDQ  $cWC__size, R14
	DECL  AX
	JNE   status
	MOVL  $const_outcomeBadWC, loopBlock_outcome(BX)
	TESTL CX, CX
	JNE   out
	JMP   wait

idle:
	PAUSE // to the sibling thread of the core, or to the emulator
	JMP   wait

stamp:
	MOVL  $const_cClockMonotonic, DI
	LEAQ  loopBlock_clock(BX), SI
	CALL  loopBlock_clockGettime(BX)
	IMUL3Q $const_cSecond, loopBlock_clock(BX), AX
	ADDQ  (loopBlock_clock+8)(BX), AX
	MOVQ  loopBlock_at(BX), CX
	MOVQ  AX, (CX)
	ADDQ  $8, loopBlock_at(BX)
	MOVL  cTurn_recvs(R12), R13

recv:
	TESTL R13, R13
	JEQ   sends
	MOVQ  loopBlock_qp(BX), DI
	MOVQ  loopBlock_recvWR(BX), SI
	LEAQ  loopBlock_badWR(BX), DX
	MOVL  $const_outcomePostRecv, loopBlock_outcome(BX)
	CALL  loopBlock_postRecv(BX)
	TESTL AX, AX
	JNE   failed
	DECL  R13
	JMP   recv

sends:
	MOVL cTurn_sends(R12), R13

send:
	TESTL R13, R13
	JEQ   next
	MOVQ  loopBlock_qp(BX), DI
	MOVQ  loopBlock_sendWR(BX), SI
	LEAQ  loopBlock_badWR(BX), DX
	MOVL  $const_outcomePostSend, loopBlock_outcome(BX)
	CALL  loopBlock_postSend(BX)
	TESTL AX, AX
	JNE   failed
	DECL  R13
	JMP   send

next:
	ADDQ $cTurn__size, R12
	DECQ loopBlock_left(BX)
	INCQ loopBlock_done(BX)
	JMP  turn

errno:
	// A call of the wait for an event failed; a signal, or somebody else
	// taking the event, is no failure.
	CALL loopBlock_errnoAddress(BX)
	MOVL (AX), AX
	CMPL AX, $const_cEINTR
	JEQ  wait
	CMPL AX, $const_cEAGAIN
	JEQ  wait

failed:
	MOVL AX, loopBlock_code(BX)

out:
	POPQ R14
	POPQ R13
	POPQ R12
	POPQ BX
	POPQ BP
	RET
