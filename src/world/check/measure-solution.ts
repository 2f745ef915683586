/**
 * Measures a task by its reference solution: which APIs it calls, how long it is, and what it cannot do without.
 *
 * Something is necessary when the solution fails without it. It runs again where an API is refused, where no time
 * passes, where the owner hears no question, or where sentences in answers are blank.
 */
import { type Options, parse } from "acorn";
import type { StepResult } from "../../spec/index.ts";
import { demonstrate, LiveEpisode } from "../episode/index.ts";
import type { HostCall, HostReply, Sandbox } from "../sandbox/index.ts";
import { isAskCall, isWaitCall } from "./call-kinds.ts";
import type { SolutionTarget } from "./run-solution.ts";

/** Counts of one solution. The app `docs` counts nowhere but in `calls`, and the app `me` is none of `apps`. */
export interface SolutionMeasure {
  readonly task: string;
  /** The different APIs that the solution calls with success, as `app.api`. */
  readonly apis: readonly string[];
  /** Those of `apis` without which the solution still passes; absent when this was not tried. */
  readonly needless?: readonly string[];
  /** The number of all calls. */
  readonly calls: number;
  readonly apps: number;
  /** The number of statements in the code of the solution. */
  readonly statements: number;
  /** Whether it fails when no time passes. */
  readonly needsWaiting: boolean;
  /** Whether it fails when the owner hears no question. */
  readonly needsAsking: boolean;
  /** Whether it fails when sentences in answers are blank, other than those of the owner. */
  readonly needsProse: boolean;
}

/** Changes what a call answers. `answer` makes the call itself. */
type Tamper = (app: string, api: string, answer: () => HostReply, now: string) => HostReply;

/**
 * Measures the careful solution of a task. With `tryEachApi`, each of its APIs is refused once. Throws a `world` error
 * when the task has no solution or the solution does not pass.
 */
export async function measureSolution(
  target: SolutionTarget,
  tryEachApi: boolean,
): Promise<SolutionMeasure> {
  const results: StepResult[] = [];
  const codes = await playSolution(target, undefined, (result) => results.push(result));
  const calls = results.flatMap((result) => result.calls).filter(({ status }) => status === 200);
  const counted = calls.filter(({ app }) => app !== "docs");
  const apis = [...new Set(counted.map(({ app, api }) => `${app}.${api}`))];
  const failsWith = async (tamper: Tamper) => (await playSolution(target, tamper)) === undefined;
  const needless: string[] = [];
  if (tryEachApi)
    for (const name of apis) if (!(await failsWith(refuse(name)))) needless.push(name);
  return {
    task: target.taskId,
    apis,
    ...(tryEachApi && { needless }),
    calls: calls.length,
    apps: new Set(counted.map(({ app }) => app).filter((app) => app !== "me")).size,
    statements: (codes ?? []).reduce((sum, code) => sum + countStatements(code), 0),
    needsWaiting: calls.some(isWaitCall) && (await failsWith(stopTime)),
    needsAsking: calls.some(isAskCall) && (await failsWith(ignoreQuestions)),
    needsProse: await failsWith(blankSentences),
  };
}

/** Returns the cells of the solution when it passes; undefined when it does not. */
async function playSolution(
  { world, sandbox, taskId, seed }: SolutionTarget,
  tamper: Tamper | undefined,
  onResult?: (result: StepResult) => void,
): Promise<readonly string[] | undefined> {
  const place = tamper ? tamperWith(sandbox, tamper) : sandbox;
  const episode = LiveEpisode.open(world, place, taskId);
  try {
    const { turns, evaluation } = await demonstrate(episode, "careful", seed, undefined, onResult);
    return evaluation.passed ? turns.map(({ code }) => code) : undefined;
  } catch (error) {
    if (tamper === undefined) throw error;
    return undefined;
  } finally {
    episode.close();
  }
}

/** Returns a sandbox whose consoles get other answers to their calls. */
function tamperWith(sandbox: Sandbox, tamper: Tamper): Sandbox {
  return {
    ...sandbox,
    open: (options) => {
      const call: HostCall = (app, api, args) =>
        tamper(app, api, () => options.call(app, api, args), options.now());
      return sandbox.open({ ...options, call });
    },
  };
}

const refuse =
  (name: string): Tamper =>
  (app, api, answer) =>
    `${app}.${api}` === name ? { ok: false, status: 503, message: "unavailable" } : answer();

const stopTime: Tamper = (app, api, answer, now) =>
  isWaitCall({ app, api }) ? { ok: true, value: { now, notices: [] } } : answer();

const ignoreQuestions: Tamper = (app, api, answer) =>
  isAskCall({ app, api }) ? { ok: true, value: { asked: true } } : answer();

const blankSentences: Tamper = (app, _, answer) => {
  const reply = answer();
  if (!reply.ok || app === "owner" || app === "me" || app === "docs") return reply;
  return { ok: true, value: blankIn(reply.value) };
};

function blankIn(value: unknown): unknown {
  if (typeof value === "string") return isProse(value) ? "" : value;
  if (Array.isArray(value)) return value.map(blankIn);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, blankIn(inner)]));
}

/** True for a text with a sentence: at least four words, and a full stop, a question mark or an exclamation mark. */
function isProse(text: string): boolean {
  return /[.!?](?:\s|$)/.test(text) && text.trim().split(/\s+/).length >= 4;
}

const PARSING: Options = { ecmaVersion: "latest", allowAwaitOutsideFunction: true };

/** Counts the statements in a cell, without blocks. A function that returns an expression has none of its own. */
export function countStatements(code: string): number {
  let count = 0;
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { type } = node as { type?: string };
    const isStatement = /Statement$|Declaration$/.test(type ?? "");
    if (isStatement && type !== "BlockStatement" && type !== "EmptyStatement") count += 1;
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(parse(code, PARSING).body);
  return count;
}
