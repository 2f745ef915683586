/**
 * Checks that the mechanisms of each row of `docs/algorithms/systems.md` earn their names in a real world. Each row is
 * trained for three iterations after a warm start, and compared with itself while a mechanism is off, or on but dead.
 * Rows with the same configuration of the warm start share one.
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, didYouMean, errorMessage } from "../../src/core/index.ts";
import {
  affectsWarmStart,
  type Config,
  configLeaves,
  type TrainEvent,
  train,
} from "../../src/train/index.ts";
import { createCheckConfig, createWarmStartConfig } from "./check-size.ts";
import { probeRow } from "./counterfactual/probe-row.ts";
import { SYSTEMS } from "./rows/index.ts";
import type { System } from "./system.ts";
import { computeVerdict, type Verdict } from "./verdict.ts";

export type SystemsEvent =
  | { readonly type: "run"; readonly name: string; readonly number: number; readonly of: number }
  | { readonly type: "train"; readonly event: TrainEvent }
  | { readonly type: "verdict"; readonly verdict: Verdict };

export interface SystemsOptions {
  /** Names of rows of the systems table. By default, all rows are checked. */
  readonly names?: readonly string[];
  /** Folder of the run directories. */
  readonly out: string;
  readonly onEvent?: (event: SystemsEvent) => void;
  readonly signal?: AbortSignal;
}

/**
 * Returns a verdict for each row of the systems table, in the order of the page. Throws a `config` error for an unknown
 * name.
 */
export async function checkSystems(options: SystemsOptions): Promise<Verdict[]> {
  const rows = findRows(options.names ?? []);
  const verdicts: Verdict[] = [];
  for (const [i, row] of rows.entries()) {
    options.onEvent?.({ type: "run", name: row.system, number: i + 1, of: rows.length });
    const verdict = await checkRow(row, options);
    options.onEvent?.({ type: "verdict", verdict });
    verdicts.push(verdict);
  }
  return verdicts;
}

/** Returns the rows with these names, in upper or lower case, or all rows when `names` is empty. */
export function findRows(names: readonly string[]): readonly System[] {
  const known = SYSTEMS.map(({ system }) => system);
  const asked = new Set(names.map((name) => name.toLowerCase()));
  const unknown = names.find(
    (name) => !known.some((one) => one.toLowerCase() === name.toLowerCase()),
  );
  if (unknown !== undefined) {
    throw new BowlineError(
      "config",
      `unknown system ${JSON.stringify(unknown)}${didYouMean(unknown, known)}; docs/algorithms/systems.md lists all ${known.length}`,
    );
  }
  return asked.size === 0
    ? SYSTEMS
    : SYSTEMS.filter(({ system }) => asked.has(system.toLowerCase()));
}

async function checkRow(row: System, options: SystemsOptions): Promise<Verdict> {
  try {
    const config = createCheckConfig(row);
    const warmFrom = await prepareWarmStart(config, options);
    const directory = join(options.out, `${slugify(row.system)}-${hashFields(config, () => true)}`);
    rmSync(directory, { recursive: true, force: true });
    return computeVerdict(row, await probeRow(row, config, { out: directory, warm: warmFrom }));
  } catch (error) {
    options.signal?.throwIfAborted();
    return { ...FAILED_VERDICT, system: row.system, problem: errorMessage(error) };
  }
}

const FAILED_VERDICT = { works: false, updates: 0, atLimit: 0, mechanisms: {} };

async function prepareWarmStart(config: Config, options: SystemsOptions): Promise<string> {
  const out = join(options.out, `warm-${hashFields(config, affectsWarmStart)}`);
  const warm = createWarmStartConfig(config);
  await train(warm, { ...forwardEvents(options), out });
  return out;
}

function forwardEvents({ onEvent, signal }: SystemsOptions) {
  return {
    onEvent: (event: TrainEvent) => onEvent?.({ type: "train", event }),
    ...(signal && { signal }),
  };
}

/** Returns a short hash of the configuration fields for whose paths `includes` returns true. */
function hashFields(config: Config, includes: (path: string) => boolean): string {
  const leaves = [...configLeaves(config)].filter(([path]) => includes(path)).sort();
  return createHash("sha256").update(JSON.stringify(leaves)).digest("hex").slice(0, 8);
}

const slugify = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
