/**
 * Continues many sequences at once in llama.cpp, greedily. Each sequence has its own prompt, which llama.cpp has
 * already read.
 */
import type { Llama } from "./llama.ts";
import type { PeerContext } from "./peer-context.ts";

/** llama.cpp, and the path of Bowline's weights as a GGUF file. */
export interface LlamaSide {
  readonly llama: Llama;
  readonly path: string;
}

/** Continues every row, and returns the new tokens and the time. */
export type ContinueRows = (
  maxTokens: number,
) => Promise<{ readonly ms: number; readonly tokens: readonly (readonly number[])[] }>;

/**
 * Loads the model and reads the prompts. The returned function `next` continues all rows and then goes back to the end
 * of the prompts.
 */
export async function startLlamaSteps(
  { llama, path }: LlamaSide,
  prompts: readonly (readonly number[])[],
  { threads }: Pick<PeerContext, "threads">,
): Promise<{ readonly next: ContinueRows; readonly close: () => Promise<void> }> {
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
  const context = await model.createContext({
    contextSize: 512,
    sequences: prompts.length,
    threads,
  });
  const length = prompts[0]!.length - 1;
  const rows = prompts.map((tokens) => ({ sequence: context.getSequence(), last: tokens.at(-1)! }));
  await Promise.all(
    rows.map(({ sequence }, i) => sequence.controlledEvaluate(prompts[i]!.slice(0, length))),
  );
  const sampleNextToken = async ({ sequence }: (typeof rows)[number], token: number) => {
    const generateNext = { token: true, options: { temperature: 0 } };
    const outputs = await sequence.controlledEvaluate([[token, { generateNext }]]);
    return outputs.at(-1)!.next.token!;
  };
  const continueRows: ContinueRows = async (maxTokens) => {
    const start = performance.now();
    const tokens: number[][] = rows.map(() => []);
    for (let i = 0; i < maxTokens; i++) {
      const said = rows.map((row, r) => sampleNextToken(row, tokens[r]!.at(-1) ?? row.last));
      for (const [r, token] of (await Promise.all(said)).entries()) tokens[r]!.push(token);
    }
    const ms = performance.now() - start;
    for (const { sequence } of rows) {
      const end = sequence.nextTokenIndex;
      await sequence.eraseContextTokenRanges([{ start: length, end }]);
    }
    return { ms, tokens };
  };
  const close = async () => {
    await context.dispose();
    await model.dispose();
  };
  return { next: continueRows, close };
}
