/**
 * Checks that a change of structure did not change an app: compares a hash of each app's documentation and of the
 * results of many thousand calls with a baseline.
 *
 *   npx tsx bench/refactor/apis.ts                     every app of everyday and everyday/starter, at seeds 1 and 2
 *   npx tsx bench/refactor/apis.ts everyday/notes      groups whose name begins with this
 *   npx tsx bench/refactor/apis.ts everyday/notes --trace before.txt
 *                                                      also writes every call and answer, to compare with `diff`
 *   npx tsx bench/refactor/apis.ts --write             writes baseline-apis.json, at the commit before the change
 *
 * Unlike `world.ts`, it needs no tasks. It draws calls from a seed in three ways. The first kind is each API's example
 * with one wrong parameter. The second kind is sequences of examples that follow the state, so that changes add up. The
 * third kind has arguments from schemas and data, as in `tests/properties/world-apis.test.ts`. The hash covers every
 * answer, error message and changed row.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { Rng, THIS_CALL } from "../../src/core/index.ts";
import type { EpisodeSession } from "../../src/world/api/dispatch.ts";
import { loadDefinition, WorldInstance } from "../../src/world/episode/index.ts";
import type { Api, App } from "../../src/world/index.ts";
import { builtInWorlds } from "../../src/worlds/index.ts";
import {
  type ApiArguments,
  ArgumentGenerator,
  CallMemory,
} from "../../tests/support/arbitrary-arguments.ts";
import { compareHashes, readBaseline, writeBaseline } from "./baseline.ts";

const BASELINE = "baseline-apis.json";
const WORLDS = ["everyday", "everyday/starter"];
const SEEDS = [1, 2];
const WALKS_PER_API = 2;
const STEPS = 30;
const DRAWN_PER_API = 40;
const CALLS_PER_SEQUENCE = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean", default: false }, trace: { type: "string" } },
});
const [groupPrefix = ""] = positionals;
const trace: string[] = [];

interface CallResults {
  readonly calls: number;
  readonly answered: number;
  readonly hash: string;
}
type Baseline = { readonly [group: string]: CallResults };

/** Calls the APIs of an app, and hashes and counts the results. */
class AppCaller {
  readonly #digest = createHash("sha256");
  readonly world: WorldInstance;
  readonly app: App;
  #calls = 0;
  #answered = 0;

  constructor(world: WorldInstance, app: App) {
    this.world = world;
    this.app = app;
  }

  startSession(): EpisodeSession {
    return { state: this.world.copyPopulation(), calls: 0 };
  }

  /** Calls an API and returns its value, or undefined when the call is refused. */
  callApi(session: EpisodeSession, api: string, args: ApiArguments, app = this.app.name): unknown {
    const result = this.world.dispatcher.call(session, this.world.owner, app, api, args);
    const { fault: _, ...told } = result as typeof result & { fault?: unknown };
    const text = JSON.stringify([app, api, args, told]);
    this.#digest.update(text);
    if (values.trace !== undefined) trace.push(text);
    this.#calls++;
    if (!("value" in result)) return undefined;
    this.#answered++;
    return result.value;
  }

