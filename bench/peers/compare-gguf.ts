/**
 * Checks that llama.cpp gives the same tokens, log-probs and greedy text as Bowline's engine, with the GGUF files that
 * Bowline writes.
 *
 * mkdir llamacpp && cd llamacpp && npm init -y && npm install node-llama-cpp (outside this repository; prebuilt) npx
 * tsx bench/peers/compare-gguf.ts MODEL --llama ./llamacpp MODEL is a folder or GGUF file; some minutes at 135M
 *
 * Both programs compute with the model as an F32 GGUF file, in float32 with a float32 cache. Then they compute with an
 * adapter of rank 8 with large weights, once merged and once as a LoRA file. For F16 and Q8_0 files, the script only
 * prints the differences. The exit code is 1 when a log-prob differs by more than 1e-3 or any token differs.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createOnnxEngine, loadModelConfig, type OnnxEngine } from "../../src/engine/index.ts";
import type { Row } from "../../src/spec/index.ts";
import {
  createGgufEntries,
  type ModelText,
  openModelFiles,
  readModelText,
} from "../../src/text/index.ts";
import { continueGreedily, type Llama, type Sequence, startLlama, withSequence } from "./llama.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    llama: { type: "string", default: "." },
    greedy: { type: "string", default: "200" },
    threads: { type: "string", default: "2" },
  },
});
const threads = Number(values.threads);
const GREEDY_TOKENS = Number(values.greedy);
const MAX_LOGPROB_GAP = 1e-3;

const PROMPTS = [
  "What is the capital of France?",
  "Write a haiku about the sea.",
  "List three uses of a paper clip.",
  "Explain recursion to a child.",
  "What is 17 times 23?",
  "Write a JavaScript function that reverses a string.",
  "Translate 'good morning' into Spanish.",
  "Who wrote Hamlet?",
  "Name a fruit that is yellow.",
  "Why is the sky blue?",
];
const TEXTS = [
  ...PROMPTS,
  "   leading and trailing   ",
  "Hello, world! It's 2025; WE'LL see: they're 1234567890 strong.",
  "tabs\tand\nnew\n\nlines\r\n\r\nwindows\n   \n\tmixed \n",
  'print(page[0].name, "anna@mail.test");\nfor (const r of rows) { items.push(...r.items); }',
  "naïve Café déjà vu, 支払い は 完了。 Привет мир مرحبا",
  "🎵😀👩‍👩‍👧‍👦🇩🇪 emoji",
  "½ ² Ⅷ ٣ 一二三 12345678 a.b.c, d. e; f",
  "!!!??? ...---=== ((())) \\n \\u00e9",
];

async function main(path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bowline-llama-"));
  const llama = await startLlama(values.llama, threads);
  const loaded = loadModelConfig(path);
  const model = { ...loaded, contextLength: Math.min(loaded.contextLength, 1024) };
  const text = readModelText(path, model.vocabularySize);
  const texts = createGgufEntries(openModelFiles(path), model.vocabularySize);
  const prompts = PROMPTS.map((prompt) => encodePrompt(text, prompt, model.contextLength));
  const ggufPath = (name: string) => join(folder, `${name}.gguf`);
  let engine: OnnxEngine | undefined;
  try {
    engine = await createOnnxEngine({ model, seed: 1, threads, weights: path });
    for (const dtype of ["F32", "F16", "Q8_0"] as const) {
      await engine.exportGguf(ggufPath(dtype), { form: "merged", dtype, texts });
    }
    const rows = await continuePrompts(engine, prompts);
    console.log(`${path} in llama.cpp ${JSON.stringify(llama.llamaCppRelease)}`);
    await compareTokens(llama, ggufPath("F32"), text);
    await compareGreedy(llama, ggufPath("F32"), prompts, rows);
    await compareLogprobs(llama, "F32", engine, rows, { path: ggufPath("F32") }, MAX_LOGPROB_GAP);
    for (const dtype of ["F16", "Q8_0"]) {
      await compareLogprobs(llama, dtype, engine, rows, { path: ggufPath(dtype) });
    }
    await engine.close();
    const lora = { rank: 8, alpha: 16, targetModules: "all-linear" } as const;
    engine = await createOnnxEngine({ model, seed: 1, threads, weights: path, lora });
    await takeLargeSteps(engine, rows[0]!);
    await engine.exportGguf(ggufPath("merged"), { form: "merged", dtype: "F32", texts });
    await engine.exportGguf(ggufPath("lora"), { form: "adapter", dtype: "F32", texts: [] });
    await compareLogprobs(
      llama,
      "adapter, merged",
      engine,
      rows,
      { path: ggufPath("merged") },
      MAX_LOGPROB_GAP,
    );
    const files = { path: ggufPath("F32"), lora: ggufPath("lora") };
    await compareLogprobs(llama, "adapter, LoRA file", engine, rows, files, MAX_LOGPROB_GAP);
  } finally {
    await engine?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function encodePrompt(text: ModelText, prompt: string, contextLength: number): readonly number[] {
  const messages = [{ role: "user", content: prompt }];
  const ids = text.hasChatTemplate
    ? text.tokenizer.encodeRendered(
        text.chatTemplate().render(messages, { addGenerationPrompt: true }),
      )
    : text.tokenizer.encode(prompt);
  return ids.slice(0, contextLength - 8);
}

interface GreedyRow extends Row {
  readonly tokens: readonly number[];
  readonly at: readonly number[];
}

/**
 * Returns each prompt with the greedy continuation of Bowline's engine. All tokens from the second one on are scored.
 */
