/**
 * Compares a published model in Bowline's engine, PEFT, transformers and llama.cpp on this machine, in turns in one
 * run.
 *
 * npx tsx bench/peers/published-model.ts MODEL --python venv/bin/python --llama ./llamacpp
 *
 * MODEL is a folder or a GGUF file, and all programs compute with its weights in float32. The script takes some fifteen
 * minutes for 135M parameters. llama.cpp is left out without --llama; the header of compare-gguf.ts says how to install
 * it. `pip install torch transformers peft` installs the other programs.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeMachine } from "../../src/core/index.ts";
import { createOnnxEngine, loadModelConfig } from "../../src/engine/index.ts";
import { createGgufEntries, openModelFiles } from "../../src/text/index.ts";
import { compareSteps } from "./decode-steps.ts";
import { startLlama } from "./llama.ts";
import { compareLora, LORA_OPTIONS } from "./lora-step.ts";
import type { PeerContext } from "./peer-context.ts";
import { Peer } from "./peer-process.ts";

const PARTS = ["decode", "lora"] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: "string", default: "python3" },
    llama: { type: "string" },
    threads: { type: "string", default: "2" },
    /** Parts of the comparison: "decode", "lora" or both with a comma. */
    parts: { type: "string", default: PARTS.join() },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const CONTEXT_LENGTH = 640;

async function main(path: string): Promise<void> {
  const threads = Number(values.threads);
  const { peer, hello } = await Peer.start(values.python, threads);
  const folder = mkdtempSync(join(tmpdir(), "bowline-published-"));
  // Each result is printed as soon as it is measured, and --json prints all numbers at the end.
  const onPhase = (what: string) => console.error(what);
  const context: PeerContext = { peer, threads, quick: values.quick, onPhase };
  const model = { ...loadModelConfig(path), contextLength: CONTEXT_LENGTH };
  const options = { model, seed: 1, threads, weights: path };
  const parts = values.parts.split(",");
  try {
    const base = await createOnnxEngine(options);
    await base.save(join(folder, "model"));
    const llama = values.llama && {
      llama: await startLlama(values.llama, threads),
      path: join(folder, "model.gguf"),
    };
    if (llama) {
      const texts = createGgufEntries(openModelFiles(path), model.vocabularySize);
      await base.exportGguf(llama.path, { form: "merged", dtype: "F32", texts });
    }
    await peer.call("load", { directory: join(folder, "model") });
    const decode = parts.includes("decode")
      ? await compareSteps(base, model, context, llama || undefined)
      : [];
    await base.close();
    const adapted = await createOnnxEngine({ ...options, lora: LORA_OPTIONS });
    const lora = parts.includes("lora") ? await compareLora(adapted, model, context) : [];
    await adapted.close();
    const result = { machine: describeMachine(), threads, peer: hello, decode, lora };
    if (values.json) console.log(JSON.stringify(result));
  } finally {
    peer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [model] = positionals;
const unknown = values.parts.split(",").filter((part) => !PARTS.some((one) => one === part));
if (model === undefined || unknown.length > 0) {
  const wrong = model ? `--parts: ${unknown}` : "no model";
  console.error(`error: ${wrong}; expected a folder or a GGUF file, and --parts of ${PARTS}`);
  process.exitCode = 2;
} else await main(model);
