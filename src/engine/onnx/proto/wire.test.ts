/** The examples of the protocol buffer encoding guide, and a model that ONNX Runtime reads. */
import { InferenceSession } from "onnxruntime-node";
import { expect, test } from "vitest";
import { encodeModel } from "./model.ts";
import {
  bytesField,
  floatField,
  integerField,
  messageField,
  packedIntegersField,
  stringField,
} from "./wire.ts";

const toHex = (data: Uint8Array) => Buffer.from(data).toString("hex");

test("encoded fields have the bytes that the protobuf guide documents", () => {
  expect(toHex(integerField(1, 150))).toBe("089601");
  expect(toHex(integerField(1, -2))).toBe("08feffffffffffffffff01");
  expect(toHex(stringField(2, "testing"))).toBe("120774657374696e67");
  expect(toHex(messageField(3, [integerField(1, 150)]))).toBe("1a03089601");
  expect(toHex(packedIntegersField(6, [3, 270, 86942]))).toBe("3206038e029ea705");
  expect(toHex(floatField(4, 1))).toBe("250000803f");
  expect(toHex(bytesField(16, Uint8Array.of(7)))).toBe("82010107");
});

test("ONNX Runtime loads a model with every kind of attribute, constant and dimension", async () => {
  const model = encodeModel({
    name: "kinds",
    inputs: [{ name: "x", dtype: "float32", shape: ["n", 2] }],
    outputs: [{ name: "y", dtype: "float32", shape: ["n", 2] }],
    initializers: new Map([
      ["half", { dtype: "float32", dims: [], data: Float32Array.of(0.5) }],
      ["minusOne", { dtype: "int64", dims: [1], data: BigInt64Array.of(-1n) }],
    ]),
    nodes: [
      createNode("Transpose", ["x"], ["t"], { perm: { ints: [1, 0] } }),
      createNode("Transpose", ["t"], ["u"], { perm: { ints: [1, 0] } }),
      createNode("LeakyRelu", ["u"], ["v"], { alpha: { float: 0.25 } }),
      createNode("Constant", [], ["k"], { value_floats: { floats: [2, 4] } }),
      createNode("ReduceSum", ["k", "minusOne"], ["six"], { keepdims: { int: 0 } }),
      createNode("Mul", ["v", "six"], ["w"], {}),
      createNode("Mul", ["w", "half"], ["y"], {}),
    ],
  });
  const session = await InferenceSession.create(model);
  expect(session.inputMetadata[0]).toMatchObject({ name: "x", shape: ["n", 2], type: "float32" });
  const { Tensor } = await import("onnxruntime-node");
  const { y } = await session.run({ x: new Tensor("float32", [1, -4], [1, 2]) });
  expect([...(y!.data as Float32Array)]).toEqual([3, -3]);
  await session.release();
});

function createNode(
  type: string,
  inputs: string[],
  outputs: string[],
  attributes: Parameters<typeof encodeModel>[0]["nodes"][number]["attributes"],
) {
  return { type, domain: "", name: outputs[0]!, inputs, outputs, attributes };
}
