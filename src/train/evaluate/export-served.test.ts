/** Tests that weights on a Tinker server are downloaded, or that the error says where they are. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer, TINY } from "../../../tests/support/tinker-server.ts";
import { HONEST_TRAITS } from "../../../tests/support/tinker-traits.ts";
import { BowlineError, trustServer, unpackTar } from "../../core/index.ts";
import { createOnnxEngine, createTinkerClient, createTinkerEngine } from "../../engine/index.ts";
import type { Row, TokenOutputs } from "../../spec/index.ts";
import { trainTokenizer } from "../../text/index.ts";
import { optimizerStep } from "../iterate/optimizer-step.ts";
import { saveCheckpoint } from "../run/checkpoint.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { evaluate } from "./evaluate.ts";
import { exportPolicy } from "./export.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-export-served-"));
const run = join(folder, "run");
const row: Row = { tokens: [5, 9, 31, 7, 2, 12], at: [1, 2, 3, 4, 5] };
let server: TestServer;
let path: string;
let learnedOutputs: TokenOutputs | undefined;

beforeAll(async () => {
  server = await startTestServer();
  const config = resolveConfig({
    recipe: "smoke",
    overrides: { "engine.name": "tinker", "engine.url": server.url, "engine.lora.rank": 4 },
  });
  const engine = await createTinkerEngine({
    ...TINY,
    url: server.url,
    rank: 4,
    seed: 1,
    traits: HONEST_TRAITS,
  });
  for (let step = 0; step < 3; step++) {
    await engine.accumulate([row], [{ logprobs: [-1, -1, -1, -1, -1] }]);
    await engine.update({ ...optimizerStep(1, config), learningRate: 0.05 });
  }
  [learnedOutputs] = await engine.evaluate([row]);
  const tokenizer = trainTokenizer(["print(1)"], config.tokenizer);
  const directory = join(run, "checkpoints", "final");
  mkdirSync(dirname(directory), { recursive: true });
  await saveCheckpoint(directory, { engine, tokenizer, config, trainer: {} });
  await engine.close();
  path = JSON.parse(readFileSync(join(directory, "engine", "tinker.json"), "utf8")).path;
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const exportAndFail = async (asked: Partial<Parameters<typeof exportPolicy>[0]>) => {
  const out = join(folder, "refused");
  const error = await exportPolicy({ policy: run, out, merged: false, ...asked }).catch(
    (cause: unknown) => cause,
  );
  expect(BowlineError.is(error)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith("refused"))).toEqual([]);
  return error as BowlineError;
};

test("a server that a run from elsewhere names gets no request, and so no key, until it is trusted", async () => {
  const { code, message } = await exportAndFail({});
  expect([code, message]).toEqual(["trust", expect.stringMatching(/engine\.url: .*policy\.json/)]);
  await expect(evaluate({ policy: run, split: "dev", scenarios: 1 })).rejects.toMatchObject({
    code: "trust",
  });
  trustServer(server.url);
});

test("an adapter that is downloaded from bowline's own server works on its base model", async () => {
  const out = join(folder, "adapter");
  const { files, base } = await exportPolicy({ policy: run, out, merged: false });
  expect(files.map(({ name }) => name)).toEqual([
    "README.md",
    "adapter_config.json",
    "adapter_model.safetensors",
    "chat_template.jinja",
    "generation_config.json",
    "sha256sums.txt",
    "tokenizer.json",
    "tokenizer_config.json",
  ]);
  expect(base).toEqual({ name: "tiny", isHubId: false });
  const config = JSON.parse(readFileSync(join(out, "adapter_config.json"), "utf8"));
  expect(config).toMatchObject({ base_model_name_or_path: "tiny", r: 4 });
  const { r: rank, lora_alpha: alpha, target_modules: targetModules } = config;
  const engine = await createOnnxEngine({
    model: TINY,
    seed: 1,
    weights: server.directory,
    lora: { rank, alpha, targetModules },
  });
  await engine.load(out);
  const [there] = await engine.evaluate([row]);
  const [before] = await engine.evaluate([row], { weights: "base" });
  await engine.close();
  const largestDifference = (a: TokenOutputs, b: TokenOutputs) =>
    Math.max(...Array.from(a.logprobs, (value, i) => Math.abs(value - b.logprobs[i]!)));
  expect(largestDifference(there!, learnedOutputs!)).toBeLessThan(1e-4);
  expect(largestDifference(before!, learnedOutputs!)).toBeGreaterThan(0.01);
});

test("the server redirects to an archive without optimizer state or local paths, as the SDK expects", async () => {
  const [, model, name] = /^tinker:\/\/(.+)\/weights\/(.+)$/.exec(path)!;
  const route = `${server.url}/api/v1/training_runs/${encodeURIComponent(model!)}/checkpoints/weights/${name}/archive`;
  const answer = await fetch(route, { redirect: "manual" });
  expect(answer.status).toBe(302);
  const location = answer.headers.get("location")!;
  expect(((await answer.json()) as { url: string }).url).toBe(location);
  const archive = await fetch(location);
  expect(archive.headers.get("content-type")).toBe("application/x-tar");
  const files = unpackTar(new Uint8Array(await archive.arrayBuffer()));
  expect(files.map((file) => file.name)).toEqual([
    "adapter_config.json",
    "adapter_model.safetensors",
  ]);
  expect(Buffer.from(files[0]!.data).toString()).not.toContain(tmpdir());
  expect((await fetch(route.replace(name!, "none"))).status).toBe(404);
});

test("a form (whole model or adapter) that the server does not have is rejected with the path of the weights", async () => {
  for (const asked of [{ merged: true }, { dtype: "bf16" as const }]) {
    const { code, message } = await exportAndFail(asked);
    expect(code).toBe("config");
    expect(message).toContain("use neither --merged nor --dtype");
    expect(message).toContain(`as ${path} (base tiny, rank 4)`);
  }
});

test("if the server has no archive, the error says in one line where the weights are and how to get them", async () => {
  const [, model, name] = /^tinker:\/\/(.+)\/weights\/(.+)$/.exec(path)!;
  const route = `${server.url}/api/v1/training_runs/${encodeURIComponent(model!)}/checkpoints/weights/${name}`;
  await fetch(route, { method: "DELETE" });
  const { code, message } = await exportAndFail({});
  expect(code).toBe("engine");
  expect(message).toContain(`the weights of ${run} are on the server ${server.url} as ${path}`);
  expect(message).toMatch(/could not be downloaded \(.*there is no checkpoint/);
  expect(message).toContain(`tinker checkpoint download ${path}`);
  expect(message).not.toContain("\n");
  expect(existsSync(join(folder, "refused"))).toBe(false);
});

test("the API key is sent to the server, but not to another host that the server redirects to", async () => {
  const seen: { url: string; hasKey: boolean; redirect: string | undefined }[] = [];
  const client = await createTinkerClient({
    baseUrl: "http://service.test",
    apiKey: "tml-secret-7",
    fetch: async (url, { headers, redirect } = {}) => {
      seen.push({ url, redirect, hasKey: JSON.stringify(headers ?? {}).includes("tml-secret-7") });
      if (url.startsWith("http://storage.test")) return new Response("bytes");
      if (!url.endsWith("/archive")) return Response.json({ pjwt_auth_enabled: false });
      return new Response(null, {
        status: 302,
        headers: { location: "http://storage.test/a.tar" },
      });
    },
  });
  const archive = await client.downloadCheckpoint("tinker://m:train:0/sampler_weights/final");
  client.close();
  expect(Buffer.from(archive).toString()).toBe("bytes");
  expect(seen.slice(-2)).toEqual([
    {
      url: "http://service.test/api/v1/training_runs/m%3Atrain%3A0/checkpoints/sampler_weights/final/archive",
      redirect: "manual",
      hasKey: true,
    },
    { url: "http://storage.test/a.tar", redirect: undefined, hasKey: false },
  ]);
});
