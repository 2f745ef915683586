/**
 * What holds for every API of every built-in world, whatever it is called with: no call is a bug, no refused call
 * changes anything, what returns is what the documentation says, reads change no content, pages cover a list once.
 *
 * The worlds say which apps there are, so a new API is covered as soon as it is one. A failure prints the calls that
 * led to it, shrunk.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallResult, EpisodeSession } from "../../src/world/api/dispatch.ts";
import { loadDefinition, WorldInstance } from "../../src/world/episode/index.ts";
import type { Api } from "../../src/world/index.ts";
import type { TableState } from "../../src/world/state/index.ts";
import {
  type ApiArguments,
  ArgumentGenerator,
  CallMemory,
} from "../support/arbitrary-arguments.ts";
import { distinctWorlds } from "../support/distinct-worlds.ts";
import { sweepSize } from "../support/sweep.ts";

const SEED = 20260312;
const CALLS_PER_RUN = 14;
const RUNS_PER_API = sweepSize(15, 60);
const RUNS_PER_APP = sweepSize(125, 500);
const PAGED_RUNS = 6;

interface Call {
  readonly app: string;
  readonly api: string;
  readonly args: ApiArguments;
}

const worlds = await Promise.all(
  distinctWorlds.map(async ([name, url]) => {
    const world = new WorldInstance(await loadDefinition(url.href), 1, { logins: false });
    return {
      name,
      world,
      columns: new ArgumentGenerator(world.definition.apps, world.copyPopulation()),
    };
  }),
);

const isPaged = ({ params, returns }: Api) =>
  "page" in params.shape && "shape" in returns && "more" in Object(returns.shape);
/** "Show a hidden photo again" is none. */
const isRead = (api: Api) =>
  isPaged(api) || /^(List|Show|Search|Find|Count|Compare|Read)\b(?!.* again)/.test(api.summary);

function textOf({ app, api, args }: Call): string {
  return `apis.${app}.${api}(${JSON.stringify(args)})`;
}

interface Tried {
  /** Absent when it was refused. */
  readonly value?: unknown;
  /** The first thing wrong with the call or its result. */
  readonly problem?: string | undefined;
}

function tryCall(world: WorldInstance, session: EpisodeSession, call: Call): Tried {
  const before = session.state.clone();
  const result = callOf(world, session, call);
  if ("value" in result) return { value: result.value, problem: wrongAnswer(world, call, result) };
  if (result.status >= 500) return { problem: result.message };
  const { state } = session;
  const changed = [...state.changesSince(before), ...before.changesSince(state)];
  if (changed.length === 0) return {};
  return { problem: `it was refused, and it changed ${JSON.stringify(changed)}` };
}

type Answered = Extract<CallResult, { value: unknown }>;

function wrongAnswer(world: WorldInstance, { app, api }: Call, result: Answered) {
  const definition = world.definition.apps.find(({ name }) => name === app)!.apis[api]!;
  if (isRead(definition) && result.wrote)
    return `a read, and it changed ${JSON.stringify(result.changes)}`;
  return misfit(definition, result.value);
}

function callOf(
  world: WorldInstance,
  session: EpisodeSession,
  { app, api, args }: Call,
): CallResult {
  return world.dispatcher.call(session, world.owner, app, api, args);
}

/** Data crosses into the sandbox as JSON: it must fit the documented type there, too. */
function misfit({ returns }: Api, value: unknown): string | undefined {
  const crossed: unknown = JSON.parse(JSON.stringify(value));
  const parsed = returns.safeParse(crossed);
  if (!parsed.success) return `as JSON its value does not fit: ${parsed.error.message}`;
  const same = JSON.stringify(parsed.data) === JSON.stringify(value);
  return same ? undefined : `as JSON its value is another: ${JSON.stringify(parsed.data)}`;
}

