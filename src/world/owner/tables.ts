/**
 * What the scripted owner knows, was asked and has said. Checks compare none of these columns: what counts is what the
 * agent does with the answers, and the rules of `rules.ts`.
 */
import { type ColumnClass, defineTable } from "../define.ts";

/** The name of the scripted owner as an author and as an app. */
export const OWNER = "owner";

/** A decision of the owner: whether the agent may do what it asked for. */
export type Decision = "yes" | "no";

/** A row of what the owner knows, prefers or decides. */
export type OwnerTopicRow = {
  readonly id: number;
  readonly name: string;
  /** The words that a question about it names; see `OwnerTopic`. */
  readonly words: readonly string[];
  readonly answer: string;
  readonly decision: Decision | null;
  readonly isNeedless: boolean;
};

/**
 * What became of a question. The owner is bothered by all but `answered`: by what it has said before (`repeated`), by
 * what the agent could find itself (`needless`), by several things at once (`unclear`), and by what it does not mind
 * (`unknown`).
 */
export type QuestionOutcome = "answered" | "repeated" | "needless" | "unclear" | "unknown";

/** A question of the agent. */
export type OwnerQuestion = {
  readonly id: number;
  readonly at: string;
  readonly text: string;
  /** The topic that the owner recognised. */
  readonly topic: string | null;
  readonly outcome: QuestionOutcome;
};

/** What the owner said. */
export type OwnerMessage = {
  readonly id: number;
  readonly at: string;
  readonly text: string;
  /** The id of the question that it answers; null for what the owner says without being asked. */
  readonly question: number | null;
  readonly topic: string | null;
  readonly decision: Decision | null;
};

/** What the owner says after the agent has written into a table for the first time. */
export type OwnerReaction = {
  readonly id: number;
  readonly table: string;
  readonly minutes: number;
  readonly text: string;
  readonly topic: string | null;
  readonly answer: string | null;
  readonly decision: Decision | null;
};

const bookkeeping = <C extends string>(...columns: C[]) =>
  Object.fromEntries(columns.map((column) => [column, "bookkeeping"])) as Record<C, ColumnClass>;

/** What the owner knows, prefers and decides. */
export const ownerTopics = defineTable<OwnerTopicRow>("owner.topics", {
  classes: bookkeeping("name", "words", "answer", "decision", "isNeedless"),
});
/** The questions of the agent. */
export const ownerQuestions = defineTable<OwnerQuestion>("owner.questions", {
  classes: bookkeeping("at", "text", "topic", "outcome"),
});
/** What the owner said. */
export const ownerMessages = defineTable<OwnerMessage>("owner.messages", {
  classes: bookkeeping("at", "text", "question", "topic", "decision"),
});
/** What the owner will say once the agent has written into a table. */
export const ownerReactions = defineTable<OwnerReaction>("owner.reactions", {
  classes: bookkeeping("table", "minutes", "text", "topic", "answer", "decision"),
});
