/**
 * A load of rollouts that costs the same whoever runs it: recorded solutions, replayed by a policy that says what it
 * likes.
 *
 * The policy samples as many tokens a turn as the solution's cell has, from whatever weights it has; the episode then
 * runs the recorded cell. So prompts, turns, observations and environment work are real, and neither training nor luck
 * decides how long a rollout gets. Peers (bench/peers) run the very same load.
 */
import { type CompactLimits, compactRenderer, compactScaffold, runTask } from "../agent/index.ts";
import { BowlineError, mapConcurrently } from "../core/index.ts";
import type {
  Demonstration,
  Engine,
  Episode,
  Policy,
  Renderer,
  Rollout,
  Scaffold,
  TaskInfo,
  World,
} from "../spec/index.ts";
import { loadTokenizer, trainTokenizer } from "../text/index.ts";
import { resolveConfig, textsOf } from "../train/index.ts";

export interface Recorded {
  readonly task: TaskInfo;
  readonly cells: readonly string[];
  /** Tokens that the policy samples in each turn; its end is appended. */
  readonly turnTokens: readonly number[];
}

export interface RolloutLoad {
  readonly world: World;
  readonly agent: { readonly scaffold: Scaffold; readonly renderer: Renderer };
  readonly programs: readonly Recorded[];
  readonly vocabularySize: number;
  /** Tokens of the longest row. */
  readonly contextLength: number;
}

/** Longer solutions are left out: the load is to fit a small context. */
const LONGEST_ROW = 2048;
const VOCABULARY = { vocabularySize: 512, minimumCount: 20 };
/** Solutions that the tokenizer is trained on, at least: from fewer it learns few merges, and rows grow long. */
const TEXTS = 60;

/** Careful solutions of the world's first `count` training tasks. Throws a `config` error when there are none. */
export async function recordLoad(world: World, count: number): Promise<RolloutLoad> {
  const listed = Math.ceil(Math.max(count, TEXTS) / 3);
  const tasks = world.hasSolutions ? world.tasks("train", listed) : [];
  const demonstrations = await mapConcurrently(tasks, 16, ({ id }) =>
    world.demonstrate(id, "careful", world.seed),
  );
  const { scaffold: starter } = resolveConfig();
  const { maxObservationCharacters, maxObservationLines } = starter as Partial<CompactLimits>;
  const scaffold = compactScaffold({
    maxTurns: 64,
    maxTurnTokens: LONGEST_ROW,
    maxTokens: LONGEST_ROW + 1,
    maxObservationCharacters: maxObservationCharacters!,
    maxObservationLines: maxObservationLines!,
  });
  const tokenizer = loadTokenizer(trainTokenizer(textsOf(demonstrations, scaffold), VOCABULARY));
  const agent = { scaffold, renderer: compactRenderer(tokenizer) };
  const kept = demonstrations
    .slice(0, count)
    .map((demonstration) => record(demonstration, agent))
    .filter(({ length }) => length <= LONGEST_ROW);
  if (kept.length === 0) {
    throw new BowlineError(
      "config",
      `the training tasks of ${world.name} bring no solutions of at most ${LONGEST_ROW} tokens, so there is nothing to replay`,
    );
  }
  return {
    world,
    agent,
    programs: kept.map(({ length: _, ...program }) => program),
    vocabularySize: tokenizer.vocabularySize,
    contextLength: Math.max(...kept.map(({ length }) => length)) + 1,
  };
}

function record(
  { task, turns }: Demonstration,
  { scaffold, renderer }: RolloutLoad["agent"],
): Recorded & { readonly length: number } {
  const turnTokens = turns.map(({ code }) => Math.max(1, renderer.turn(code).length - 1));
  const { maxTurns } = scaffold.limits;
  const heard = turns.map(
    ({ result }, i) =>
      renderer.next(scaffold.observe(task, result, { turn: i + 1, maxTurns })).length,
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const length = renderer.start(scaffold.start(task)).length + sum(turnTokens) + sum(heard);
  return { task, cells: turns.map(({ code }) => code), turnTokens, length: length + turns.length };
}

export interface LoadOptions {
  /** Rollouts of each program. */
  readonly groupSize: number;
  /** Live at once. */
  readonly episodes: number;
  /** Distinguishes the samples of one round from those of another. */
  readonly round: number;
}

export interface LoadResult {
  readonly seconds: number;
  readonly rollouts: readonly Rollout[];
  /** Share of the time in which no request was with the engine: it waited for the environment. */
  readonly waitShare: number;
}

/** Plays every program `groupSize` times. Throws an `engine` or `world` error when a rollout did not finish. */
export async function runLoad(
  engine: Pick<Engine, "sample" | "release">,
  load: RolloutLoad,
  { groupSize, episodes, round }: LoadOptions,
): Promise<LoadResult> {
  const plan = Array.from({ length: groupSize }, (_, index) =>
    load.programs.map((program, position) => ({ program, position, index })),
  ).flat();
  const watch = watchIdle(engine);
  const start = performance.now();
  const rollouts = await mapConcurrently(plan, episodes, ({ program, position, index }, i) =>
    runTask({ open: async (id) => replayed(await load.world.open(id), program) }, program.task, {
      policy: paced(watch.engine, program),
      ...load.agent,
      id: `${round}/${position}/${index}`,
      index,
      stream: round * plan.length + i,
      temperature: 1,
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  for (const { id, outcome, failure } of rollouts) {
    if (outcome === "finished") continue;
    throw new BowlineError(
      failure?.boundary === "world" ? "world" : "engine",
      `the replayed rollout ${id} ended ${outcome}: ${failure?.message ?? "the recorded solution does not finish"}`,
    );
  }
  return { seconds, rollouts, waitShare: watch.idleMs() / 1000 / seconds };
}

/** An episode that runs the recorded cells, whatever it is told to run. */
function replayed(episode: Episode, { cells }: Recorded): Episode {
  let turn = 0;
  return {
    task: episode.task,
    step: (_code, signal) => episode.step(cells[turn++]!, signal),
    evaluate: () => episode.evaluate(),
    fork: () => episode.fork(),
    close: () => episode.close(),
  };
}

/** A policy whose turns have the recorded lengths. */
function paced(engine: Pick<Engine, "sample" | "release">, { turnTokens }: Recorded): Policy {
  let turn = 0;
  return {
    kind: "tokens",
    async sample(request, signal) {
      const maxTokens = turnTokens[turn++]!;
      const [sample] = await engine.sample([{ ...request, maxTokens, stopIds: [] }], signal);
      return sample!;
    },
    release: (cacheKey) => engine.release(cacheKey),
  };
}

/** The engine, and how long it had nothing to do since its first request. */
function watchIdle(engine: Pick<Engine, "sample" | "release">) {
  let inFlight = 0;
  let idleMs = 0;
  let idleSince = performance.now();
  const sample: Engine["sample"] = async (requests, signal) => {
    if (inFlight++ === 0) idleMs += performance.now() - idleSince;
    try {
      return await engine.sample(requests, signal);
    } finally {
      if (--inFlight === 0) idleSince = performance.now();
    }
  };
  const release = (cacheKey: string) => engine.release(cacheKey);
  return { engine: { sample, release }, idleMs: () => idleMs };
}
