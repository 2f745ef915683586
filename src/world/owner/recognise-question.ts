/**
 * How the owner recognises a question: by the topic whose words it names. A question that names the words of several
 * topics is not answered, so that nobody learns everything with one list of words.
 */
import { stem } from "../words/index.ts";
import type { OwnerQuestion, OwnerTopicRow, QuestionOutcome } from "./tables.ts";

/** Returns the topic of a question, and what becomes of the question after those that were asked before. */
export function recogniseQuestion(
  text: string,
  topics: readonly OwnerTopicRow[],
  asked: readonly OwnerQuestion[],
): { readonly topic: string | null; readonly outcome: QuestionOutcome } {
  const named = new Set(cutWords(text));
  const fitting = topics.filter(({ words }) => words.every((entry) => namesEntry(named, entry)));
  const entries = Math.max(0, ...fitting.map(({ words }) => words.length));
  const [topic, ...others] = fitting.filter(({ words }) => words.length === entries);
  if (!topic) return { topic: null, outcome: "unknown" };
  if (others.length > 0) return { topic: null, outcome: "unclear" };
  return { topic: topic.name, outcome: judgeQuestion(topic, asked) };
}

function judgeQuestion(topic: OwnerTopicRow, asked: readonly OwnerQuestion[]): QuestionOutcome {
  if (topic.isNeedless) return "needless";
  return asked.some((question) => question.topic === topic.name) ? "repeated" : "answered";
}

/** True if the question names one of the entry's words, of which each may consist of several. */
function namesEntry(named: ReadonlySet<string>, entry: string): boolean {
  return entry.split("|").some((phrase) => cutWords(phrase).every((word) => named.has(word)));
}

/** Cuts a text into stems of words, and numbers in one form: "$1,250.00" is "1250". */
function cutWords(text: string): string[] {
  const parts =
    text.toLowerCase().match(/\d[\d,]*(?:\.\d+)?(?![\p{L}\p{N}])|[\p{L}\p{N}]+/gu) ?? [];
  return parts.map((part) =>
    /^[\d,.]+$/.test(part) ? String(Number(part.replaceAll(",", ""))) : stem(part),
  );
}
