/**
 * Checks every API of every built-in world with any arguments: no handler throws, a refused call changes nothing,
 * results have the documented type, reads change no content, and the pages of a list have each item once. New APIs are
 * covered automatically. A failure prints the shortest calls that lead to it.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { THIS_CALL } from "../../src/core/index.ts";
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
    const world = new WorldInstance(await loadDefinition(url.href, THIS_CALL), 1, {
      logins: false,
    });
    return {
      name,
      world,
      columns: new ArgumentGenerator(world.definition.apps, world.copyPopulation()),
    };
  }),
);

const isPaged = ({ params, returns }: Api) =>
  "page" in params.shape && "shape" in returns && "more" in Object(returns.shape);
/**
 * Says whether an API only reads, by the verb of its summary. An exception is "Show a hidden photo again", which
 * writes.
 */
const isRead = (api: Api) =>
  isPaged(api) || /^(List|Show|Search|Find|Count|Compare|Read)\b(?!.* again)/.test(api.summary);

function formatCall({ app, api, args }: Call): string {
  return `apis.${app}.${api}(${JSON.stringify(args)})`;
}

interface CheckedCall {
  /** The result of the call, which is absent when the call was refused. */
  readonly value?: unknown;
  /** The first problem of the call or its result. */
  readonly problem?: string | undefined;
}

function checkCall(world: WorldInstance, session: EpisodeSession, call: Call): CheckedCall {
  const before = session.state.clone();
  const result = dispatchCall(world, session, call);
  if ("value" in result) return { value: result.value, problem: findProblem(world, call, result) };
  if (result.status >= 500) return { problem: result.message };
  const { state } = session;
  const changed = [...state.changesSince(before), ...before.changesSince(state)];
  if (changed.length === 0) return {};
  return { problem: `it was refused, but it changed ${JSON.stringify(changed)}` };
}

type AnsweredResult = Extract<CallResult, { value: unknown }>;

function findProblem(world: WorldInstance, { app, api }: Call, result: AnsweredResult) {
  const definition = world.definition.apps.find(({ name }) => name === app)!.apis[api]!;
  if (isRead(definition) && result.wrote)
    return `it only reads, but it changed ${JSON.stringify(result.changes)}`;
  return describeMisfit(definition, result.value);
}

function dispatchCall(
  world: WorldInstance,
  session: EpisodeSession,
  { app, api, args }: Call,
): CallResult {
  return world.dispatcher.call(session, world.owner, app, api, args);
}

/**
 * Describes how a value, as JSON in the sandbox, differs from the documented type. Returns undefined when it does not.
 */
function describeMisfit({ returns }: Api, value: unknown): string | undefined {
  const fromJson: unknown = JSON.parse(JSON.stringify(value));
  const parsed = returns.safeParse(fromJson);
  if (!parsed.success) return `its value as JSON does not fit: ${parsed.error.message}`;
  const same = JSON.stringify(parsed.data) === JSON.stringify(value);
  return same ? undefined : `its value as JSON differs: ${JSON.stringify(parsed.data)}`;
}

describe.each(worlds)("$name", ({ world, columns: generator }) => {
  const { apps } = world.definition;
  const callsOfApi = (app: string, name: string, api: Api): fc.Arbitrary<Call> =>
    generator.argumentsOf(app, api).map((args) => ({ app, api: name, args }));
  const callsByApp = apps.map((app) =>
    fc.oneof(...Object.entries(app.apis).map(([name, api]) => callsOfApi(app.name, name, api))),
  );
  const anyCall = fc.oneof(...callsByApp);
  const answered = new Set<string>();

  test.each(apps.map((app, i) => ({ name: app.name, app, calls: callsByApp[i]! })))(
    "every call of a random sequence in $name is answered or refused as documented",
    ({ app, calls }) => {
      const sequenceCall = fc.oneof(
        { weight: 9, arbitrary: calls },
        { weight: 1, arbitrary: anyCall },
      );
      const property = fc.property(
        fc.array(sequenceCall, { minLength: 1, maxLength: CALLS_PER_RUN, size: "max" }),
        (sequence) => {
          const session = { state: world.copyPopulation(), calls: 0 };
          const memory = new CallMemory();
          const made: string[] = [];
          for (const drawn of sequence) {
            const call = { ...drawn, args: memory.replaceRecentValues(drawn.args) };
            made.push(formatCall(call));
            const { value, problem } = checkCall(world, session, call);
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

  test("nearly every API was answered at least once", () => {
    const names = apps.flatMap((app) => Object.keys(app.apis).map((api) => `${app.name}.${api}`));
    const unanswered = names.filter((name) => !answered.has(name));
    expect(unanswered.length, `never answered: ${unanswered}`).toBeLessThanOrEqual(
      sweepSize(0.08, 0.02) * names.length,
    );
  });

  const pagedApis = apps.flatMap((app) =>
    Object.entries(app.apis)
      .filter(([, api]) => isPaged(api))
      .map(([name, api]) => ({ call: `${app.name}.${name}`, app: app.name, name, api })),
  );

  test("pages of any size together have each item of a list once", () => {
    expect(pagedApis.length === 0 || pagedApis.some(({ api }) => "size" in api.params.shape)).toBe(
      true,
    );
    for (const { app, name, api } of pagedApis) {
      const property = fc.property(
        callsOfApi(app, name, api),
        fc.integer({ min: 1, max: 9 }),
        (drawn, size) => {
          const state = world.copyPopulation();
          const call = {
            ...drawn,
            args: { ...new CallMemory().replaceRecentValues(drawn.args), page: 1 },
          };
          if (!("value" in dispatchCall(world, { state, calls: 0 }, call))) return;
          const whole = readAllItems(world, state, call, undefined);
          const bySize =
            "size" in api.params.shape ? readAllItems(world, state, call, size) : whole;
          const texts = whole.map((item) => JSON.stringify(item));
          expect([formatCall(call), ...bySize.map((item) => JSON.stringify(item))]).toEqual([
            formatCall(call),
            ...texts,
          ]);
          const ids = whole.flatMap((item) => (hasId(item) ? [item.id] : []));
          expect([formatCall(call), new Set(ids).size]).toEqual([formatCall(call), ids.length]);
        },
      );
      fc.assert(property, { seed: SEED, numRuns: PAGED_RUNS });
    }
  });
});

function hasId(item: unknown): item is { readonly id: unknown } {
  return typeof item === "object" && item !== null && "id" in item;
}

/** Reads all items, page by page. Checks that all pages but the last are full, and that the page after it is empty. */
function readAllItems(
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
    const result = dispatchCall(world, session, { ...call, args });
    if (!("value" in result))
      throw new Error(`${formatCall({ ...call, args })}: ${result.message}`);
    const found = result.value as { readonly items: readonly unknown[]; readonly more: boolean };
    if (!more) {
      expect([formatCall({ ...call, args }), found]).toEqual([
        formatCall({ ...call, args }),
        { items: [], more: false },
      ]);
      return items;
    }
    if (found.more && size !== undefined) expect(found.items.length).toBe(size);
    items.push(...found.items);
    more = found.more;
  }
  throw new Error(`${formatCall(call)} has no end`);
}
