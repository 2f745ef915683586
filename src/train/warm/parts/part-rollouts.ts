/**
 * Replays a demonstration so that it shows a part other than code: something that the policy writes, such as a plan, or
 * something that it reads, such as a memory.
 */
import {
  type ContextOptions,
  failedCodeReminder,
  type ImitationRow,
  instructionReminder,
  judgeRolePrompt,
  maskFirstTurns,
  TRY_AGAIN,
  userRolePrompt,
} from "../../../agent/index.ts";
import type { Rng } from "../../../core/index.ts";
import {
  composeRewritePrompt,
  rolloutOfDemonstration,
  TEXT_NAMES,
  textPromptLines,
} from "../../../methods/index.ts";
import type {
  Demonstration,
  Participant,
  Rollout,
  RolloutTokens,
  Turn,
} from "../../../spec/index.ts";
import type { WarmPart } from "../../config/warm-parts.ts";
import type { Agent } from "../../parts/agent.ts";
import {
  listCalledApis,
  REWRITTEN_TEXTS,
  writeMark,
  writeNote,
  writeUserAnswer,
} from "./part-texts.ts";
import { replayDemonstration, replayParticipant } from "./replay.ts";

/** What a demonstration of a part is made from. */
export interface PartContext extends Agent {
  readonly rng: Rng;
  /** All configured parts. They matter because a state may be combined with a plan. */
  readonly parts: readonly WarmPart[];
  /** Another demonstration. It is of the same kind of task, if there is one. */
  readonly other: Demonstration;
}

type MakePartRollouts = (
  demonstration: Demonstration,
  context: PartContext,
) => Promise<readonly Rollout[]>;

/** Encodes a demonstration that shows this part. The result is empty if it exceeds the scaffold's limits. */
export async function encodePartDemonstration(
  part: WarmPart,
  demonstration: Demonstration,
  context: PartContext,
): Promise<ImitationRow[]> {
  const rollouts = await PART_MAKERS[part](demonstration, context);
  const { maxTurnTokens } = context.scaffold.limits;
  const fits = rollouts.every(
    ({ outcome, turns }) =>
      (outcome === "finished" || outcome === "turn-limit") &&
      turns.every(({ span }) => !span || span[1] - span[0] < maxTurnTokens),
  );
  if (!fits) return [];
  return rollouts.flatMap(({ tokens, segments = [], cast = [] }) =>
    [...(tokens ? [tokens] : []), ...segments, ...cast.map((other) => other.tokens)].flatMap(
      toImitationRow,
    ),
  );
}

function toImitationRow({ ids, mask }: RolloutTokens): ImitationRow[] {
  return mask.includes(1) ? [{ ids, mask, fits: true }] : [];
}

const PART_MAKERS: Readonly<Record<WarmPart, MakePartRollouts>> = {
  plan: (demonstration, context) =>
    replayDemonstration(demonstration, context, {
      planner: { every: context.rng.pick([0, 0, 1, 2, 4]) },
    }),
  heard: (demonstration, context) =>
    replayDemonstration(demonstration, context, {
      participants: [context.rng.chance(0.5) ? instructionReminder() : failedCodeReminder()],
    }),
  note: (demonstration, context) => replayDemonstration(demonstration, context, { note: true }),
  state: (demonstration, context) =>
    replayDemonstration(demonstration, context, {
      ...choosePlanner(context),
      rule: chooseStateRule(context),
    }),
  summary: (demonstration, context) =>
    replayDemonstration(demonstration, context, {
      rule: { context: "summary", tokens: context.rng.integer(72, 160), maxSummaries: 4 },
    }),
  memory: (demonstration, context) =>
    replayDemonstration(demonstration, context, {}, drawMemoryLines(context)),
  mark: (demonstration, context) =>
    replayParticipant("judge", demonstration, context, judgeRolePrompt, writeMark),
  user: async (demonstration, context) => {
    const says: Participant = {
      name: "user",
      speak: async ({ turns }) => writeUserAnswer(demonstration, countCells(turns) - 1),
    };
    return [
      ...(await replayDemonstration(demonstration, context, { participants: [says] })),
      ...(await replayParticipant("user", demonstration, context, userRolePrompt, writeUserAnswer)),
    ];
  },
  texts: replayRewrittenTexts,
  again: replaySecondAttempt,
};

