/**
 * Adds participants to a rollout by hooks of its loop: a planner that writes before the agent acts, users who speak
 * after observations, a note that the agent writes at the end, and the context rule that decides what the agent still
 * sees.
 *
 * What a participant says is environment text, not an action. The planner is the policy itself, so where planning is
 * trained, its plan is an action of the rollout.
 */
import type { Message, Participant, ParticipantView } from "../spec/index.ts";
import {
  appendLines,
  appendToLastMessage,
  type ContextOptions,
  continueIfFits,
  createContextRule,
  WRITING_REQUESTS,
} from "./context.ts";
import { callAcrossBoundary } from "./failure.ts";
import type { Conversation, RolloutHooks } from "./rollout-hooks.ts";

export interface RolloutHookOptions {
  readonly context: ContextOptions;
  /** The participants speak in this order after every observation. */
  readonly participants?: readonly Participant[];
  readonly planner?: {
    /**
     * The planner plans again after this many turns; 0 means only at the start. Planning again needs a growing context.
     */
    readonly every: number;
  };
  /** Says whose tokens are trained when there is a planner. */
  readonly trained?: "all" | "actor" | "planner";
  /** When this is true, the policy writes down what is worth knowing after the episode has ended. */
  readonly note?: boolean;
}

/** Creates the hooks of one rollout. They have state, so rollouts must not share them. */
export function createRolloutHooks(options: RolloutHookOptions): RolloutHooks {
  const { planner, participants = [], trained = "all" } = options;
  let context = createContextRule(options.context);
  const trainsPlans = trained !== "actor";
  let opening: readonly Message[] = [];
  /** The number of turns when the session began. Participants see the turns after it. */
  let earlierTurns = 0;
  let turnCount = 0;

  const promptToAct = (conversation: Conversation) =>
    continueIfFits(conversation.append({ role: "environment", content: WRITING_REQUESTS.act }));
  const writePlan = async (conversation: Conversation): Promise<string | undefined> =>
    conversation.writePart("plan", trainsPlans);

  return {
    trainsThisTurn: trained !== "planner",
    async beforeFirstTurn(conversation, messages) {
      opening = messages;
      context = createContextRule(options.context);
      earlierTurns = conversation.turns.length;
      turnCount = 0;
      if (!planner) return continueIfFits(conversation.startRow(messages));
      if (!conversation.startRow(appendToLastMessage(messages, WRITING_REQUESTS.plan)))
        return "token-limit";
      const text = await writePlan(conversation);
      if (text === undefined) return "cancelled";
      opening = appendToLastMessage(messages, `Plan: ${text}`);
      return promptToAct(conversation);
    },
    async betweenTurns(conversation, observation) {
      turnCount += 1;
      const extended = await letParticipantsSpeak(
        conversation,
        observation,
        participants,
        earlierTurns,
      );
      if (planner && planner.every > 0 && turnCount % planner.every === 0) {
        if (!conversation.append(appendLines(extended, WRITING_REQUESTS.plan)))
          return "token-limit";
        return (await writePlan(conversation)) === undefined
          ? "cancelled"
          : promptToAct(conversation);
      }
      const message = conversation.turns.findLast(({ part }) => part === undefined)?.message ?? "";
      return context(conversation, opening, { message, observation: extended });
    },
    ...(options.note && { afterLastTurn: writeNote }),
  };
}

/** Returns the observation with the participants' words appended, which are also recorded with the turn. */
async function letParticipantsSpeak(
  conversation: Conversation,
  observation: Message,
  participants: readonly Participant[],
  earlierTurns: number,
): Promise<Message> {
  const turns = conversation.turns.slice(earlierTurns);
  const scene: ParticipantView = { task: conversation.task, turns };
  const remarks: { from: string; text: string }[] = [];
  for (const participant of participants) {
    const text = await callAcrossBoundary("policy", () =>
      participant.speak(scene, conversation.signal),
    );
    if (text !== undefined) remarks.push({ from: participant.name, text });
  }
  if (remarks.length === 0) return observation;
  conversation.annotateLastTurn({ heard: remarks });
  return appendLines(observation, ...remarks.map(({ from, text }) => `${from}: ${text}`));
}

/** Lets the policy write a note, unless the note does not fit into the row. */
async function writeNote(conversation: Conversation, observation: Message): Promise<void> {
  if (conversation.append(appendLines(observation, WRITING_REQUESTS.note)))
    await conversation.writePart("note");
}

/** Creates a participant that repeats the instruction after every turn. */
export function instructionReminder(): Participant {
  return { name: "reminder", speak: async ({ task }) => task.instruction };
}

/**
 * Creates a participant that lists, after a failed turn, the code that has failed so far, oldest first. Code that
 * failed several times is listed once.
 */
export function failedCodeReminder(maxCodes = 4): Participant {
  return {
    name: "failed so far",
    speak: async ({ turns }) => {
      if (turns.at(-1)?.status === "ok") return undefined;
      const failed = turns.filter(({ part, status }) => part === undefined && status !== "ok");
      const codes = [...new Set(failed.map(({ code }) => code.trim()))];
      return codes.slice(-maxCodes).join("; ");
    },
  };
}
