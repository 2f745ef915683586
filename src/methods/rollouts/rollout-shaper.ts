/**
 * Creates the shape of each rollout from the configuration: the last lines of its prompt, its context, its
 * participants, how often it may try the task, and what its record contains in the end.
 *
 * An evaluation has the same context, planner, user and memory, because the policy was trained with them. Marks, second
 * attempts, notes and the rows of other roles are used only in training.
 */
import {
  appendToLastMessage,
  askPolicyOnce,
  createRolloutHooks,
  judgeRolePrompt,
  type PolicyParticipant,
  policyParticipant,
  type RetryingEpisode,
  retryingEpisode,
  userRolePrompt,
} from "../../agent/index.ts";
import { randomStreamId } from "../../core/index.ts";
import {
  type Failure,
  needsVersion2,
  type Participant,
  type PlayedRole,
  type Rollout,
  type Scaffold,
  type Turn,
  type World,
} from "../../spec/index.ts";
import { type JudgeResult, judgeRollout } from "./judging.ts";
import {
  type AskPolicy,
  EMPTY_MEMORY,
  type MemoryStore,
  recallBeforeEpisode,
} from "./memory/index.ts";
import type { ParticipantSource, Participants } from "./participants.ts";
import type { Assignment, RolloutPlan, RolloutShaper } from "./run-assignments.ts";
import {
  hasLinearRollouts,
  readAttemptSettings,
  readContextOptions,
  type ShapedConfig,
} from "./shape-config.ts";

/** What the shapes of rollouts depend on besides the configuration. */
export interface ShapeOptions {
  readonly participants: Participants;
  readonly mode: "training" | "evaluation";
  readonly store?: MemoryStore | undefined;
  /** The number of the training iteration, counted from 1. Which memory items are recalled at random depends on it. */
  readonly iteration?: number;
  /** Returns more prompt lines for an assignment, such as what a chain carries. */
  readonly sections?: (assignment: Assignment) => readonly string[];
  /** Returns whether the policy writes a note at the end of an assignment. */
  readonly note?: (assignment: Assignment) => boolean;
}

/** Returns the function that creates shapes, or undefined when rollouts are linear and need none. */
export function createRolloutShaper(
  config: ShapedConfig,
  options: ShapeOptions,
): RolloutShaper | undefined {
  if (hasLinearRollouts(config)) return undefined;
  const training = options.mode === "training";
  const judgeGreedily = async (rollout: Rollout, assignment: Assignment, plan: RolloutPlan) => {
    const greedy = { ...plan, temperature: 0 };
    const judge = createParticipant(options.participants.judge, "judge", assignment, greedy);
    const { signal } = plan;
    const judged = await judgeRollout(judge, rollout, { name: config.participants.judge, signal });
    releaseParticipant(judge);
    return judged;
  };
  return (assignment, plan) => {
    const recall = recallBeforeEpisode(options.store ?? EMPTY_MEMORY, assignment.task, config, [
      options.iteration ?? options.mode,
    ]);
    const sections = [...recall.sections, ...(options.sections?.(assignment) ?? [])];
    const user = createParticipant(options.participants.user, "user", assignment, plan);
    const { planner, trainedUser } = config.participants;
    const attempts = readAttemptSettings(config);
    const retry = training && attempts ? createRetryWorld(plan.world, attempts) : undefined;
    return {
      world: retry ?? plan.world,
      policy: plan.policy,
      agent: { ...plan.agent, scaffold: appendPromptLines(plan.agent.scaffold, sections) },
      hooks: createRolloutHooks({
        context: readContextOptions(config.context),
        participants: user ? [user] : [],
        ...(planner && { planner: { every: planner.every } }),
        trained: planner?.trained ?? "all",
        note: training && (policyWritesItems(config) || options.note?.(assignment) === true),
      }),
      finish: async (rollout) => {
        const cast = training && trainedUser ? recordOfTrainedUser(user, trainedUser) : undefined;
        releaseParticipant(user);
        const judged = training ? await judgeGreedily(rollout, assignment, plan) : NOT_JUDGED;
        const marks = "marks" in judged ? judged.marks : [];
        const record = "failure" in judged ? failWithoutOutcome(rollout, judged.failure) : rollout;
        return completeRecord(record, {
          ...(cast && { cast }),
          ...(recall.used.length > 0 && { memory: [...recall.used] }),
          turns: addGrades(rollout.turns, marks, retry?.episode?.attempts ?? []),
        });
      },
    };
  };
}

const NOT_JUDGED: JudgeResult = { marks: [] };

/** Turns a rollout that could not be judged into a failed rollout without an evaluation. */
function failWithoutOutcome({ evaluation: _, ...rest }: Rollout, failure: Failure): Rollout {
  return { ...rest, outcome: "failed", failure };
}