describe.each(worlds)("$name", ({ world, columns }) => {
  const { apps } = world.definition;
  const callTo = (app: string, name: string, api: Api): fc.Arbitrary<Call> =>
    columns.argumentsOf(app, api).map((args) => ({ app, api: name, args }));
  const callsOf = apps.map((app) =>
    fc.oneof(...Object.entries(app.apis).map(([name, api]) => callTo(app.name, name, api))),
  );
  const anyCall = fc.oneof(...callsOf);
  const answered = new Set<string>();

  test.each(apps.map((app, i) => ({ name: app.name, app, calls: callsOf[i]! })))(
    "$name: any calls one after the other are answered or refused as documented",
    ({ app, calls }) => {
      const some = fc.oneof({ weight: 9, arbitrary: calls }, { weight: 1, arbitrary: anyCall });
      const property = fc.property(
        fc.array(some, { minLength: 1, maxLength: CALLS_PER_RUN, size: "max" }),
        (sequence) => {
          const session = { state: world.copyPopulation(), calls: 0 };
          const memory = new CallMemory();
          const made: string[] = [];
          for (const drawn of sequence) {
            const call = { ...drawn, args: memory.replaceRecentValues(drawn.args) };
            made.push(textOf(call));
            const { value, problem } = tryCall(world, session, call);
            if (problem) throw new Error(`${made.join("\n")}\n  ${problem}`);
            if (value !== undefined) answered.add(`${call.app}.${call.api}`);
            for (const values of [call.args, value]) memory.remember(values);
          }
        },
      );
      fc.assert(property, {
        seed: SEED,
        numRuns: Math.min(RUNS_PER_APP, RUNS_PER_API * Object.keys(app.apis).length),
      });
    },
  );

  test("the calls reach what they test: hardly an API was never answered", () => {
    const names = apps.flatMap((app) => Object.keys(app.apis).map((api) => `${app.name}.${api}`));
    const silent = names.filter((name) => !answered.has(name));
    expect(silent.length, `never answered: ${silent}`).toBeLessThanOrEqual(
      sweepSize(0.08, 0.02) * names.length,
    );
  });

  const paged = apps.flatMap((app) =>
    Object.entries(app.apis)
      .filter(([, api]) => isPaged(api))
      .map(([name, api]) => ({ call: `${app.name}.${name}`, app: app.name, name, api })),
  );

  test("pages of any size cover a list once", () => {
    expect(paged.length === 0 || paged.some(({ api }) => "size" in api.params.shape)).toBe(true);
    for (const { app, name, api } of paged) {
      const property = fc.property(
        callTo(app, name, api),
        fc.integer({ min: 1, max: 9 }),
        (drawn, size) => {
          const state = world.copyPopulation();
          const call = {
            ...drawn,
            args: { ...new CallMemory().replaceRecentValues(drawn.args), page: 1 },
          };
          if (!("value" in callOf(world, { state, calls: 0 }, call))) return;
          const whole = pages(world, state, call, undefined);
          const bySize = "size" in api.params.shape ? pages(world, state, call, size) : whole;
          const texts = whole.map((item) => JSON.stringify(item));
          expect([textOf(call), ...bySize.map((item) => JSON.stringify(item))]).toEqual([
            textOf(call),
            ...texts,
          ]);
          const ids = whole.flatMap((item) => (hasId(item) ? [item.id] : []));
          expect([textOf(call), new Set(ids).size]).toEqual([textOf(call), ids.length]);
        },
      );
      fc.assert(property, { seed: SEED, numRuns: PAGED_RUNS });
    }
  });
});

function hasId(item: unknown): item is { readonly id: unknown } {
  return typeof item === "object" && item !== null && "id" in item;
}

/** All items, page by page; every page but the last is full, and the one after the last is empty. */
function pages(
  world: WorldInstance,
  state: TableState,
  call: Call,
  size: number | undefined,
): unknown[] {
  const session = { state: state.clone(), calls: 0 };
  const items: unknown[] = [];
  const { size: _, ...rest } = call.args;
  for (let page = 1, more = true; page < 1000; page++) {
    const args = { ...rest, ...(size === undefined ? {} : { size }), page };
    const result = callOf(world, session, { ...call, args });
    if (!("value" in result)) throw new Error(`${textOf({ ...call, args })}: ${result.message}`);
    const found = result.value as { readonly items: readonly unknown[]; readonly more: boolean };
    if (!more) {
      expect([textOf({ ...call, args }), found]).toEqual([
        textOf({ ...call, args }),
        { items: [], more: false },
      ]);
      return items;
    }
    if (found.more && size !== undefined) expect(found.items.length).toBe(size);
    items.push(...found.items);
    more = found.more;
  }
  throw new Error(`${textOf(call)} has no end`);
}
