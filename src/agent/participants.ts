/**
 * Who takes part in a rollout beside the agent's own turns, as hooks of the one loop: a planner that writes before the
 * agent acts, a user who speaks behind observations, a note that the agent leaves at the end, and the context rule that
 * decides what of all this is still seen.
 *
 * What a participant says is environment text and no action. A planner is the policy itself: its plan is an action of the
 * rollout where planning is trained.
 */
import type { Message, Participant, Scene } from "../spec/index.ts";
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

export interface HookOptions {
  readonly context: ContextOptions;
  /** Speak in this order behind every observation. */
  readonly participants?: readonly Participant[];
  readonly planner?: {
    /** Plans again after every so many turns; 0: only at the start. Needs a growing context. */
    readonly every: number;
  };
  /** Whose tokens are actions, where there is a planner. */
  readonly trained?: "all" | "actor" | "planner";
  /** The policy writes down what is worth knowing once the episode has ended. */
  readonly note?: boolean;
}

/** Hooks with their memory, for one rollout. */
export function createRolloutHooks(options: HookOptions): RolloutHooks {
  const { planner, participants = [], trained = "all" } = options;
  const context = createContextRule(options.context);
  const trainsPlans = trained !== "actor";
  let opening: readonly Message[] = [];
  let turnCount = 0;

  const promptToAct = (conversation: Conversation) =>
    continueIfFits(conversation.append({ role: "environment", content: WRITING_REQUESTS.act }));
  const writePlan = async (conversation: Conversation): Promise<string | undefined> =>
    conversation.writePart("plan", trainsPlans);

  return {
    trainsActor: trained !== "planner",
    async beforeFirstTurn(conversation, messages) {
      opening = messages;
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
      const heard = await letParticipantsSpeak(conversation, observation, participants);
      if (planner && planner.every > 0 && turnCount % planner.every === 0) {
        if (!conversation.append(appendLines(heard, WRITING_REQUESTS.plan))) return "token-limit";
        return (await writePlan(conversation)) === undefined
          ? "cancelled"
          : promptToAct(conversation);
      }
      const message = conversation.turns.findLast(({ part }) => part === undefined)?.message ?? "";
      return context(conversation, opening, { message, observation: heard });
    },
    ...(options.note && { afterLastTurn: writeNote }),
  };
}

/** The observation with what the participants say to it, which is recorded with the turn. */
async function letParticipantsSpeak(
  conversation: Conversation,
  observation: Message,
  participants: readonly Participant[],
): Promise<Message> {
  const scene: Scene = { task: conversation.task, turns: conversation.turns };
  const heard: { from: string; text: string }[] = [];
  for (const participant of participants) {
    const text = await callAcrossBoundary("policy", () =>
      participant.speak(scene, conversation.signal),
    );
    if (text !== undefined) heard.push({ from: participant.name, text });
  }
  if (heard.length === 0) return observation;
  conversation.annotateLastTurn({ heard });
  return appendLines(observation, ...heard.map(({ from, text }) => `${from}: ${text}`));
}

/** Without room for it there is no note. */
async function writeNote(conversation: Conversation, observation: Message): Promise<void> {
  if (conversation.append(appendLines(observation, WRITING_REQUESTS.note)))
    await conversation.writePart("note");
}

/** Says the instruction again after every turn. */
export function instructionReminder(): Participant {
  return { name: "reminder", speak: async ({ task }) => task.instruction };
}

/**
 * A feedback buffer within the episode: after a turn that failed, what has failed so far, oldest first. A code that failed
 * twice is named once.
 */
export function failedCodeReminder(most = 4): Participant {
  return {
    name: "failed so far",
    speak: async ({ turns }) => {
      if (turns.at(-1)?.status === "ok") return undefined;
      const failed = turns.filter(({ part, status }) => part === undefined && status !== "ok");
      const codes = [...new Set(failed.map(({ code }) => code.trim()))];
      return codes.slice(-most).join("; ");
    },
  };
}
