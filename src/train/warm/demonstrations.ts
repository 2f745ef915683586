/**
 * The demonstrations that the warm start imitates: solution programs that are run turn by turn, each in its own
 * episode.
 *
 * A configured share comes from a hasty solver, which has the bad habits that the paper saw in instruction-tuned
 * models: it takes the first match, reads only one page, or assumes a value. So imitation gives a policy that knows the
 * language but has bad habits, which only the reward can change. Demonstration i depends only on the seed and i.
 */
import {
  demonstrateWithScaffold,
  encodeDemonstration,
  type ImitationRow,
  isWithinLimits,
  splitIntoSessions,
} from "../../agent/index.ts";
import { BowlineError, mapConcurrently, Rng, randomStreamId } from "../../core/index.ts";
import { requireTrainable } from "../../methods/index.ts";
import type { Demonstration, Scaffold, TaskInfo, World } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import type { DemonstrationLength } from "../fitting/fit-limits.ts";
import type { Agent } from "../parts/agent.ts";
import { encodePartRows, tokenizerTextsOfParts } from "./parts/index.ts";

/**
 * Runs all demonstrations and returns them in order, one for each session of a task that has several. `onDone` receives
 * the number of finished demonstrations.
 */
export async function collectDemonstrations(
  world: World,
  tasks: readonly TaskInfo[],
  config: Config,
  scaffold: Pick<Scaffold, "cellsOf">,
  { onDone, signal }: { onDone?: (count: number) => void; signal?: AbortSignal | undefined } = {},
): Promise<Demonstration[]> {
  requireTrainable(tasks);
  const { demonstrations, hastyShare } = config.warm;
  const order = drawTaskOrder(
    tasks,
    demonstrations,
    new Rng(randomStreamId(config.run.seed, "demonstrations")),
  );
  let done = 0;
  const whole = await mapConcurrently(order, config.world.workers * 8, async (task, index) => {
    signal?.throwIfAborted();
    const rng = new Rng(randomStreamId(config.run.seed, "demonstration", index));
    const style = rng.chance(hastyShare) ? "hasty" : "careful";
    const demonstration = await demonstrateWithScaffold(
      world,
      scaffold,
      task.id,
      style,
      rng.uint32(),
    );
    onDone?.(++done);
    return demonstration;
  });
  return whole.flatMap(splitIntoSessions);
}

/** Returns all tasks in random order, then all of them in another order, and so on, until there are `count`. */
function drawTaskOrder(tasks: readonly TaskInfo[], count: number, rng: Rng): TaskInfo[] {
  const order: TaskInfo[] = [];
  for (let pass = 0; order.length < count; pass++) order.push(...rng.child(pass).shuffle(tasks));
  return order.slice(0, count);
}

/** Yields the texts that a policy will read and write. The tokenizer is trained on them. */
export function* demonstrationTexts(
  demonstrations: readonly Demonstration[],
  scaffold: Scaffold,
  config?: Pick<Config, "run" | "warm">,
): Generator<string> {
  const { maxTurns } = scaffold.limits;
  for (const { task, turns } of demonstrations) {
    for (const message of scaffold.start(task)) yield message.content;
    for (const [i, { code, result }] of turns.entries()) {
      yield scaffold.messageOf?.(code) ?? code;
      yield scaffold.observe(task, result, { turn: i + 1, maxTurns }).content;
    }
  }
  if (config !== undefined && config.warm.parts.length > 0)
    yield* tokenizerTextsOfParts(demonstrations, config);
}

/** The rows to imitate, and the number of demonstrations that are too long for a row. */
export interface ImitationRows {
  readonly rows: readonly ImitationRow[];
  readonly leftOut: number;
}

/** A row to imitate with its lengths, which say whether it fits into the limits of a rollout. */
export interface MeasuredRow extends Pick<ImitationRow, "ids" | "mask" | "weight"> {
  readonly length: DemonstrationLength;
}

/**
 * Encodes all demonstrations as rows, however long they are. Throws a `config` error when there is nothing to imitate
 * in them.
 */
export function encodeDemonstrations(
  demonstrations: readonly Demonstration[],
  { scaffold, renderer }: Agent,
): MeasuredRow[] {
  const rows = demonstrations.map((demonstration) => {
    const { ids, mask, length } = encodeDemonstration(demonstration, scaffold, renderer);
    return { ids, mask, length: { ...length, isCareful: demonstration.style === "careful" } };
  });
  if (rows.length > 0 && rows.every(({ mask }) => !mask.includes(1)))
    throw nothingToImitateError(scaffold);
  return rows;
}

/**
 * Returns the rows that fit into the limits of the agent's scaffold. `rows` are those of the demonstrations, in the
 * same order. With `warm.parts`, some rows are replaced by rows that show a part.
 */
export async function selectFittingRows(
  demonstrations: readonly Demonstration[],
  rows: readonly MeasuredRow[],
  agent: Agent,
  config: Pick<Config, "run" | "warm">,
): Promise<ImitationRows> {
  const { limits } = agent.scaffold;
  const marked = rows.map(({ ids, mask, length }) => ({
    ...{ ids, mask },
    fits: isWithinLimits(length, limits),
  }));
  const fitting = marked.filter(({ fits }) => fits);
  const leftOut = rows.length - fitting.length;
  if (config.warm.parts.length === 0) return { rows: fitting, leftOut };
  const shown = await Promise.all(
    marked.map(async (row, i) =>
      row.fits ? ((await encodePartRows(demonstrations, i, agent, config)) ?? [row]) : [],
    ),
  );
  return { rows: shown.flat(), leftOut };
}

/** Returns the error for solutions that contain nothing to imitate once they are written in this scaffold's form. */
function nothingToImitateError({ name }: Scaffold): BowlineError {
  return new BowlineError(
    "config",
    `scaffold.name: in the form of ${name}, the solutions of this world are empty, so there is nothing to imitate`,
  );
}
