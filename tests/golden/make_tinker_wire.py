"""Protobuf bytes of the Tinker protocol, written by the official SDK's generated module.

    pip install tinker protobuf    # any SDK from 0.25; only its `proto` module is used
    python tests/golden/make_tinker_wire.py > tests/golden/tinker-wire.json

Every message comes with the values that went in, so that reading and writing can both be checked.
"""

import base64
import importlib.util
import json
import math
import struct
import sys


def load_proto():
    """The module alone: importing the package would want all that the SDK depends on."""
    if len(sys.argv) > 1:
        spec = importlib.util.spec_from_file_location("tinker_public_pb2", sys.argv[1])
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    from tinker.proto import tinker_public_pb2

    return tinker_public_pb2


pb = load_proto()


def i32(values):
    return struct.pack(f"<{len(values)}i", *values)


def i64(values):
    return struct.pack(f"<{len(values)}q", *values)


def f32(values):
    return struct.pack(f"<{len(values)}f", *values)


def bf16(values):
    return b"".join(struct.pack("<f", value)[2:] for value in values)


def tensor(kind, values, shape):
    packed = {"float32": f32, "int64": i64}[kind](values)
    number = {"float32": pb.DTYPE_FLOAT32, "int64": pb.DTYPE_INT64}[kind]
    return pb.Tensor(dense=packed, dtype=number, shape=shape)


def text(message):
    return base64.b64encode(message.SerializeToString(deterministic=True)).decode()


def request(forward_only, config, tokens, weights):
    targets = tokens[1:] + [7]
    message = pb.ForwardBackwardRequest(
        model_id="session_1:train:0",
        seq_id=300,
        loss_fn="ppo",
        loss_fn_config=config,
        forward_only=forward_only,
    )
    for _ in range(2):
        chunk = pb.Chunk(encoded_text=pb.EncodedTextChunk(tokens=i32(tokens)))
        message.data.append(
            pb.Datum(
                model_input=[chunk],
                loss_fn_inputs={
                    "target_tokens": tensor("int64", targets, [len(targets)]),
                    "weights": tensor("float32", weights, [len(weights)]),
                },
            )
        )
    datum = {
        "model_input": {"chunks": [{"type": "encoded_text", "tokens": tokens}]},
        "loss_fn_inputs": {
            "target_tokens": {"data": targets, "dtype": "int64", "shape": [len(targets)]},
            "weights": {"data": weights, "dtype": "float32", "shape": [len(weights)]},
        },
    }
    value = {"model_id": "session_1:train:0", "seq_id": 300, "data": [datum, datum], "loss_fn": "ppo"}
    if config:
        value["loss_fn_config"] = config
    if forward_only:
        value["forward_only"] = True
    return {"bytes": text(message), "value": value}


def output():
    rows = [[-0.5, -1.25], [-2.0]]
    scores = [[0.5, 1.5], [-3.0]]
    data = pb.BatchedTensor(
        data=f32(rows[0] + rows[1]), offsets=i64([0, 8, 12]), dtype=pb.DTYPE_FLOAT32
    )
    half = pb.BatchedTensor(
        data=bf16(scores[0] + scores[1]), offsets=i64([0, 4, 6]), dtype=pb.DTYPE_BFLOAT16
    )
    narrow = pb.BatchedTensor(data=i32([3, -4, 5]), offsets=i64([0, 8, 12]), dtype=pb.DTYPE_INT32)
    message = pb.ForwardBackwardOutput(
        loss_fn_output_type="ArrayRecord",
        loss_fn_outputs=[
            pb.ArrayRecord(
                type_tag="ArrayRecord",
                num_datums=2,
                fields={"logprobs": data, "score": half, "ids": narrow},
            ),
            pb.ArrayRecord(
                type_tag="ArrayRecord",
                num_datums=1,
                fields={
                    "logprobs": pb.BatchedTensor(
                        data=f32([-9.0]), offsets=i64([0, 4]), dtype=pb.DTYPE_FLOAT32
                    )
                },
            ),
        ],
        metrics={"loss:sum": 2.5, "step:max": 0.0},
    )
    outputs = [
        {
            "logprobs": {"data": row, "dtype": "float32", "shape": [len(row)]},
            "score": {"data": score, "dtype": "float32", "shape": [len(score)]},
            "ids": {"data": ids, "dtype": "int64", "shape": [len(ids)]},
        }
        for row, score, ids in zip(rows, scores, [[3, -4], [5]])
    ]
    outputs.append({"logprobs": {"data": [-9.0], "dtype": "float32", "shape": [1]}})
    value = {
        "loss_fn_output_type": "ArrayRecord",
        "loss_fn_outputs": outputs,
        "metrics": {"loss:sum": 2.5, "step:max": 0.0},
    }
    return {"bytes": text(message), "value": value}


def plain_output():
    """What our own writer makes: one record, one field."""
    message = pb.ForwardBackwardOutput(
        loss_fn_output_type="ArrayRecord",
        loss_fn_outputs=[
            pb.ArrayRecord(
                type_tag="ArrayRecord",
                num_datums=2,
                fields={
                    "logprobs": pb.BatchedTensor(
                        data=f32([-0.5, -1.25, -2.0]),
                        offsets=i64([0, 8, 12]),
                        dtype=pb.DTYPE_FLOAT32,
                    )
                },
            )
        ],
        metrics={"loss:sum": 2.5},
    )
    rows = [[-0.5, -1.25], [-2.0]]
    value = {
        "loss_fn_output_type": "ArrayRecord",
        "loss_fn_outputs": [
            {"logprobs": {"data": row, "dtype": "float32", "shape": [len(row)]}} for row in rows
        ],
        "metrics": {"loss:sum": 2.5},
    }
    return {"bytes": text(message), "value": value}


def sample():
    message = pb.SampleResponse(
        sequences=[
            pb.SampledSequence(
                stop_reason=pb.STOP_REASON_STOP, tokens=i32([5, 0, 70000]), logprobs=f32([-0.5, -1.0, -2.0])
            ),
            pb.SampledSequence(stop_reason=pb.STOP_REASON_LENGTH, tokens=i32([9])),
        ],
        prompt_logprobs=f32([math.nan, -0.25]),
        prompt_cache_hit_tokens=12,
    )
    table = message.topk_prompt_logprobs
    table.token_ids = i32([0, 0, 4, 6])
    table.logprobs = f32([-99999.0, -99999.0, -0.5, -1.5])
    table.k = 2
    second = "length" if "length" in table.DESCRIPTOR.fields_by_name else "prompt_length"
    setattr(table, second, 2)
    value = {
        "sequences": [
            {"stop_reason": "stop", "tokens": [5, 0, 70000], "logprobs": [-0.5, -1.0, -2.0]},
            {"stop_reason": "length", "tokens": [9]},
        ],
        "prompt_logprobs": [None, -0.25],
        "topk_prompt_logprobs": [None, [[4, -0.5], [6, -1.5]]],
        "prompt_cache_hit_tokens": 12,
    }
    return {"bytes": text(message), "value": value}


json.dump(
    {
        "requests": [
            request(False, {"clip_high_threshold": 1.1, "clip_low_threshold": 0.9}, [1, 2, 151643], [0.0, 1.0, 1.0]),
            request(True, {}, [4], [0.5]),
        ],
        "outputs": [output()],
        "plainOutputs": [plain_output()],
        "samples": [sample()],
    },
    sys.stdout,
    indent=1,
)
print()
