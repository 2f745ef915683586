/**
 * Whether a change of structure changed an app: a hash per app of its documentation and of what many thousand calls answer,
 * refuse and leave behind, beside those of a baseline.
 *
 *   npx tsx bench/refactor/apis.ts                    every app of everyday and everyday/starter, at seeds 1 and 2
 *   npx tsx bench/refactor/apis.ts everyday/notes     groups whose name begins so
 *   npx tsx bench/refactor/apis.ts everyday/notes --trace before.txt   writes every call and answer too, to be compared by `diff`
 *   npx tsx bench/refactor/apis.ts --write            makes baseline-apis.json (of the commit that a change begins from)
 *
 * Unlike `world.ts` it needs no task. An app is called in three ways, all drawn from one seed: each API's example with one
 * thing wrong (a parameter missing, of another type, at a boundary), twice over; walks of calls that each take the example
 * of the state they find, so that changes pile up; and arguments from the schemas and the data, as `tests/properties/world-apis.test.ts`
 * draws them. Every answer, error message and changed row counts.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { Rng } from "../../src/core/index.ts";
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
const [wanted = ""] = positionals;
const trace: string[] = [];

interface Answers {
  readonly calls: number;
  readonly answered: number;
  readonly hash: string;
}
type Baseline = { readonly [group: string]: Answers };

/** The calls of one app of one world, and the digest of what came of them. */
class Caller {
  readonly #digest = createHash("sha256");
  readonly world: WorldInstance;
  readonly app: App;
  #calls = 0;
  #answered = 0;

  constructor(world: WorldInstance, app: App) {
    this.world = world;
    this.app = app;
  }

  fresh(): EpisodeSession {
    return { state: this.world.copyPopulation(), calls: 0 };
  }

  /** One call; the value that it answered, or undefined. */
  call(session: EpisodeSession, api: string, args: ApiArguments, app = this.app.name): unknown {
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

  get answers(): Answers {
    const hash = this.#digest.copy().digest("hex").slice(0, 16);
    return { calls: this.#calls, answered: this.#answered, hash };
  }
}

function exampleIn(api: Api, { state }: EpisodeSession): ApiArguments {
  try {
    return (api.example?.(state) ?? {}) as ApiArguments;
  } catch {
    return {};
  }
}

/** As an agent reads it. */
function documentation(caller: Caller): void {
  const { name } = caller.app;
  caller.call(caller.fresh(), "listApis", { app: name }, "docs");
  for (const api of Object.keys(caller.app.apis))
    caller.call(caller.fresh(), "showApi", { app: name, api }, "docs");
}

const WRONG = [null, "", "x", " ", 0, 1, 2, -1, 1.5, 999_999, true, [], {}, "2026-02-30"];

/** The example twice, then with one parameter after the other left out or wrong; lists at the bounds of their pages. */
function mutated(caller: Caller, name: string, api: Api): void {
  const session = caller.fresh();
  const example = exampleIn(api, session);
  for (const args of [example, example, {}, { ...example, unheardOf: 1 }])
    caller.call(session, name, args);
  for (const parameter of Object.keys(api.params.shape)) {
    const { [parameter]: _, ...rest } = exampleIn(api, session);
    caller.call(session, name, rest);
    for (const value of WRONG) caller.call(session, name, { ...rest, [parameter]: value });
  }
  if (!("page" in api.params.shape)) return;
  for (const [page, size] of [
    [1, 20],
    [1, 21],
    [2, 3],
    [3, 1],
    [50, 20],
  ])
    caller.call(session, name, { ...exampleIn(api, session), page, size });
}

/** Each call takes the example of the state that the calls before have made, now and then with a value of another call. */
function walk(caller: Caller, rng: Rng): void {
  const session = caller.fresh();
  const memory: ApiArguments[] = [];
  for (let step = 0; step < STEPS; step++) {
    const [name, api] = rng.pick(Object.entries(caller.app.apis));
    const args = { ...exampleIn(api, session) };
    for (const parameter of Object.keys(api.params.shape)) {
      const known = memory.filter((past) => parameter in past);
      if (known.length > 0 && rng.chance(0.25)) args[parameter] = rng.pick(known)[parameter];
    }
    const value = caller.call(session, name, args);
    memory.push(args);
    if (typeof value === "object" && value !== null) memory.push(value as ApiArguments);
  }
}

/** Arguments from the schemas and the data, in sequences that share a state. */
function drawn(caller: Caller, columns: ArgumentGenerator, seed: number): void {
  const { name: app, apis } = caller.app;
  const calls = Object.entries(apis).flatMap(([name, api], i) =>
    fc
      .sample(columns.argumentsOf(app, api), { seed: seed * 1000 + i, numRuns: DRAWN_PER_API })
      .map((args) => ({ name, args })),
  );
  const shuffled = new Rng(seed).child(`${app} drawn`).shuffle(calls);
  for (let from = 0; from < shuffled.length; from += CALLS_PER_SEQUENCE) {
    const session = caller.fresh();
    const memory = new CallMemory();
    for (const { name, args } of shuffled.slice(from, from + CALLS_PER_SEQUENCE)) {
      const resolved = memory.replaceRecentValues(args);
      const value = caller.call(session, name, resolved);
      for (const known of [resolved, value]) memory.remember(known);
    }
  }
}

function answersOf(world: WorldInstance, columns: ArgumentGenerator, app: App): Answers {
  const caller = new Caller(world, app);
  const apis = Object.entries(app.apis);
  documentation(caller);
  for (const [name, api] of apis) mutated(caller, name, api);
  const rng = new Rng(world.seed).child(`${app.name} walks`);
  for (let i = 0; i < WALKS_PER_API * apis.length; i++) walk(caller, rng.child(String(i)));
  drawn(caller, columns, world.seed);
  return caller.answers;
}

async function everything(): Promise<Baseline> {
  const found: { [group: string]: Answers } = {};
  for (const name of WORLDS) {
    const definition = await loadDefinition(builtInWorlds[name]!.url.href);
    for (const seed of SEEDS) {
      const world = new WorldInstance(definition, seed, { logins: false });
      const columns = new ArgumentGenerator(definition.apps, world.copyPopulation());
      for (const app of definition.apps) {
        const group = `${name}/${app.name}, seed ${seed}`;
        if (group.startsWith(wanted)) found[group] = answersOf(world, columns, app);
      }
    }
  }
  return found;
}

const hashesOf = (groups: Baseline) =>
  Object.fromEntries(Object.entries(groups).map(([name, { hash }]) => [name, hash]));

const found = await everything();
if (values.trace !== undefined) writeFileSync(values.trace, `${trace.join("\n")}\n`);
if (values.write) writeBaseline(BASELINE, found);
else {
  const groups = Object.values(found);
  const total = (of: "calls" | "answered") => groups.reduce((sum, group) => sum + group[of], 0);
  console.log(`${total("calls")} calls, ${total("answered")} answered`);
  compareHashes(hashesOf(readBaseline<Baseline>(BASELINE, {})), hashesOf(found), wanted, "groups");
}
