/** What the gradient suite asks of the CPU bit by bit, as far as WebGPU can give it. */
import { expect, test } from "vitest";
import { Rng } from "../../src/core/index.ts";
import {
  buildGradients,
  floatOutput,
  Graph,
  gather,
  Session,
  tensor,
} from "../../src/engine/onnx/graph/index.ts";

test("the gradient of a gathered table repeats its bits when indices are heavily repeated", async () => {
  const [rows, width, count] = [8, 64, 4096];
  const graph = new Graph("repeats");
  const table = graph.addInput("table", "float32", [rows, width]);
  const indices = graph.addInput("indices", "int32", ["n"]);
  const cotangent = graph.addInput("cotangent", "float32", ["n", width]);
  const output = gather(table, indices);
  graph.addOutput("dtable", buildGradients([{ output, cotangent }], [table])[0]!);
  const session = await Session.create(graph);
  const rng = new Rng(3);
  const chosen = Int32Array.from({ length: count }, () =>
    rng.chance(0.8) ? 5 : rng.integer(0, rows - 1),
  );
  const dy = Float32Array.from({ length: count * width }, () => rng.normal());
  const sums = new Float64Array(rows * width);
  for (const [i, value] of dy.entries()) {
    sums[chosen[Math.floor(i / width)]! * width + (i % width)]! += value;
  }
  const feeds = {
    table: tensor(new Float32Array(rows * width), [rows, width]),
    indices: tensor(chosen, [count]),
    cotangent: tensor(dy, [count, width]),
  };
  const first = floatOutput(await session.run(feeds), "dtable");
  for (const [i, sum] of sums.entries()) expect(Math.abs(first[i]! - sum)).toBeLessThan(1e-3);
  for (let run = 0; run < 10; run++) {
    expect(floatOutput(await session.run(feeds), "dtable")).toEqual(first);
  }
  await session.close();
});