function policyWritesItems({ memory }: ShapedConfig): boolean {
  return "author" in memory && memory.author === "policy";
}

function appendPromptLines(scaffold: Scaffold, sections: readonly string[]): Scaffold {
  if (sections.length === 0) return scaffold;
  return { ...scaffold, start: (task) => appendToLastMessage(scaffold.start(task), ...sections) };
}

// // --- participants of a rollout ---

function createParticipant(
  role: ParticipantSource,
  name: string,
  { task, id, stream }: Assignment,
  { policy, agent, temperature }: RolloutPlan,
): Participant | undefined {
  if (role === undefined) return undefined;
  if (role !== "policy") return role(task);
  return policyParticipant({
    name,
    policy,
    ...(agent.renderer && { renderer: agent.renderer }),
    limits: agent.scaffold.limits,
    id: `${id}/${name}`,
    stream: randomStreamId(stream, name),
    temperature,
    prompt: name === "judge" ? judgeRolePrompt : userRolePrompt,
  });
}

function isPolicyParticipant(
  participant: Participant | undefined,
): participant is PolicyParticipant {
  return participant !== undefined && "record" in participant && "release" in participant;
}

function recordOfTrainedUser(
  user: Participant | undefined,
  { opposed }: { readonly opposed: boolean },
): PlayedRole[] | undefined {
  const record = isPolicyParticipant(user) ? user.record() : undefined;
  return record && [{ ...record, ...(opposed && { opposed: true as const }) }];
}

function releaseParticipant(participant: Participant | undefined): void {
  if (isPolicyParticipant(participant)) participant.release();
}

/** Returns a function that asks the plan's policy a question outside of any rollout, sampled greedily. */
export function createPolicyAsker(
  { policy, agent, signal }: RolloutPlan,
  { run }: Pick<ShapedConfig, "run">,
): AskPolicy {
  const voice = {
    policy,
    ...(agent.renderer && { renderer: agent.renderer }),
    limits: agent.scaffold.limits,
    temperature: 0,
  };
  return (messages, task, name) => {
    const options = { ...voice, id: name.join("/"), stream: randomStreamId(run.seed, ...name) };
    return askPolicyOnce(options, messages, task, signal);
  };
}

// // --- second attempts, and marks of a judge ---

type RetryWorld = Pick<World, "open"> & { episode?: RetryingEpisode };

/** Creates a world whose episodes can be tried again. It remembers the episode that was opened last. */
function createRetryWorld(
  world: Pick<World, "open">,
  { most, feedback }: NonNullable<ReturnType<typeof readAttemptSettings>>,
): RetryWorld {
  const retrying: RetryWorld = {
    open: async (id) => {
      const openAgain = () => world.open(id);
      retrying.episode = retryingEpisode(await openAgain(), openAgain, {
        attempts: most,
        feedback,
      });
      return retrying.episode;
    },
  };
  return retrying;
}

function addGrades(
  turns: readonly Turn[],
  marks: readonly (number | undefined)[],
  attempts: RetryingEpisode["attempts"],
): Turn[] {
  let cell = 0;
  return turns.map((turn) => {
    if (turn.part !== undefined) return turn;
    const judge = marks[cell];
    const attempt = attempts.find((ended) => ended.cell === cell)?.passedShare;
    cell += 1;
    if (judge === undefined && attempt === undefined) return turn;
    const grades = {
      ...(judge !== undefined && { judge }),
      ...(attempt !== undefined && { attempt }),
    };
    return { ...turn, grades };
  });
}

/** Adds what the shape recorded to a rollout's record. A record with any such field has version 2. */
export function completeRecord(
  rollout: Rollout,
  fields: Partial<Pick<Rollout, "cast" | "memory" | "turns" | "chain" | "branch" | "prefix">>,
): Rollout {
  const added = { ...rollout, ...fields };
  return Object.freeze({ ...added, version: recordVersion(added) });
}

function recordVersion(rollout: Rollout): 1 | 2 {
  return needsVersion2(rollout) ? 2 : 1;
}

/**
 * Adds the other roles of these rollouts, such as a trained user, at the end. Each becomes a rollout of its own that
 * can be learned from.
 */
export function addRolloutsOfCast(rollouts: readonly Rollout[]): readonly Rollout[] {
  if (!rollouts.some(({ cast }) => cast !== undefined)) return rollouts;
  return [
    ...rollouts,
    ...rollouts.flatMap(({ cast = [], segments: _, tokens: __, branch: ___, ...shared }) =>
      cast.map(
        ({ role, opposed, turns, tokens }): Rollout => ({
          ...shared,
          id: `${shared.id}/${role}`,
          role,
          ...(opposed && { opposed }),
          turns,
          tokens,
        }),
      ),
    ),
  ];
}
