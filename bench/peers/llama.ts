/**
 * Runs llama.cpp in this process with node-llama-cpp, which is no dependency of this repository and is installed in a
 * folder outside of it.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export interface Sequence {
  controlledEvaluate(
    input: readonly (number | [number, { generateNext: object }])[],
  ): Promise<readonly ({ next: NextToken } | undefined)[]>;
  clearHistory(): Promise<void>;
  readonly nextTokenIndex: number;
  eraseContextTokenRanges(ranges: readonly { start: number; end: number }[]): Promise<void>;
}
interface NextToken {
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

/** The file of a model, and of an adapter if there is one. */
export interface LlamaFile {
  readonly path: string;
  readonly lora?: string;
  readonly threads: number;
}

/** Starts llama.cpp from the folder in which node-llama-cpp is installed. */
export async function startLlama(folder: string, threads: number): Promise<Llama> {
  const entry = resolve(folder, "node_modules/node-llama-cpp/dist/index.js");
  const { getLlama } = (await import(pathToFileURL(entry).href)) as {
    getLlama(options: object): Promise<Llama>;
  };
  return getLlama({ gpu: false, build: "never", logLevel: "error", maxThreads: threads });
}

/** Loads a model, calls `use` with a sequence of it, and frees both. */
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

/** Appends `input` to a sequence and continues it greedily until a stop id, which is included, or `most` tokens. */
export async function continueGreedily(
  sequence: Sequence,
  input: readonly number[],
  { most, stopIds = [] }: { readonly most: number; readonly stopIds?: readonly number[] },
): Promise<number[]> {
  const continuation: number[] = [];
  let newTokens = input;
  while (continuation.length < most) {
    const generateNext = { token: true, options: { temperature: 0 } };
    const outputs = await sequence.controlledEvaluate([
      ...newTokens.slice(0, -1),
      [newTokens.at(-1)!, { generateNext }],
    ]);
    const token = outputs.at(-1)!.next.token!;
    continuation.push(token);
    if (stopIds.includes(token)) break;
    newTokens = [token];
  }
  return continuation;
}
