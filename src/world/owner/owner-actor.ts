/** The scripted owner as an actor: it answers what it was asked, and says by itself what a task has planned. */
import { writtenRows } from "../actors/rules.ts";
import {
  type Actor,
  type ActorEvent,
  AGENT,
  defineActor,
  type Reader,
  type Writer,
} from "../define.ts";
import {
  type Decision,
  OWNER,
  type OwnerMessage,
  type OwnerQuestion,
  ownerMessages,
  ownerQuestions,
  ownerReactions,
  ownerTopics,
} from "./tables.ts";

/** How long the owner takes. */
export interface OwnerActorOptions {
  /** The least and the greatest number of minutes until an answer. The default is 5 to 30. */
  readonly minutes?: readonly [least: number, greatest: number];
}

/**
 * Makes the actor `owner`, which answers questions of the app `ownerApp`. The setup of a task plans what it says by
 * itself: `plan("owner", "say", 40, { text: "Make it two.", topic: "number", answer: "Two." })`. With a topic, the
 * answer or the decision replaces what the owner would have answered until then.
 */
export function makeOwnerActor({
  minutes: [least, greatest] = [5, 30],
}: OwnerActorOptions = {}): Actor {
  return defineActor({
    name: OWNER,
    notice: ({ db, rng, schedule }, entry) => {
      if (entry.author !== AGENT) return;
      for (const { id, text } of writtenRows(entry, ownerQuestions))
        schedule("answer", rng.child(text).integer(least, greatest), { question: id });
      for (const { id, table, minutes } of db.all(ownerReactions))
        if (entry.rows.some((row) => row.table === table))
          schedule("react", minutes, { reaction: id });
    },
    events: {
      answer: ({ db, now, owner, notify }, { data }) => {
        const question = db.get(ownerQuestions, Number(data["question"]))!;
        db.insert(ownerMessages, { at: now, ...answerQuestion(db, question) });
        notify(OWNER, `${owner.name} has answered you.`);
      },
      say: ({ db, now, owner, notify }, { data }) => {
        sayByItself(db, now, readSaying(data));
        notify(OWNER, `${owner.name} has written to you.`);
      },
      react: ({ db, now, owner, notify }, { data }) => {
        const reaction = db.get(ownerReactions, Number(data["reaction"]));
        if (!reaction) return;
        db.remove(ownerReactions, reaction.id);
        sayByItself(db, now, reaction);
        notify(OWNER, `${owner.name} has written to you.`);
      },
    },
  });
}

function answerQuestion(
  db: Reader,
  { id, topic, outcome }: OwnerQuestion,
): Omit<OwnerMessage, "id" | "at"> {
  const known = db.all(ownerTopics).find(({ name }) => name === topic);
  const say = (text: string, decision: Decision | null = null) => ({
    ...{ text, topic, decision },
    question: id,
  });
  if (outcome === "unclear") return say("One thing at a time, please.");
  if (outcome === "needless") return say("Please look that up yourself.");
  if (!known) return say("I don't mind, decide yourself.");
  const { answer, decision } = known;
  return say(outcome === "repeated" ? `I have told you already: ${answer}` : answer, decision);
}

/** What the owner says by itself. With a topic, it also changes what the owner answers from then on. */
interface Saying {
  readonly text: string;
  readonly topic: string | null;
  readonly answer: string | null;
  readonly decision: Decision | null;
}

function readSaying({
  text,
  topic = null,
  answer = null,
  decision = null,
}: ActorEvent["data"]): Saying {
  return {
    text: String(text),
    topic: topic as string | null,
    answer: answer as string | null,
    decision: decision as Decision | null,
  };
}

function sayByItself(db: Writer, at: string, { text, topic, answer, decision }: Saying): void {
  db.insert(ownerMessages, { at, text, topic, decision, question: null });
  const known = db.all(ownerTopics).find(({ name }) => name === topic);
  if (!known) return;
  db.update(ownerTopics, known.id, {
    answer: answer ?? known.answer,
    decision: decision ?? known.decision,
  });
}