const countCells = (turns: readonly Turn[]) =>
  turns.filter(({ part }) => part === undefined).length;

function choosePlanner({ parts, rng }: PartContext) {
  return parts.includes("plan") && rng.chance(0.5) ? { planner: { every: 0 } } : {};
}

function chooseStateRule({ rng }: PartContext): ContextOptions {
  return rng.chance(0.5)
    ? { context: "state" }
    : { context: "state", chunkCharacters: rng.integer(60, 160) };
}

/** Returns lines of a memory of a random kind, in the form in which they end the prompts of later episodes. */
function drawMemoryLines({ other, rng }: PartContext): string[] {
  const about = other.task.instruction;
  const code = other.turns.map((turn) => turn.code.trim()).join("; ");
  const worked = other.evaluation.passed ? "Worked" : "Failed";
  const kinds = [
    () => [`Known: ${about} ${shortenRandomly(`${worked}: ${code}`, rng)}`],
    () => [`Known: ${about} ${writeNote(other)}`],
    () =>
      textPromptLines({
        rules: REWRITTEN_TEXTS.rules(other),
        playbook: REWRITTEN_TEXTS.playbook(other),
      }),
    () => [`From before: ${about} ${shortenRandomly(code, rng)}`],
  ];
  return rng.pick(kinds)();
}

const shortenRandomly = (text: string, rng: Rng) =>
  Array.from(text).slice(0, rng.integer(60, 160)).join("").trim();

/**
 * Replays an attempt that ends too early, the reply that it was wrong, and then the whole demonstration. Only the
 * second attempt is imitated. The first is its context.
 */
async function replaySecondAttempt(
  demonstration: Demonstration,
  context: PartContext,
): Promise<Rollout[]> {
  const { turns } = demonstration;
  const last = turns.at(-1);
  if (last === undefined || turns.length === 1 || !last.result.finished) return [];
  const hastyTurns = turns.slice(0, context.rng.integer(0, turns.length - 2));
  const text = [last.result.text.trimEnd(), TRY_AGAIN].join("\n");
  const rejected = { ...last, result: { ...last.result, finished: false, text } };
  const both = { ...demonstration, turns: [...hastyTurns, rejected, ...turns] };
  const rollouts = await replayDemonstration(both, context, {});
  return rollouts.map((rollout) => maskFirstTurns(rollout, hastyTurns.length + 1));
}

/**
 * Replays how the policy writes the rules and the playbook after an episode, with or without earlier versions of them.
 */
async function replayRewrittenTexts(
  demonstration: Demonstration,
  { scaffold, renderer, rng, other }: PartContext,
): Promise<Rollout[]> {
  const rollout = rolloutOfDemonstration(demonstration, { id: demonstration.task.id, scaffold });
  const isFirst = rng.chance(0.3) || listCalledApis(other).length === 0;
  const texts = isFirst
    ? { rules: "", playbook: "" }
    : { rules: REWRITTEN_TEXTS.rules(other), playbook: REWRITTEN_TEXTS.playbook(other) };
  return TEXT_NAMES.map((name) => {
    const messages = composeRewritePrompt(name, texts, rollout, rng.integer(120, 300));
    const start = renderer.start(messages);
    const said = renderer.turn(REWRITTEN_TEXTS[name](demonstration));
    const ids = [...start, ...said];
    const tokens: RolloutTokens = {
      ids,
      mask: ids.map((_, i) => (i < start.length ? 0 : 1)),
      logprobs: ids.map(() => 0),
    };
    const outcome = ids.length <= scaffold.limits.maxTokens ? "finished" : "token-limit";
    return { ...rollout, turns: [], outcome, tokens } satisfies Rollout;
  });
}
