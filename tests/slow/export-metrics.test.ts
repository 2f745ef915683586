/** Runs examples/export-metrics.ts against a collector that keeps what it gets. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTemporaryFolder, ROOT, runCommand } from "../e2e/support/cli.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);

interface OtlpRequest {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly gauge: { readonly dataPoints: readonly { readonly asDouble: number }[] };
      }[];
    }[];
  }[];
}

test("a run's metrics arrive as JSON lines and at a collector, with equal values", {
  timeout: 240_000,
}, async () => {
  const requests: OtlpRequest[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.url === "/v1/metrics") requests.push(JSON.parse(text));
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const out = join(folder.path, "run");
  const script = join(ROOT, "examples", "export-metrics.ts");
  const done = await runCommand(process.execPath, [
    "--import",
    "tsx",
    script,
    out,
    `http://127.0.0.1:${port}`,
  ]);
  server.close();
  expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: "" });
  const lines = readFileSync(`${out}-metrics.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const iterations = lines.filter(({ phase }) => phase === "loop");
  expect(iterations.map(({ step }) => step)).toEqual([1, 2]);
  expect(lines.some(({ phase }) => phase === "warm")).toBe(true);
  const gauges = requests.flatMap(
    ({ resourceMetrics }) => resourceMetrics[0]!.scopeMetrics[0]!.metrics,
  );
  const sent = gauges
    .filter(({ name }) => name === "bowline.reward.mean")
    .map(({ gauge }) => gauge.dataPoints[0]!.asDouble);
  expect(sent).toEqual(iterations.map((line) => line["reward/mean"]));
  expect(requests).toHaveLength(lines.length);
});
