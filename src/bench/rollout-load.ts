/**
 * Runs a load of rollouts that costs the same with any policy: recorded solutions are replayed, whatever the policy
 * samples.
 *
 * In each turn, the policy samples as many tokens as the solution's cell has. The episode then runs the recorded cell,
 * whatever was sampled. So prompts, turns, observations and the environment's work are real, but the length of a
 * rollout depends neither on training nor on chance. Other systems (bench/peers) run exactly the same load.
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
import { demonstrationTexts, resolveConfig } from "../train/index.ts";

export interface RecordedSolution {
  readonly task: TaskInfo;
  readonly cells: readonly string[];
  /** The number of tokens that the policy samples in each turn, without the end token, which is appended. */
  readonly turnTokens: readonly number[];
}

export interface RolloutLoad {
  readonly world: World;
  readonly agent: { readonly scaffold: Scaffold; readonly renderer: Renderer };
  readonly programs: readonly RecordedSolution[];
  readonly vocabularySize: number;
  /** The number of tokens of the longest row, plus one. */
  readonly contextLength: number;
}

/** The number of tokens above which a solution is left out, so that the load fits into a small context. */
const MAX_ROW_TOKENS = 2048;
const VOCABULARY = { vocabularySize: 512, minimumCount: 20 };
/**
 * The smallest number of solutions on which the tokenizer is trained. With fewer, it learns few merges and rows become
 * long.
 */
const MIN_TOKENIZER_TEXTS = 60;

/**
 * Records careful solutions of the world's first `count` training tasks. Throws a `config` error when there are none.
 */
export async function recordRolloutLoad(world: World, count: number): Promise<RolloutLoad> {
  const listed = Math.ceil(Math.max(count, MIN_TOKENIZER_TEXTS) / 3);
  const tasks = world.hasSolutions ? world.tasks("train", listed) : [];
  const demonstrations = await mapConcurrently(tasks, 16, ({ id }) =>
    world.demonstrate(id, "careful", world.seed),
  );
  const { scaffold: starter } = resolveConfig();
  const { maxObservationCharacters, maxObservationLines } = starter as Partial<CompactLimits>;
  const scaffold = compactScaffold({
    maxTurns: 64,
    maxTurnTokens: MAX_ROW_TOKENS,
    maxTokens: MAX_ROW_TOKENS + 1,
    maxObservationCharacters: maxObservationCharacters!,
    maxObservationLines: maxObservationLines!,
  });
  const tokenizer = loadTokenizer(
    trainTokenizer(demonstrationTexts(demonstrations, scaffold), VOCABULARY),
  );
  const agent = { scaffold, renderer: compactRenderer(tokenizer) };
  const solutions = demonstrations
    .slice(0, count)
    .map((demonstration) => recordSolution(demonstration, agent))
    .filter(({ length }) => length <= MAX_ROW_TOKENS);
  if (solutions.length === 0) {
    throw new BowlineError(
      "config",
      `the training tasks of ${world.name} have no solutions of at most ${MAX_ROW_TOKENS} tokens, so there is nothing to replay`,
    );
  }
  return {
    world,
    agent,
    programs: solutions.map(({ length: _, ...program }) => program),
    vocabularySize: tokenizer.vocabularySize,
    contextLength: Math.max(...solutions.map(({ length }) => length)) + 1,
  };
}

function recordSolution(
  { task, turns }: Demonstration,
  { scaffold, renderer }: RolloutLoad["agent"],
): RecordedSolution & { readonly length: number } {
  const turnTokens = turns.map(({ code }) => Math.max(1, renderer.turn(code).length - 1));
  const { maxTurns } = scaffold.limits;
  const observationTokens = turns.map(
    ({ result }, i) =>
      renderer.next(scaffold.observe(task, result, { turn: i + 1, maxTurns })).length,
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const length =
    renderer.start(scaffold.start(task)).length + sum(turnTokens) + sum(observationTokens);
  return { task, cells: turns.map(({ code }) => code), turnTokens, length: length + turns.length };
}

export interface LoadOptions {
  /** The number of rollouts of each recorded solution. */
  readonly groupSize: number;
  /** The number of episodes that are open at the same time. */
  readonly episodes: number;
  /** The number of the round, which gives each round different samples. */
  readonly round: number;
}

export interface LoadResult {
  readonly seconds: number;
  readonly rollouts: readonly Rollout[];
  /** The share of the time in which the engine had no request, because all episodes were busy. */
  readonly waitShare: number;
}

/** Runs every program `groupSize` times. Throws an `engine` or `world` error when a rollout did not finish. */
export async function runRolloutLoad(
  engine: Pick<Engine, "sample" | "release">,
  load: RolloutLoad,
  { groupSize, episodes, round }: LoadOptions,
): Promise<LoadResult> {
  const plan = Array.from({ length: groupSize }, (_, index) =>
    load.programs.map((program, position) => ({ program, position, index })),
  ).flat();
  const watch = trackIdleTime(engine);
  const start = performance.now();
  const rollouts = await mapConcurrently(plan, episodes, ({ program, position, index }, i) =>
    runTask(
      { open: async (id) => createReplayingEpisode(await load.world.open(id), program) },
      program.task,
      {
        policy: createPacedPolicy(watch.engine, program),
        ...load.agent,
        id: `${round}/${position}/${index}`,
        index,
        stream: round * plan.length + i,
        temperature: 1,
      },
    ),
  );
  const seconds = (performance.now() - start) / 1000;
  for (const { id, outcome, failure } of rollouts) {
    if (outcome === "finished") continue;
    throw new BowlineError(
      failure?.boundary === "world" ? "world" : "engine",
      `the replayed rollout ${id} ended with ${outcome}: ${failure?.message ?? "the recorded solution does not finish"}`,
    );
  }
  return { seconds, rollouts, waitShare: watch.idleMs() / 1000 / seconds };
}

/** Returns an episode that runs the recorded cells instead of the code that it is given. */
function createReplayingEpisode(episode: Episode, { cells }: RecordedSolution): Episode {
  let turn = 0;
  return {
    task: episode.task,
    step: (_code, signal) => episode.step(cells[turn++]!, signal),
    evaluate: () => episode.evaluate(),
    fork: () => episode.fork(),
    close: () => episode.close(),
  };
}

/** Returns a policy whose turns have the recorded lengths. */
function createPacedPolicy(
  engine: Pick<Engine, "sample" | "release">,
  { turnTokens }: RecordedSolution,
): Policy {
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

/** Returns the engine wrapped in a timer, and a function that returns how long it has been idle since then. */
function trackIdleTime(engine: Pick<Engine, "sample" | "release">) {
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
