"""Reads exported training traces with OpenEnv's own class, which refuses every unknown field and wrong mask.

    pip install openenv==0.10.0
    bowline export runs/smoke --format openenv --out traces.jsonl
    python tests/golden/openenv/check_training_traces.py traces.jsonl

Prints the number of traces, turns and trained tokens. The same trace with one change must be refused, so that the check
is known to check something.
"""

import json
import sys

from openenv.core.harness.training import TrainingTrace
from pydantic import ValidationError


def refuse(trace, what):
    try:
        TrainingTrace.model_validate_json(json.dumps(trace))
    except ValidationError:
        return
    sys.exit(f"OpenEnv accepts a trace with {what}")


traces = turns = trained = 0
for line in open(sys.argv[1], encoding="utf8"):
    trace = TrainingTrace.model_validate_json(line)
    if trace.model_dump() != json.loads(line):
        sys.exit(f"a trace changes when OpenEnv reads it: {line[:200]}")
    traces += 1
    turns += len(trace.turns)
    trained += sum(sum(turn.loss_mask) for turn in trace.turns)
    if traces == 1:
        refuse({**trace.model_dump(), "reward": 1}, "an unknown field")
        first, *rest = trace.model_dump()["turns"]
        refuse({"schema_version": 1, "turns": [{**first, "loss_mask": [1, *first["loss_mask"][1:]]}, *rest]}, "a trained prompt")
        refuse({"schema_version": 1, "turns": [first, first]}, "the same turn twice")
print(json.dumps({"traces": traces, "turns": turns, "trainedTokens": trained}))
