"""The protocol of a peer: reads a JSON request on each line of stdin and writes a JSON answer on a line of stdout.

A line with "ask" instead of "answer" is a question to the caller, who answers with a line. Import this file before
torch, because it sets how many threads the libraries use.
"""
import json
import os
import sys
import time

THREADS = int(os.environ.get("BOWLINE_PEER_THREADS", "2"))
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = str(THREADS)
# Idle threads that spin would slow down the other side.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # Keeps what libraries print out of the answers.


def milliseconds(run):
    start = time.perf_counter()
    value = run()
    return value, 1000 * (time.perf_counter() - start)


def ask(question):
    print(json.dumps({"ask": question}), file=out, flush=True)
    return json.loads(sys.stdin.readline())


def serve(operations):
    """Answers requests until stdin ends. `operations` maps the name of a request to its function."""
    for line in sys.stdin:
        request = json.loads(line)
        operation = operations[request.pop("op")]
        try:
            answer = {"answer": operation(**request)}
        except Exception as error:  # The caller shows the error and ends the comparison.
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=out, flush=True)
