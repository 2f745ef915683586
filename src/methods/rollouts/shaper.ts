/**
 * From the configuration to the shape of one rollout: what its prompt ends with, what its context holds, who takes part,
 * how often it may try, and what its record says in the end.
 *
 * An evaluation has the same context, planner, user and memory, because the policy was trained to act under them. What
 * only teaches stays in training: marks, second attempts, notes, the rows of other roles.
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
  type Cast,
  type Failure,
  isShaped,
  type Participant,
  type Rollout,
  type Scaffold,
  type Turn,
  type World,
} from "../../spec/index.ts";
import type { Assignment, RolloutPlan, Shaper } from "./collect.ts";
import { type Judged, judgedBy } from "./judging.ts";
import { attemptsOf, contextOptions, isLinear, type ShapedConfig } from "./linear.ts";
import { type Ask, beforeEpisode, EMPTY_MEMORY, type MemoryStore } from "./memory/index.ts";
import type { Participants, Role } from "./participants.ts";

export interface ShapeOptions {
  readonly participants: Participants;
  readonly mode: "training" | "evaluation";
  readonly store?: MemoryStore | undefined;
  /** 1-based, in training: what is recalled at random may differ between iterations. */
  readonly iteration?: number;
  /** More lines for the prompt of an assignment, such as what a chain carries. */
  readonly sections?: (assignment: Assignment) => readonly string[];
  /** The policy leaves a note for what comes after this assignment. */
  readonly note?: (assignment: Assignment) => boolean;
}

/** Undefined where rollouts are linear and alone: then nothing here is in their way. */
export function shaperOf(config: ShapedConfig, options: ShapeOptions): Shaper | undefined {
  if (isLinear(config)) return undefined;
  const training = options.mode === "training";
  const judgedIn = async (rollout: Rollout, assignment: Assignment, plan: RolloutPlan) => {
    const greedy = { ...plan, temperature: 0 };
    const judge = participantIn(options.participants.judge, "judge", assignment, greedy);
    const { signal } = plan;
    const judged = await judgedBy(judge, rollout, { name: config.participants.judge, signal });
    release(judge);
    return judged;
  };
  return (assignment, plan) => {
    const recall = beforeEpisode(options.store ?? EMPTY_MEMORY, assignment.task, config, [
      options.iteration ?? options.mode,
    ]);
    const sections = [...recall.sections, ...(options.sections?.(assignment) ?? [])];
    const user = participantIn(options.participants.user, "user", assignment, plan);
    const { planner, trainedUser } = config.participants;
    const attempts = attemptsOf(config);
    const retry = training && attempts ? retryWorld(plan.world, attempts) : undefined;
    return {
      world: retry ?? plan.world,
      policy: plan.policy,
      agent: { ...plan.agent, scaffold: withSections(plan.agent.scaffold, sections) },
      hooks: createRolloutHooks({
        context: contextOptions(config.context),
        participants: user ? [user] : [],
        ...(planner && { planner: { every: planner.every } }),
        trained: planner?.trained ?? "all",
        note: training && (writesItems(config) || options.note?.(assignment) === true),
      }),
      finish: async (rollout) => {
        const cast = training && trainedUser ? recordOf(user, trainedUser) : undefined;
        release(user);
        const judged = training ? await judgedIn(rollout, assignment, plan) : NOT_JUDGED;
        const marks = "marks" in judged ? judged.marks : [];
        const record = "failure" in judged ? withoutOutcome(rollout, judged.failure) : rollout;
        return completed(record, {
          ...(cast && { cast }),
          ...(recall.used.length > 0 && { memory: [...recall.used] }),
          turns: graded(rollout.turns, marks, retry?.episode?.attempts ?? []),
        });
      },
    };
  };
}

const NOT_JUDGED: Judged = { marks: [] };

/** What is left of a rollout that could not be judged: everything but its outcome. */
function withoutOutcome({ evaluation: _, ...rest }: Rollout, failure: Failure): Rollout {
  return { ...rest, outcome: "failed", failure };
}

function writesItems({ memory }: ShapedConfig): boolean {
  return "author" in memory && memory.author === "policy";
}

function withSections(scaffold: Scaffold, sections: readonly string[]): Scaffold {
  if (sections.length === 0) return scaffold;
  return { ...scaffold, start: (task) => appendToLastMessage(scaffold.start(task), ...sections) };
}

// --- who else takes part ---

function participantIn(
  role: Role,
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

function isPlayed(participant: Participant | undefined): participant is PolicyParticipant {
  return participant !== undefined && "record" in participant && "release" in participant;
}

function recordOf(
  user: Participant | undefined,
  { opposed }: { readonly opposed: boolean },
): Cast[] | undefined {
  const record = isPlayed(user) ? user.record() : undefined;
  return record && [{ ...record, ...(opposed && { opposed: true as const }) }];
}

function release(participant: Participant | undefined): void {
  if (isPlayed(participant)) participant.release();
}

/** Asks the policy of a plan outside of any rollout, greedily. */
export function askPolicy(
  { policy, agent, signal }: RolloutPlan,
  { run }: Pick<ShapedConfig, "run">,
): Ask {
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

// --- attempts and marks ---

type RetryWorld = Pick<World, "open"> & { episode?: RetryingEpisode };

/** A world whose episodes may be tried again, and the last of them. */
function retryWorld(
  world: Pick<World, "open">,
  { most, feedback }: NonNullable<ReturnType<typeof attemptsOf>>,
): RetryWorld {
  const retrying: RetryWorld = {
    open: async (id) => {
      const again = () => world.open(id);
      retrying.episode = retryingEpisode(await again(), again, { attempts: most, feedback });
      return retrying.episode;
    },
  };
  return retrying;
}

function graded(
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

/** The record with what its shape adds; of version 2 once there is anything of it. */
export function completed(
  rollout: Rollout,
  fields: Partial<Pick<Rollout, "cast" | "memory" | "turns" | "chain" | "branch" | "prefix">>,
): Rollout {
  const added = { ...rollout, ...fields };
  return Object.freeze({ ...added, version: versionOf(added) });
}

function versionOf(rollout: Rollout): 1 | 2 {
  return isShaped(rollout) ? 2 : 1;
}

/** Other roles of these rollouts as rollouts of their own, behind them: what learning works on. */
export function withCast(rollouts: readonly Rollout[]): readonly Rollout[] {
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
