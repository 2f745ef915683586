/** Runs `bowline serve --tinker` as a process: it serves and trains models, and Ctrl-C ends it. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import { createTemporaryFolder } from "./support/cli.ts";
import { withServer } from "./support/with-server.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const folder = createTemporaryFolder();
afterAll(folder.remove);
const MODEL = fileURLToPath(new URL("../golden/hf-qwen2", import.meta.url));

interface ServerFacts {
  readonly url: string;
  readonly baseModel: string;
}

/** Calls the server, waits for the result of a future, and returns the reply. */
async function callServer(
  url: string,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}/api/v1/${path}`, init);
  const reply = (await response.json()) as Record<string, unknown>;
  if (path === "retrieve_future" && reply["type"] === "try_again")
    return callServer(url, path, body);
  if (path !== "retrieve_future" && typeof reply["request_id"] === "string") {
    return callServer(url, "retrieve_future", { request_id: reply["request_id"] });
  }
  return reply;
}

test("clients train and sample the model of a folder over HTTP, and the server exits with 0 after Ctrl-C", async () => {
  const state = join(folder.path, "state");
  const { code, stdout } = await withServer<ServerFacts>(
    ["--tinker", "--engine.model", MODEL, "--state", state],
    async ({ url, baseModel }) => {
      expect(baseModel).toBe("hf-qwen2");
      const { session_id } = await callServer(url, "create_session", {
        tags: [],
        sdk_version: "t",
      });
      const model = {
        session_id,
        model_seq_id: 0,
        base_model: baseModel,
        lora_config: { rank: 2 },
      };
      const { model_id } = await callServer(url, "create_model", model);
      const tensor = (data: number[], dtype: string) => ({ data, dtype, shape: [data.length] });
      const datum = {
        model_input: { chunks: [{ type: "encoded_text", tokens: [5, 6, 7] }] },
        loss_fn_inputs: { target_tokens: tensor([6, 7, 8], "int64") },
      };
      const forward_backward_input = { data: [datum], loss_fn: "cross_entropy" };
      const first = await callServer(url, "forward_backward", {
        model_id,
        seq_id: 1,
        forward_backward_input,
      });
      const adam_params = { learning_rate: 0.01 };
      await callServer(url, "optim_step", { model_id, seq_id: 2, adam_params });
      const second = await callServer(url, "forward_backward", {
        model_id,
        seq_id: 3,
        forward_backward_input,
      });
      const lossOf = (reply: Record<string, unknown>) =>
        (reply["metrics"] as Record<string, number>)["loss:sum"]!;
      expect(lossOf(second)).toBeLessThan(lossOf(first));
      const sampled = await callServer(url, "asample", {
        base_model: baseModel,
        prompt: datum.model_input,
        sampling_params: { max_tokens: 8, stop: "e", temperature: 0 },
      });
      expect(sampled["sequences"]).toHaveLength(1);
    },
  );
  expect({ code, lines: stdout.trim().split("\n").length }).toEqual({ code: 0, lines: 1 });
  expect(readdirSync(state)).toContain("futures.jsonl");
});

test("a server with a small random model needs no files, and removes the files that it makes", async () => {
  let state = "";
  const shape = ["--tinker", "--model.hidden-size", "16", "--model.layers", "1", "--context", "64"];
  const { code } = await withServer<ServerFacts & { state: string }>(shape, async (facts) => {
    ({ state } = facts);
    const response = await fetch(`${facts.url}/api/v1/get_server_capabilities`);
    expect(await response.json()).toMatchObject({
      supported_models: [{ model_name: "bowline-small", max_context_length: 64 }],
    });
    expect(existsSync(join(state, "base", "tokenizer.json"))).toBe(true);
  });
  expect(code).toBe(0);
  expect(existsSync(state)).toBe(false);
});
