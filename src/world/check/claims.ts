/**
 * Finds the part that causes a solution to fail. Each claim of the task's parts is tested in its own episode. The first
 * part whose code finds something other than it should is named, together with the broken rule.
 */
import { runUserCode } from "../api/index.ts";
import type { Claim } from "../define.ts";
import { describeFailedCell, LiveEpisode } from "../episode/index.ts";
import type { SolutionTarget } from "./run-solution.ts";

/** The part of a task that is wrong, and why. */
export interface BrokenPart {
  /**
   * The name of the part: `clause since of collection shop.orders`, or the task's actions when everything that it reads
   * is right.
   */
  readonly part: string;
  readonly why: string;
}

/** Finds the part to examine first; undefined when the task makes no claims. */
export async function findBrokenPart(target: SolutionTarget): Promise<BrokenPart | undefined> {
  const { state, task } = target.world.prepareTask(target.taskId);
  const { claims } = task;
  if (!claims) return undefined;
  const { watch } = target.world.dispatcher;
  const listClaims = () => claims.listClaims(state);
  for (const claim of runUserCode(watch, `the claims of task ${target.taskId}`, listClaims)) {
    const { part, rule } = claim;
    const difference = await testClaim(target, claim);
    if (difference !== undefined) return { part, why: `${rule}: ${difference}` };
  }
  const part = claims.actionNames.join(" or ");
  return {
    part,
    why: "everything that the task reads is right, so these calls change something else than they mean",
  };
}

async function testClaim(
  { world, sandbox, taskId }: SolutionTarget,
  claim: Claim,
): Promise<string | undefined> {
  const episode = LiveEpisode.open(world, sandbox, taskId);
  try {
    let printed = "";
    for (const [i, cell] of claim.cells.entries()) {
      const result = await episode.step(world.adaptCell(cell, i === 0));
      const [trouble] = describeFailedCell([result]);
      if (trouble) return `\`${cell}\` ${trouble.replace(/^its cell 1 of 1 /, "")}`;
      printed = result.stdout;
    }
    return describeDifference(JSON.parse(printed) as unknown[], claim.expected, claim.cells.at(-2));
  } finally {
    episode.close();
  }
}

const MAX_SHOWN = 5;

function describeDifference(
  found: readonly unknown[],
  meant: readonly unknown[],
  code: string | undefined,
): string | undefined {
  const by = code === undefined ? "" : ` by \`${code}\``;
  const handles = found.some((key) => typeof key === "string") && meant.every(Number.isInteger);
  if (handles) {
    if (found.length === meant.length) return undefined;
    return `${found.length} found${by}, ${meant.length} meant`;
  }
  const [only, missing] = [subtractValues(found, meant), subtractValues(meant, found)];
  if (only.length === 0 && missing.length === 0) return undefined;
  return `${found.length} found${by}, ${meant.length} meant${formatSome("only found", only)}${formatSome("only meant", missing)}`;
}

/**
 * Returns a text that is equal for values which count as the same, such as numbers that differ by less than half a
 * cent.
 */
const comparableText = (value: unknown) =>
  JSON.stringify(typeof value === "number" ? Math.round(100 * value) / 100 : value);

function subtractValues(all: readonly unknown[], others: readonly unknown[]): unknown[] {
  const left = others.map(comparableText);
  return all.filter((one) => {
    const at = left.indexOf(comparableText(one));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function formatSome(what: string, values: readonly unknown[]): string {
  if (values.length === 0) return "";
  const more = values.length > MAX_SHOWN ? ", ..." : "";
  return `; ${what}: ${values.slice(0, MAX_SHOWN).map(comparableText).join(", ")}${more}`;
}
