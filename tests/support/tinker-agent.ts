/**
 * An agent that knows an address and a key, and its training against a server of a published model: three questions an
 * episode, the last of them asked from an earlier point, which makes a row of its own.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { AgentContext, TaskAgentOptions } from "../../src/server/index.ts";

/** Of the server, and of the agent's tokenizer and chat template. */
export const QWEN = fileURLToPath(new URL("../golden/hf-qwen2", import.meta.url));

export interface Question {
  readonly id: string;
  readonly word: string;
}

const questions = (count: number, from = 0): Question[] =>
  Array.from({ length: count }, (_, i) => ({ id: `q${from + i}`, word: "abcd"[i % 4]! }));

type Said = { readonly role: string; readonly content: string };

async function say({ baseURL, apiKey, signal }: AgentContext, messages: readonly Said[]) {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ messages, max_tokens: 6 }),
    signal,
  });
  assert.equal(response.status, 200);
  const { choices } = (await response.json()) as { choices: { message: Said }[] };
  return choices[0]!.message;
}

/** Two questions one behind the other, and the second one again from where the first was answered: a branch. */
async function threeQuestions({ word }: Question, context: AgentContext): Promise<number> {
  const first: Said[] = [{ role: "user", content: `Say ${word}.` }];
  const answer = await say(context, first);
  const gone = [...first, answer];
  await say(context, [...gone, { role: "user", content: "Again." }]);
  const { content } = await say(context, [...gone, { role: "user", content: "Once more." }]);
  return /^[a-m]/i.test(content) ? 1 : 0;
}

/** Two iterations of four groups of four. `played` is told the session of every episode that begins. */
export const agentOn = (
  url: string,
  out: string,
  more: Partial<TaskAgentOptions<Question>> = {},
  played: (session: string) => void = () => {},
): TaskAgentOptions<Question> => ({
  tasks: { train: questions(6), dev: questions(2, 100) },
  run: (task, context) => {
    played(context.session.id);
    return threeQuestions(task, context);
  },
  out,
  ...more,
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
    ...more.overrides,
  },
});
