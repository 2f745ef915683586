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
  type ContextOptions,
  contextRule,
  endingWith,
  fitting,
  REQUESTS,
  withText,
} from "./context.ts";
import { at } from "./failure.ts";
import type { Conversation, RolloutHooks } from "./hooks.ts";

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
export function rolloutHooks(options: HookOptions): RolloutHooks {
  const { planner, participants = [], trained = "all" } = options;
  const context = contextRule(options.context);
  const plans = trained !== "actor";
  let opening: readonly Message[] = [];
  let cells = 0;

  const act = (conversation: Conversation) =>
    fitting(conversation.hear({ role: "environment", content: REQUESTS.act }));
  const plan = async (conversation: Conversation): Promise<string | undefined> =>
    conversation.write("plan", plans);

  return {
    trainsActor: trained !== "planner",
    async open(conversation, messages) {
      opening = messages;
      if (!planner) return fitting(conversation.start(messages));
      if (!conversation.start(endingWith(messages, REQUESTS.plan))) return "token-limit";
      const text = await plan(conversation);
      if (text === undefined) return "cancelled";
      opening = endingWith(messages, `Plan: ${text}`);
      return act(conversation);
    },
    async between(conversation, observation) {
      cells += 1;
      const heard = await listen(conversation, observation, participants);
      if (planner && planner.every > 0 && cells % planner.every === 0) {
        if (!conversation.hear(withText(heard, REQUESTS.plan))) return "token-limit";
        return (await plan(conversation)) === undefined ? "cancelled" : act(conversation);
      }
      const message = conversation.turns.findLast(({ part }) => part === undefined)?.message ?? "";
      return context(conversation, opening, { message, observation: heard });
    },
    ...(options.note && { close: leaveNote }),
  };
}

/** The observation with what the participants say to it, which is recorded with the turn. */
async function listen(
  conversation: Conversation,
  observation: Message,
  participants: readonly Participant[],
): Promise<Message> {
  const scene: Scene = { task: conversation.task, turns: conversation.turns };
  const heard: { from: string; text: string }[] = [];
  for (const participant of participants) {
    const text = await at("policy", () => participant.speak(scene, conversation.signal));
    if (text !== undefined) heard.push({ from: participant.name, text });
  }
  if (heard.length === 0) return observation;
  conversation.annotate({ heard });
  return withText(observation, ...heard.map(({ from, text }) => `${from}: ${text}`));
}

/** Without room for it there is no note. */
async function leaveNote(conversation: Conversation, observation: Message): Promise<void> {
  if (conversation.hear(withText(observation, REQUESTS.note))) await conversation.write("note");
}

/** Says the instruction again after every turn. */
export function reminder(): Participant {
  return { name: "reminder", speak: async ({ task }) => task.instruction };
}

/**
 * A feedback buffer within the episode: after a turn that failed, what has failed so far, oldest first. A code that failed
 * twice is named once.
 */
export function errorBuffer(most = 4): Participant {
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
