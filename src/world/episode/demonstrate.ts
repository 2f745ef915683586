/** Runs a task's solution in a fresh episode, cell by cell, as an agent would under the world's dials. */
import { BowlineError, errorMessage, formatValue, Rng } from "../../core/index.ts";
import type {
  Demonstration,
  DemonstrationStyle,
  Evaluation,
  StepResult,
} from "../../spec/index.ts";
import { findUserCodePlace, runWatched } from "../api/index.ts";
import type { Solution } from "../define.ts";
import type { TaskStart, WorldInstance } from "./instance.ts";
import type { LiveEpisode } from "./live-episode.ts";

/** The largest number of cells of a solution. A solution that is longer is assumed to run for ever. */
const MAX_TURNS = 100;

/**
 * Runs a solution, by default the task's own, and does not close the episode. Throws a `world` error when the task has
 * no solution or the solution itself throws.
 */
export async function demonstrate(
  episode: LiveEpisode,
  style: DemonstrationStyle,
  seed: number,
  solution: Solution | undefined = episode.start.task.solution,
  onResult: (result: StepResult) => void = () => {},
): Promise<Demonstration> {
  const { world, start } = episode;
  return demonstrateIn({ world, start, episode }, style, seed, { solution, onResult });
}

/** Where a solution runs: an episode in the start state of its task. */
export interface DemonstrationPlace {
  readonly world: WorldInstance;
  readonly start: TaskStart;
  readonly episode: {
    step(code: string): Promise<StepResult>;
    evaluate(): Evaluation | Promise<Evaluation>;
  };
}

/** Runs a solution in any episode of a world, and does not close it. Throws like `demonstrate`. */
export async function demonstrateIn(
  { world, start, episode }: DemonstrationPlace,
  style: DemonstrationStyle,
  seed: number,
  {
    solution = start.task.solution,
    onResult = () => {},
  }: {
    readonly solution?: Solution | undefined;
    readonly onResult?: (result: StepResult) => void;
  } = {},
): Promise<Demonstration> {
  const { info, state } = start;
  if (!solution) throw new BowlineError("world", `task ${info.id} has no solution to demonstrate`);
  const rng = new Rng(seed).child(info.id).child(style);
  const cells = startSolution(info.id, () => solution({ style, rng, start: state }));
  const turns: { code: string; result: StepResult }[] = [];
  const { watch } = world.dispatcher;
  const doing = { what: `the solution of task ${info.id}` };
  const advanceToNextCell = <T>(next: () => T) =>
    advanceSolution(info.id, turns, () => runWatched(watch, doing, next));
  for (let cell = advanceToNextCell(() => cells.next()); !cell.done; ) {
    const yielded = requireCode(info.id, cell.value);
    const previous = turns.at(-1)?.result;
    const isFirst = previous === undefined || previous.nextSession !== undefined;
    const code = advanceToNextCell(() => world.adaptCell(yielded, isFirst));
    const result = await episode.step(code);
    turns.push({ code, result });
    onResult(result);
    if (result.finished) break;
    if (turns.length === MAX_TURNS)
      throw solutionError(info.id, `it has not ended after ${MAX_TURNS} cells`);
    cell = advanceToNextCell(() => cells.next(result));
  }
  return { task: info, style, turns, evaluation: await episode.evaluate() };
}

/** Starts a solution. Throws a `world` error unless it is a generator that runs synchronously. */
function startSolution(taskId: string, start: () => unknown): ReturnType<Solution> {
  const cells = start();
  if (isGenerator(cells)) return cells;
  const isAsync = cells instanceof Promise || Symbol.asyncIterator in Object(cells);
  const got = isAsync
    ? "an async function; leave out `async`: `yield` already waits for the result of a cell"
    : formatValue(cells);
  throw solutionError(taskId, `expected a generator, \`*solution() { ... }\`, got ${got}`);
}

function isGenerator(value: unknown): value is ReturnType<Solution> {
  return typeof Object(value).next === "function" && Symbol.iterator in Object(value);
}

function requireCode(taskId: string, cell: unknown): string {
  if (typeof cell === "string") return cell;
  throw solutionError(taskId, `expected it to yield the text of a cell, got ${formatValue(cell)}`);
}

/**
 * Runs the solution's own code up to its next cell. When that code throws, the error is explained, often by an earlier
 * cell that failed.
 */
function advanceSolution<T>(taskId: string, turns: Demonstration["turns"], next: () => T): T {
  try {
    return next();
  } catch (cause) {
    const place = findUserCodePlace(cause);
    const trouble = describeFailedCell(turns.map(({ result }) => result)).map(
      (text) => `, after ${text}`,
    );
    const at = place === undefined ? "" : ` at ${place}`;
    throw solutionError(taskId, `${errorMessage(cause)}${at}${trouble.join("")}`, cause);
  }
}

/**
 * Describes the last cell that failed: its number, its error, and the API's answer that caused it. Returns a list of
 * one text, or none.
 */
export function describeFailedCell(results: readonly StepResult[]): string[] {
  const index = results.findLastIndex(({ status }) => status !== "ok");
  const result = results[index];
  if (!result) return [];
  const { error, limit, calls } = result;
  const why = error ? `${error.name}: ${error.message}` : `the limit on ${limit}`;
  const refused = calls.findLast(({ status }) => status !== 200);
  const answer = refused
    ? ` (${refused.app}.${refused.api}(${JSON.stringify(refused.args ?? {})}) answered ${refused.status})`
    : "";
  return [`its cell ${index + 1} of ${results.length} failed with ${why}${answer}`];
}

function solutionError(taskId: string, why: string, cause?: unknown): BowlineError {
  return new BowlineError("world", `the solution of task ${taskId} failed: ${why}`, { cause });
}
