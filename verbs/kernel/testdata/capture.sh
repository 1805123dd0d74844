#!/bin/bash
# Records the kernel's answers in the lab VM, from the repository's root:
#   go test -c -tags lab -o kernel.test ./verbs/kernel
#   .ci/lab/run -a kernel.test -a verbs/kernel/testdata/capture.sh -o verbs/kernel/testdata -- bash capture.sh
set -eu

ibv_rc_pingpong -d rxe0 -g 1 -n 100000000 &
until rdma resource show qp | grep -q 'type RC state INIT'; do usleep 20000; done
ibv_rc_pingpong -d rxe0 -g 1 -n 100000000 10.0.0.1 &
ibv_ud_pingpong -d rxe0 -g 1 -p 18516 &
ibv_srq_pingpong -d rxe0 -g 1 -p 18517 -q 3 -e &
rping -s -a 10.0.0.1 -p 7174 &
rping -s -a fd00::1 -p 7175 &
until [ "$(rdma resource show qp | grep -c 'type RC state RTS')" -ge 2 ] &&
  [ "$(rdma resource show cm_id | grep -c LISTEN)" -ge 2 ] &&
  [ "$(rdma resource show srq | grep -c lqpn)" -ge 1 ] &&
  rdma resource show qp | grep -q 'type UD'; do usleep 20000; done

mkdir -p out/root out/learner
chmod 777 out/learner
./kernel.test -test.run TestLabCapture -capture out/root
setpriv --reuid=1000 --regid=1000 --clear-groups ./kernel.test -test.run TestLabCapture -capture out/learner
for kind in qp cq mr pd ctx srq cm_id; do rdma -d resource show $kind; done >out/rdma.txt
for program in /proc/[0-9]*; do
  case $(cat "$program/comm") in ibv_* | rping) echo "${program#/proc/} $(cat "$program/comm")" ;; esac
done >>out/rdma.txt