async function continuePrompts(
  engine: OnnxEngine,
  prompts: readonly (readonly number[])[],
): Promise<GreedyRow[]> {
  const samples = await engine.sample(
    prompts.map((tokens, stream) => {
      const maxTokens = Math.min(GREEDY_TOKENS, engine.info.contextLength - tokens.length - 1);
      return { tokens, stream, maxTokens, temperature: 0, stopIds: [] };
    }),
  );
  return samples.map((sample, i) => {
    const tokens = [...prompts[i]!, ...sample.tokens];
    return { tokens, at: tokens.slice(1).map((_, at) => at + 1) };
  });
}

/** Takes a few large steps, so that A and B of every module are far from their initial values. */
async function takeLargeSteps(engine: OnnxEngine, row: GreedyRow): Promise<void> {
  const step = { learningRate: 2e-3, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0 };
  for (let i = 0; i < 3; i++) {
    await engine.accumulate([row], [{ logprobs: row.at.map((at) => (at % 2 ? -1 : 1)) }]);
    await engine.update({ ...step, maxGradientNorm: 1 });
  }
}

async function compareTokens(llama: Llama, path: string, text: ModelText): Promise<void> {
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
  const different = TEXTS.filter(
    (one) => model.tokenize(one, false).join() !== text.tokenizer.encode(one).join(),
  );
  await model.dispose();
  console.log(
    `tokens: ${TEXTS.length - different.length} of ${TEXTS.length} texts have the same tokens`,
  );
  for (const one of different) console.log(`  different tokens: ${JSON.stringify(one)}`);
}

async function compareLogprobs(
  llama: Llama,
  what: string,
  engine: OnnxEngine,
  rows: readonly GreedyRow[],
  files: { readonly path: string; readonly lora?: string },
  limit?: number,
): Promise<void> {
  const ours = await engine.evaluate(rows);
  let largest = 0;
  await withSequence(llama, { ...files, threads }, async (sequence) => {
    for (const [i, { tokens }] of rows.entries()) {
      await sequence.clearHistory();
      const theirs = await computeLlamaLogprobs(sequence, tokens);
      for (const [at, logprob] of theirs.entries()) {
        largest = Math.max(largest, Math.abs(logprob - ours[i]!.logprobs[at]!));
      }
    }
  });
  const count = rows.reduce((sum, { at }) => sum + at.length, 0);
  reportAndCheck(
    `${what}: largest gap of ${count} log-probs ${largest.toExponential(2)}`,
    largest,
    limit,
  );
}

async function computeLlamaLogprobs(
  sequence: Sequence,
  tokens: readonly number[],
): Promise<number[]> {
  const input = tokens.slice(0, -1).map((token, i): [number, { generateNext: object }] => {
    // The filter `includeMax` of node-llama-cpp 3.22 leaves out the largest logit, which `includeTop: 1` includes.
    const filter = { tokens: [tokens[i + 1]!], includeTop: 1 };
    return [token, { generateNext: { logits: { filter }, totalLogitWeight: true } }];
  });
  const outputs = await sequence.controlledEvaluate(input);
  return outputs.map((output, i) => {
    const { logits, totalLogitWeight } = output!.next;
    const most = Math.max(...logits!.values());
    return logits!.get(tokens[i + 1]!)! - most - Math.log(totalLogitWeight!);
  });
}

async function compareGreedy(
  llama: Llama,
  path: string,
  prompts: readonly (readonly number[])[],
  rows: readonly GreedyRow[],
): Promise<void> {
  let [equal, total] = [0, 0];
  await withSequence(llama, { path, threads }, async (sequence) => {
    for (const [i, prompt] of prompts.entries()) {
      await sequence.clearHistory();
      const ours = rows[i]!.tokens.slice(prompt.length);
      const theirs = await continueGreedily(sequence, prompt, { most: ours.length });
      total += ours.length;
      equal += ours.filter((token, at) => theirs[at] === token).length;
    }
  });
  reportAndCheck(
    `greedy: ${equal} of ${total} tokens are equal on ${prompts.length} prompts`,
    total - equal,
    0,
  );
}

function reportAndCheck(line: string, value: number, limit?: number): void {
  const passed = limit === undefined || value <= limit;
  if (!passed) process.exitCode = 1;
  console.log(passed ? line : `${line}; expected at most ${limit}`);
}

const [model] = positionals;
if (model === undefined) {
  console.error("error: expected a model: a folder or a GGUF file");
  process.exitCode = 2;
} else await main(model);
