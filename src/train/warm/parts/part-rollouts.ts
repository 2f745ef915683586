/**
 * Replays a demonstration so that it shows a part other than code: something that the policy writes, such as a plan, or
 * something that it reads, such as a memory.
 */
import {
  appendToLastMessage,
  type ContextOptions,
  createRolloutHooks,
  failedCodeReminder,
  type ImitationRow,
  instructionReminder,
  judgeRolePrompt,
  maskFirstTurns,
  type PolicyParticipantOptions,
  policyParticipant,
  runRollout,
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
  Scaffold,
  TaskInfo,
  Turn,
} from "../../../spec/index.ts";
import type { WarmPart } from "../../config/warm-parts.ts";
import type { Agent } from "../../parts/agent.ts";
import {
  markOfTurn,
  namesOfCalls,
  noteOnCalls,
  REWRITTEN_TEXTS,
  userAnswerToTurn,
} from "./part-texts.ts";
import {
  createDemonstrationPolicy,
  createPlaybackEpisode,
  createScriptedPolicy,
} from "./replay.ts";

/** What a part of a demonstration is made with. */
export interface PartContext extends Agent {
  readonly rng: Rng;
  /** All configured parts: a state may be combined with a plan. */
  readonly parts: readonly WarmPart[];
  /** Another demonstration, of the same kind of task if there is one. */
  readonly other: Demonstration;
}

type MakePartRollouts = (shown: Demonstration, context: PartContext) => Promise<readonly Rollout[]>;

/** Encodes a demonstration that shows this part; empty if it does not fit the scaffold's limits. */
export async function encodePartDemonstration(
  part: WarmPart,
  shown: Demonstration,
  context: PartContext,
): Promise<ImitationRow[]> {
  const rollouts = await PART_MAKERS[part](shown, context);
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
  plan: (shown, context) =>
    replayDemonstration(shown, context, { planner: { every: context.rng.pick([0, 0, 1, 2, 4]) } }),
  heard: (shown, context) =>
    replayDemonstration(shown, context, {
      participants: [context.rng.chance(0.5) ? instructionReminder() : failedCodeReminder()],
    }),
  note: (shown, context) => replayDemonstration(shown, context, { note: true }),
  state: (shown, context) =>
    replayDemonstration(shown, context, {
      ...choosePlanner(context),
      rule: chooseStateRule(context),
    }),
  summary: (shown, context) =>
    replayDemonstration(shown, context, {
      rule: { context: "summary", tokens: context.rng.integer(72, 160), maxSummaries: 4 },
    }),
  memory: (shown, context) => replayDemonstration(shown, context, {}, drawMemoryLines(context)),
  mark: (shown, context) => replayParticipant("judge", shown, context, judgeRolePrompt, markOfTurn),
  user: async (shown, context) => {
    const says: Participant = {
      name: "user",
      speak: async ({ turns }) => userAnswerToTurn(shown, countCells(turns) - 1),
    };
    return [
      ...(await replayDemonstration(shown, context, { participants: [says] })),
      ...(await replayParticipant("user", shown, context, userRolePrompt, userAnswerToTurn)),
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

type ReplayHooks = Partial<Omit<Parameters<typeof createRolloutHooks>[0], "context">> & {
  readonly rule?: ContextOptions;
};

/** Replays the whole demonstration with these hooks and with these lines at the end of its first prompt. */
async function replayDemonstration(
  shown: Demonstration,
  { scaffold, renderer }: PartContext,
  { rule = { context: "growing" }, ...hooks }: ReplayHooks,
  sections: readonly string[] = [],
): Promise<Rollout[]> {
  const told = addPromptSections(scaffold, sections);
  const rollout = await runRollout({
    ...rolloutIdentity(shown.task),
    policy: createDemonstrationPolicy(shown, { scaffold, renderer }),
    scaffold: told,
    renderer,
    episode: createPlaybackEpisode(shown),
    hooks: createRolloutHooks({ ...hooks, context: rule }),
  });
  return [rollout];
}

function rolloutIdentity({ id }: TaskInfo) {
  return { id, index: 0, stream: 0, temperature: 0 };
}

function addPromptSections(scaffold: Scaffold, sections: readonly string[]): Scaffold {
  if (sections.length === 0) return scaffold;
  return { ...scaffold, start: (task) => appendToLastMessage(scaffold.start(task), ...sections) };
}

/** Returns lines of a memory of a random kind, as prompts of later episodes end with them. */
function drawMemoryLines({ other, rng }: PartContext): string[] {
  const about = other.task.instruction;
  const code = other.turns.map((turn) => turn.code.trim()).join("; ");
  const worked = other.evaluation.passed ? "Worked" : "Failed";
  const kinds = [
    () => [`Known: ${about} ${shortenRandomly(`${worked}: ${code}`, rng)}`],
    () => [`Known: ${about} ${noteOnCalls(other)}`],
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
 * second attempt is imitated; the first is context.
 */
async function replaySecondAttempt(shown: Demonstration, context: PartContext): Promise<Rollout[]> {
  const { turns } = shown;
  const last = turns.at(-1);
  if (last === undefined || turns.length === 1 || !last.result.finished) return [];
  const hastyTurns = turns.slice(0, context.rng.integer(0, turns.length - 2));
  const text = [last.result.text.trimEnd(), TRY_AGAIN].join("\n");
  const told = { ...last, result: { ...last.result, finished: false, text } };
  const both = { ...shown, turns: [...hastyTurns, told, ...turns] };
  const rollouts = await replayDemonstration(both, context, {});
  return rollouts.map((rollout) => maskFirstTurns(rollout, hastyTurns.length + 1));
}

/** Replays a participant that the policy plays, such as a judge, which answers each turn of the demonstration. */
async function replayParticipant(
  name: string,
  shown: Demonstration,
  { scaffold, renderer }: PartContext,
  prompt: PolicyParticipantOptions["prompt"],
  words: (shown: Demonstration, turn: number) => string,
): Promise<Rollout[]> {
  const rollout = rolloutOfDemonstration(shown, { id: shown.task.id, scaffold });
  let turn = 0;
  const voice = policyParticipant({
    ...rolloutIdentity(shown.task),
    name,
    prompt,
    renderer,
    limits: scaffold.limits,
    policy: createScriptedPolicy(() => words(shown, turn), renderer),
  });
  for (; turn < rollout.turns.length; turn++) {
    await voice.speak({ task: shown.task, turns: rollout.turns.slice(0, turn + 1) });
  }
  const cast = voice.record();
  return cast ? [{ ...rollout, outcome: "finished", turns: [...cast.turns], cast: [cast] }] : [];
}

/** Replays how the rules and the playbook are written after an episode, with or without earlier texts. */
async function replayRewrittenTexts(
  shown: Demonstration,
  { scaffold, renderer, rng, other }: PartContext,
): Promise<Rollout[]> {
  const rollout = rolloutOfDemonstration(shown, { id: shown.task.id, scaffold });
  const isFirst = rng.chance(0.3) || namesOfCalls(other).length === 0;
  const texts = isFirst
    ? { rules: "", playbook: "" }
    : { rules: REWRITTEN_TEXTS.rules(other), playbook: REWRITTEN_TEXTS.playbook(other) };
  return TEXT_NAMES.map((name) => {
    const messages = composeRewritePrompt(name, texts, rollout, rng.integer(120, 300));
    const start = renderer.start(messages);
    const said = renderer.turn(REWRITTEN_TEXTS[name](shown));
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
