/** Steps of goals, rules, verdicts and the code of solutions for tasks in which the agent asks the owner. */
import {
  AGENT,
  askOwner,
  botheredAtMost,
  type Decision,
  type GoalTime,
  type HistoryRule,
  nothingAskedTwice,
  type OwnerMessage,
  ownerApp,
  ownerMessages,
  ownerQuestions,
  type Reader,
  type Table,
  type TableRow,
  type Writer,
  type Writing,
  writes,
} from "bowline/world";
import { isInOrder, type Written } from "./verdict.ts";

/** The words of which a question for leave names one. */
export const MAY = "may|can|could|shall|should|leave|okay|ok|agree|allow|approve|permission";

/** The longest time in minutes that the owner takes to answer. */
const ANSWER_MINUTES = 30;

/** Asks the owner in a goal, and lets so much time pass that the answer is there. */
export function askInGoal(db: Writer, time: GoalTime, question: string): void {
  askOwner(db, time.now(), question);
  time.wait(ANSWER_MINUTES + 1);
}

const answersAbout =
  (topic: string | null, decision?: Decision) =>
  (row: OwnerMessage): boolean =>
    topic === null
      ? row.question === null
      : row.topic === topic && (decision === undefined || row.decision === decision);

/** The owner's answer about a topic; with null, what the owner says without being asked. */
export const ownerSays = (topic: string | null): Writing =>
  writes(
    topic === null ? "what the owner says by itself" : `the owner's answer about ${topic}`,
    ownerMessages,
    answersAbout(topic),
    ownerApp.name,
  );

/** The rules that the owner is asked nothing twice and is bothered with at most one needless question. */
export const ownerIsSpared: readonly HistoryRule[] = [nothingAskedTwice(), botheredAtMost(1)];

// For verdicts.

/** What the owner said about a topic, for `isInOrder`. */
export const saidByOwner = (topic: string | null, decision?: Decision): Written<OwnerMessage> => ({
  author: ownerApp.name,
  table: ownerMessages,
  where: answersAbout(topic, decision),
});

/** What the agent wrote to a table, for `isInOrder`. */
export const writtenByAgent = <R extends TableRow>(
  table: Table<R>,
  where: (row: R) => boolean = () => true,
): Written<R> => ({ author: AGENT, table, where });

/** Returns true when the owner was asked about the topic once, and about other things at most once in vain. */
export function isOwnerSpared(end: Reader): boolean {
  const outcomes = end.all(ownerQuestions).map(({ outcome }) => outcome);
  const vain = outcomes.filter((outcome) => outcome !== "answered" && outcome !== "repeated");
  return !outcomes.includes("repeated") && vain.length <= 1;
}

export { isInOrder };

/**
 * Declares functions for solutions, after `HELPERS_CODE`: `askMe(question)` asks the owner and returns the answer, and
 * `toldByMe()` lists what the owner has said without being asked, the newest first.
 */
export const OWNER_CODE = `function askMe(question) {
  apis.owner.ask({ question });
  return waitFor(() => apis.owner.listMessages({}).items.find((said) => said.question === question)).text;
}
function toldByMe() {
  return apis.owner.listMessages({}).items.filter(({ question }) => question === null);
}`;
