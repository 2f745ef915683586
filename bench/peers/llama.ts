/** llama.cpp in this process, through node-llama-cpp, which is no dependency: it is installed in a folder of its own. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export interface Sequence {
  controlledEvaluate(
    input: readonly (number | [number, { generateNext: object }])[],
  ): Promise<readonly ({ next: Next } | undefined)[]>;
  clearHistory(): Promise<void>;
  readonly nextTokenIndex: number;
  eraseContextTokenRanges(ranges: readonly { start: number; end: number }[]): Promise<void>;
}
interface Next {
  readonly token?: number | null;
  readonly logits?: ReadonlyMap<number, number>;
  readonly totalLogitWeight?: number;
}
interface LlamaModel {
  tokenize(text: string, specialTokens: boolean): readonly number[];
  createContext(options: object): Promise<{ getSequence(): Sequence; dispose(): Promise<void> }>;
  dispose(): Promise<void>;
}
export interface Llama {
  readonly llamaCppRelease: unknown;
  loadModel(options: object): Promise<LlamaModel>;
}

/** A model's file, with an adapter's beside it. */
export interface LlamaFile {
  readonly path: string;
  readonly lora?: string;
  readonly threads: number;
}

/** `folder`: where node-llama-cpp was installed. */
export async function startLlama(folder: string, threads: number): Promise<Llama> {
  const entry = resolve(folder, "node_modules/node-llama-cpp/dist/index.js");
  const { getLlama } = (await import(pathToFileURL(entry).href)) as {
    getLlama(options: object): Promise<Llama>;
  };
  return getLlama({ gpu: false, build: "never", logLevel: "error", maxThreads: threads });
}

export async function withSequence<T>(
  llama: Llama,
  { path, lora, threads }: LlamaFile,
  use: (sequence: Sequence) => Promise<T>,
): Promise<T> {
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
  const context = await model.createContext({
    contextSize: 1024,
    threads,
    flashAttention: false,
    experimentalKvCacheKeyType: "F32",
    experimentalKvCacheValueType: "F32",
    ...(lora && { lora }),
  });
  try {
    return await use(context.getSequence());
  } finally {
    await context.dispose();
    await model.dispose();
  }
}

/** Greedy tokens behind `input`, the part of the sequence that is new; the last of them stops it, or `most` do. */
export async function continueGreedily(
  sequence: Sequence,
  input: readonly number[],
  { most, stopIds = [] }: { readonly most: number; readonly stopIds?: readonly number[] },
): Promise<number[]> {
  const found: number[] = [];
  let fresh = input;
  while (found.length < most) {
    const generateNext = { token: true, options: { temperature: 0 } };
    const outputs = await sequence.controlledEvaluate([
      ...fresh.slice(0, -1),
      [fresh.at(-1)!, { generateNext }],
    ]);
    const token = outputs.at(-1)!.next.token!;
    found.push(token);
    if (stopIds.includes(token)) break;
    fresh = [token];
  }
  return found;
}
