/** Tests a GGUF file as the base model of a server, whose tokenizer clients get as a folder. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createOnnxEngine, loadModelConfig } from "../../engine/index.ts";
import { createGgufEntries, openModelFiles } from "../../text/index.ts";
import { openBase } from "./open-base.ts";

const root = mkdtempSync(join(tmpdir(), "bowline-open-base-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const golden = fileURLToPath(new URL("../../../tests/golden/hf-qwen2", import.meta.url));

test("opens a GGUF file as the base model and writes its tokenizer into a folder", async () => {
  const path = join(root, "Small-1B.gguf");
  const model = loadModelConfig(golden);
  const engine = await createOnnxEngine({ model, seed: 1, threads: 1, weights: golden });
  const texts = createGgufEntries(openModelFiles(golden), model.vocabularySize);
  await engine.exportGguf(path, { form: "merged", dtype: "F32", texts });
  await engine.close();
  const options = { stateDirectory: root, contextLength: 64 };
  const { base, directory } = await openBase({ from: "policy", path }, options);
  expect(directory).toBe(path);
  expect(base).toMatchObject({ name: "Small-1B.gguf", contextLength: 64 });
  const text = (name: string) => readFileSync(join(base.tokenizerDirectory!, name), "utf8");
  expect(Object.keys(JSON.parse(text("tokenizer.json")))).toContain("model");
  expect(JSON.parse(text("tokenizer_config.json"))).toMatchObject({ eos_token: "<|im_end|>" });
}, 30_000);
