/** Asks `docs.search` of the Everyday world, as an agent does that does not know the names of APIs. */
import { appsUnderTest } from "bowline/testing";
import { describe, expect, test } from "vitest";
import { fullApps } from "../apps/full.ts";
import { NOW } from "../population/time.ts";
import { DOCS_QUERIES, type DocsQuery, LATER_QUERIES } from "./docs-queries.ts";
import { OWNER } from "./owner.ts";

const session = appsUnderTest(fullApps, { now: NOW, owner: OWNER }).open();

/** Returns the names of the first three APIs that `docs.search` finds. */
function firstThree(query: string): string[] {
  const { items } = session.call("docs.search", { query }) as { items: { name: string }[] };
  return items.slice(0, 3).map(({ name }) => name);
}

/** Returns the queries of which no right API is among the first three, with what was found. */
function findMissed(queries: readonly DocsQuery[]): string[] {
  return queries.flatMap(([query, ...right]) => {
    const found = firstThree(query);
    return found.some((name) => right.includes(name)) ? [] : [`${query}: ${found.join(", ")}`];
  });
}

describe("docs.search", () => {
  test("has a list of 100 different queries, whose APIs all exist", () => {
    expect(new Set(DOCS_QUERIES.map(([query]) => query)).size).toBe(100);
    const names = fullApps.flatMap(({ name, apis }) =>
      Object.keys(apis).map((api) => `${name}.${api}`),
    );
    const known = new Set([...names, "me.profile"]);
    expect(DOCS_QUERIES.flatMap(([, ...right]) => right.filter((api) => !known.has(api)))).toEqual(
      [],
    );
  });

  test("finds a right API among its first three for at least 90 of 100 queries of daily life", () => {
    const missed = findMissed(DOCS_QUERIES);
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(10);
  });

  test("finds a right API for most queries that were written after it", () => {
    const missed = findMissed(LATER_QUERIES);
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(14);
  });
});
