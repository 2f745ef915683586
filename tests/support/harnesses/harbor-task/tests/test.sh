#!/bin/bash
[ "$(cat "$SANDBOX/app/answer.txt")" = three ] && reward=1 || reward=0
echo $reward > "$SANDBOX/logs/verifier/reward.txt"
