/** The agent and the engine of the controller's measurement: the react prompt, and a client of the server. */
import { join } from "node:path";
import { chatRenderer, reactScaffold } from "../../agent/index.ts";
import { createTinkerEngine } from "../../engine/index.ts";
import type { Engine, Renderer, Scaffold, TaskInfo } from "../../spec/index.ts";
import {
  CHAT_TOKENS,
  createNewModelText,
  defaultChatFormat,
  openTextDirectory,
  trainTokenizer,
} from "../../text/index.ts";

/** What every sample says: one call to the world. */
export const MESSAGE = "I look around.\n\n```js\nprint(apis.docs.listApps({}));\n```";

const CONTEXT_LENGTH = 32_768;
/** With a tokenizer of this size, the react prompt has about as many tokens as a long row of the paper. */
const VOCABULARY = { vocabularySize: 278, minimumCount: 2, specials: CHAT_TOKENS };

export interface BenchAgent {
  readonly scaffold: Scaffold;
  readonly renderer: Renderer;
  readonly vocabularySize: number;
}

/** Creates the agent with the tokenizer and the chat template of `model`, or with a small tokenizer of its own. */
export function createBenchAgent(model: string | undefined): BenchAgent {
  const text = model === undefined ? createBenchText() : openTextDirectory(model);
  const { tokenizer, generation } = text;
  const template = text.chatTemplate();
  return {
    scaffold: reactScaffold({}, tokenizer),
    renderer: chatRenderer({ template, tokenizer, stopIds: generation.stopIds }),
    vocabularySize: tokenizer.vocabularySize,
  };
}

/** Trains a tokenizer on the prompt and gives it the chat template of new models. */
function createBenchText() {
  const task: TaskInfo = {
    id: "train/0/1",
    scenario: "train/0",
    split: "train",
    difficulty: 1,
    signature: "",
    instruction: "",
  };
  const texts = reactScaffold()
    .start(task)
    .map(({ content }) => content);
  return createNewModelText(trainTokenizer(texts, VOCABULARY), defaultChatFormat(CONTEXT_LENGTH));
}

/** Opens a client that records its calls, as a run does. */
export function openBenchEngine(
  url: string,
  { vocabularySize }: BenchAgent,
  {
    seed,
    rollouts,
    root,
  }: { readonly seed: number; readonly rollouts: number; readonly root: string },
): Promise<Engine> {
  return createTinkerEngine({
    url,
    seed,
    vocabularySize,
    rank: 8,
    contextLength: CONTEXT_LENGTH,
    directory: join(root, "engine"),
    maxSamples: rollouts,
    // The server does not train, so nothing of it is measured.
    traits: {
      reduction: "sum",
      rlWeights: true,
      forward: "forward",
      gradientClip: true,
      gradientNorm: true,
      frozenSamplers: true,
      promptLogprobs: true,
      sampleLogprobs: "tempered",
      deduplicates: true,
    },
  });
}