  get results(): CallResults {
    const hash = this.#digest.copy().digest("hex").slice(0, 16);
    return { calls: this.#calls, answered: this.#answered, hash };
  }
}

function makeExample(api: Api, { state }: EpisodeSession): ApiArguments {
  try {
    return (api.example?.(state) ?? {}) as ApiArguments;
  } catch {
    return {};
  }
}

/** Reads the app's documentation through the APIs that an agent uses. */
function readDocumentation(caller: AppCaller): void {
  const { name } = caller.app;
  caller.callApi(caller.startSession(), "listApis", { app: name }, "docs");
  for (const api of Object.keys(caller.app.apis))
    caller.callApi(caller.startSession(), "showApi", { app: name, api }, "docs");
}

const WRONG_VALUES = [null, "", "x", " ", 0, 1, 2, -1, 1.5, 999_999, true, [], {}, "2026-02-30"];

/** Calls an API with its example twice, then with each parameter missing or wrong, and lists with extreme pages. */
function callWithWrongArguments(caller: AppCaller, name: string, api: Api): void {
  const session = caller.startSession();
  const example = makeExample(api, session);
  for (const args of [example, example, {}, { ...example, unheardOf: 1 }])
    caller.callApi(session, name, args);
  for (const parameter of Object.keys(api.params.shape)) {
    const { [parameter]: _, ...rest } = makeExample(api, session);
    caller.callApi(session, name, rest);
    for (const value of WRONG_VALUES)
      caller.callApi(session, name, { ...rest, [parameter]: value });
  }
  if (!("page" in api.params.shape)) return;
  for (const [page, size] of [
    [1, 20],
    [1, 21],
    [2, 3],
    [3, 1],
    [50, 20],
  ])
    caller.callApi(session, name, { ...makeExample(api, session), page, size });
}

/**
 * Calls random APIs one after the other with examples of the current state, sometimes with an argument of an earlier
 * call.
 */
function callInSequence(caller: AppCaller, rng: Rng): void {
  const session = caller.startSession();
  const memory: ApiArguments[] = [];
  for (let step = 0; step < STEPS; step++) {
    const [name, api] = rng.pick(Object.entries(caller.app.apis));
    const args = { ...makeExample(api, session) };
    for (const parameter of Object.keys(api.params.shape)) {
      const known = memory.filter((past) => parameter in past);
      if (known.length > 0 && rng.chance(0.25)) args[parameter] = rng.pick(known)[parameter];
    }
    const value = caller.callApi(session, name, args);
    memory.push(args);
    if (typeof value === "object" && value !== null) memory.push(value as ApiArguments);
  }
}

/** Calls APIs with arguments from schemas and data, in sequences that share a state. */
function callWithDrawnArguments(
  caller: AppCaller,
  generator: ArgumentGenerator,
  seed: number,
): void {
  const { name: app, apis } = caller.app;
  const calls = Object.entries(apis).flatMap(([name, api], i) =>
    fc
      .sample(generator.argumentsOf(app, api), { seed: seed * 1000 + i, numRuns: DRAWN_PER_API })
      .map((args) => ({ name, args })),
  );
  const shuffled = new Rng(seed).child(`${app} drawn`).shuffle(calls);
  for (let from = 0; from < shuffled.length; from += CALLS_PER_SEQUENCE) {
    const session = caller.startSession();
    const memory = new CallMemory();
    for (const { name, args } of shuffled.slice(from, from + CALLS_PER_SEQUENCE)) {
      const resolved = memory.replaceRecentValues(args);
      const value = caller.callApi(session, name, resolved);
      for (const known of [resolved, value]) memory.remember(known);
    }
  }
}

function callApp(world: WorldInstance, generator: ArgumentGenerator, app: App): CallResults {
  const caller = new AppCaller(world, app);
  const apis = Object.entries(app.apis);
  readDocumentation(caller);
  for (const [name, api] of apis) callWithWrongArguments(caller, name, api);
  const rng = new Rng(world.seed).child(`${app.name} walks`);
  for (let i = 0; i < WALKS_PER_API * apis.length; i++)
    callInSequence(caller, rng.child(String(i)));
  callWithDrawnArguments(caller, generator, world.seed);
  return caller.results;
}

async function callAllApps(): Promise<Baseline> {
  const results: { [group: string]: CallResults } = {};
  for (const name of WORLDS) {
    const definition = await loadDefinition(builtInWorlds[name]!.url.href, THIS_CALL);
    for (const seed of SEEDS) {
      const world = new WorldInstance(definition, seed, { logins: false });
      const generator = new ArgumentGenerator(definition.apps, world.copyPopulation());
      for (const app of definition.apps) {
        const group = `${name}/${app.name}, seed ${seed}`;
        if (group.startsWith(groupPrefix)) results[group] = callApp(world, generator, app);
      }
    }
  }
  return results;
}

const selectHashes = (groups: Baseline) =>
  Object.fromEntries(Object.entries(groups).map(([name, { hash }]) => [name, hash]));

const results = await callAllApps();
if (values.trace !== undefined) writeFileSync(values.trace, `${trace.join("\n")}\n`);
if (values.write) writeBaseline(BASELINE, results);
else {
  const groups = Object.values(results);
  const sumCounts = (of: "calls" | "answered") => groups.reduce((sum, group) => sum + group[of], 0);
  console.log(`${sumCounts("calls")} calls, ${sumCounts("answered")} answered`);
  compareHashes(
    selectHashes(readBaseline<Baseline>(BASELINE, {})),
    selectHashes(results),
    groupPrefix,
    "groups",
  );
}
