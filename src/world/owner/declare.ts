/** What the setup and the goal of a task do with the owner: they declare what the owner knows, and ask. */
import type { Writer } from "../define.ts";
import { recogniseQuestion } from "./recognise-question.ts";
import {
  type Decision,
  type OwnerQuestion,
  type OwnerReaction,
  ownerQuestions,
  ownerReactions,
  ownerTopics,
} from "./tables.ts";

/** Something that the owner knows, prefers or decides, as the setup of a task declares it. */
export interface OwnerTopic {
  /** A name that is unique in the task, for rules. The agent does not see it. */
  readonly name: string;
  /**
   * What a question about it names: one word of each entry, such as `["budget|spend", "hotel|room"]`. Forms of a word
   * are equal, and so are "$1,250.00" and "1250". Of several topics, the one with the most entries is meant.
   */
  readonly words: readonly string[];
  /** What the owner answers. */
  readonly answer: string;
  /** What the owner decides, if the agent asks for leave. */
  readonly decision?: Decision;
  /** True when the agent can find it out itself, so that the owner does not answer and is bothered. */
  readonly isNeedless?: boolean;
}

/** Adds something that the owner knows, prefers or decides. Call it in the setup of a task. */
export function addOwnerTopic(db: Writer, topic: OwnerTopic): void {
  const { name, words, answer, decision = null, isNeedless = false } = topic;
  db.insert(ownerTopics, { name, words, answer, decision, isNeedless });
}

/** Lets the owner say something a number of minutes after the agent has first written into a table. */
export function addOwnerReaction(
  db: Writer,
  reaction: Pick<OwnerReaction, "table" | "minutes" | "text"> &
    Partial<Pick<OwnerReaction, "topic" | "answer" | "decision">>,
): void {
  db.insert(ownerReactions, { topic: null, answer: null, decision: null, ...reaction });
}

/** Writes a question to the owner, as `owner.ask` does, so that a goal can ask. The answer comes after some minutes. */
export function askOwner(db: Writer, now: string, text: string): OwnerQuestion {
  const { topic, outcome } = recogniseQuestion(text, db.all(ownerTopics), db.all(ownerQuestions));
  return db.insert(ownerQuestions, { at: now, text, topic, outcome });
}
