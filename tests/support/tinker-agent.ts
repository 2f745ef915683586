/**
 * An agent that only knows a URL and a key, and the options to train it on a server with a published model. The agent
 * asks three questions in each episode. It asks the last question from an earlier point of the conversation, so that
 * the last question becomes a row of its own.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { AgentContext, TaskAgentOptions } from "../../src/server/index.ts";

/** The folder of the model that the server serves and whose tokenizer and chat template the agent uses. */
export const QWEN = fileURLToPath(new URL("../golden/hf-qwen2", import.meta.url));

export interface Question {
  readonly id: string;
  readonly word: string;
}

const createQuestions = (count: number, from = 0): Question[] =>
  Array.from({ length: count }, (_, i) => ({ id: `q${from + i}`, word: "abcd"[i % 4]! }));

type ChatMessage = { readonly role: string; readonly content: string };

async function askModel(
  { baseURL, apiKey, signal }: AgentContext,
  messages: readonly ChatMessage[],
) {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ messages, max_tokens: 6 }),
    signal,
  });
  assert.equal(response.status, 200);
  const { choices } = (await response.json()) as { choices: { message: ChatMessage }[] };
  return choices[0]!.message;
}

/** Asks two questions in a row, then a third one in place of the second, which makes a branch. Returns the reward. */
async function askThreeQuestions({ word }: Question, context: AgentContext): Promise<number> {
  const first: ChatMessage[] = [{ role: "user", content: `Say ${word}.` }];
  const answer = await askModel(context, first);
  const answered = [...first, answer];
  await askModel(context, [...answered, { role: "user", content: "Again." }]);
  const { content } = await askModel(context, [
    ...answered,
    { role: "user", content: "Once more." },
  ]);
  return /^[a-m]/i.test(content) ? 1 : 0;
}

/** Options for two iterations of four groups of four. `onEpisodeStart` gets the session of every new episode. */
export const createAgentOptions = (
  url: string,
  out: string,
  options: Partial<TaskAgentOptions<Question>> = {},
  onEpisodeStart: (session: string) => void = () => {},
): TaskAgentOptions<Question> => ({
  tasks: { train: createQuestions(6), dev: createQuestions(2, 100) },
  run: (task, context) => {
    onEpisodeStart(context.session.id);
    return askThreeQuestions(task, context);
  },
  out,
  ...options,
  overrides: {
    "engine.name": "tinker",
    "engine.url": url,
    "engine.model": QWEN,
    "model.contextLength": 192,
    "scaffold.maxTokens": 192,
    "algo.iterations": 2,
    "algo.tasksPerIteration": 4,
    "algo.groupSize": 4,
    "optimizer.learningRate": 0.01,
    "optimizer.finalRate": 1,
    "world.episodes": 8,
    ...options.overrides,
  },
});
