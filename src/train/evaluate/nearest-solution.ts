/**
 * A policy that copies the solution of the most similar training task and replaces its values, such as names and dates.
 * It measures a world, not a model. If it scores well, the test tasks resemble the training tasks so much that they
 * test only recall.
 *
 * It does not understand what it reads. Two instructions are similar when they share rare words (cosine of inverse
 * document frequencies, with values masked). Values of the training instruction that occur in its solution are replaced
 * by those of the test instruction, by type and in order of appearance.
 */
import type { Demonstration, Message, Policy, TaskInfo } from "../../spec/index.ts";

const FINISH = "await apis.me.finishTask({});";

/** Creates the policy. `demonstrations` are careful solutions of training tasks. */
export function createNearestSolutionPolicy(demonstrations: readonly Demonstration[]): Policy {
  const weigh = inverseDocumentFrequency(demonstrations.map(({ task }) => task.instruction));
  const known = demonstrations.map((demonstration) => ({
    demonstration,
    vector: weigh(demonstration.task.instruction),
  }));
  const programs = new Map<string, readonly string[]>();
  const programFor = (task: TaskInfo) => {
    const program =
      programs.get(task.id) ?? adaptSolution(findMostSimilar(weigh(task.instruction), known), task);
    programs.set(task.id, program);
    return program;
  };
  return {
    kind: "messages",
    async complete(messages: readonly Message[], task: TaskInfo) {
      const turn = messages.filter(({ role }) => role === "assistant").length;
      return programFor(task)[turn] ?? FINISH;
    },
  };
}

type Vector = ReadonlyMap<string, number>;

interface KnownTask {
  readonly demonstration: Demonstration;
  readonly vector: Vector;
}

function inverseDocumentFrequency(texts: readonly string[]): (text: string) => Vector {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(listWordsAndPairs(text)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const weight = (word: string) => Math.log((texts.length + 1) / ((counts.get(word) ?? 0) + 1));
  return (text) => {
    const raw = [...new Set(listWordsAndPairs(text))].map((word): [string, number] => [
      word,
      weight(word),
    ]);
    const length = Math.hypot(...raw.map(([, w]) => w)) || 1;
    return new Map(raw.map(([word, w]) => [word, w / length]));
  };
}

/** Returns the words and the pairs of neighbouring words of a text. Values are masked. */
function listWordsAndPairs(text: string): string[] {
  const masked = findSlots(text).reduce(
    (rest, { text: value, type }) => rest.replace(value, ` ${type} `),
    text,
  );
  const words = masked
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  return [...words, ...words.slice(1).map((word, i) => `${words[i]} ${word}`)];
}

function findMostSimilar(vector: Vector, known: readonly KnownTask[]): Demonstration {
  const cosine = (other: Vector) =>
    [...vector].reduce((sum, [word, weight]) => sum + weight * (other.get(word) ?? 0), 0);
  const scored = known.map(({ demonstration, vector: other }) => ({
    demonstration,
    score: cosine(other),
  }));
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).demonstration;
}

const SLOT_PATTERNS = {
  quote: /"[^"]+"/,
  money: /\$\d+(?:\.\d\d?)?/,
  day: /\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}/,
  name: /\b[A-Z][a-z]+ [A-Z][a-z]+\b/,
  number: /\b\d+(?:\.\d+)?\b/,
} as const;
type SlotType = keyof typeof SLOT_PATTERNS;
const ANY_SLOT_PATTERN = new RegExp(
  Object.entries(SLOT_PATTERNS)
    .map(([type, pattern]) => `(?<${type}>${pattern.source})`)
    .join("|"),
  "g",
);

interface Slot {
  readonly type: SlotType;
  readonly text: string;
}

function findSlots(instruction: string): Slot[] {
  return [...instruction.matchAll(ANY_SLOT_PATTERN)].map(({ 0: text, groups }) => ({
    type: Object.entries(groups!).find(([, value]) => value !== undefined)![0] as SlotType,
    text,
  }));
}

/** Returns the code of a training task's solution, in which the values of `task` replace those of the training task. */
function adaptSolution({ task: source, turns }: Demonstration, task: TaskInfo): string[] {
  const [from, to] = [findSlots(source.instruction), findSlots(task.instruction)];
  const swaps = (Object.keys(SLOT_PATTERNS) as SlotType[]).flatMap((type) => {
    const mine = to.filter((slot) => slot.type === type);
    return from
      .filter((slot) => slot.type === type)
      .flatMap(({ text }, i): [string, string][] =>
        mine[i] ? [[valueInCode(type, text), valueInCode(type, mine[i].text)]] : [],
      );
  });
  return turns.map(({ code }) => replaceValues(code, swaps));
}

/** Returns a value of an instruction in the form in which code writes it. */
function valueInCode(type: SlotType, text: string): string {
  if (type === "money") return String(Number(text.slice(1)));
  if (type === "name") return JSON.stringify(text);
  if (type === "day") return JSON.stringify(new Date(`${text} UTC`).toISOString().slice(0, 10));
  return text;
}

/** Replaces all values in one pass, so that a value which was inserted is not replaced again. */
function replaceValues(code: string, swaps: readonly (readonly [string, string])[]): string {
  if (swaps.length === 0) return code;
  const values = new Map(swaps);
  const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const bounded = [...values.keys()].map((value) =>
    /^\d/.test(value) ? `\\b${escapePattern(value)}\\b` : escapePattern(value),
  );
  return code.replace(new RegExp(bounded.join("|"), "g"), (value) => values.get(value)!);
}
