/**
 * Whether the rows of `docs/algorithms/systems.md` do something on a real world: each is trained for three iterations from a
 * warm policy. Rows that start alike share one warm start, which is made once and kept in the folder; a row that was
 * checked before is read and not run again.
 */
import { createHash } from "node:crypto";
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
import { SYSTEMS } from "./rows/index.ts";
import type { System } from "./system.ts";
import { computeVerdict, type Verdict } from "./verdict.ts";

export type SystemsEvent =
  | { readonly type: "run"; readonly name: string; readonly number: number; readonly of: number }
  | { readonly type: "train"; readonly event: TrainEvent }
  | { readonly type: "verdict"; readonly verdict: Verdict };

export interface SystemsOptions {
  /** Names of rows; default: all. */
  readonly names?: readonly string[];
  /** Folder of the run directories. */
  readonly out: string;
  readonly onEvent?: (event: SystemsEvent) => void;
  readonly signal?: AbortSignal;
}

/** A verdict for each row, in the order of the page. Throws a `config` error when a name is none of a row. */
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

/** By name, in any case of letters. */
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
    const warmFrom = await warmStartFor(config, options);
    const directory = join(options.out, `${slug(row.system)}-${digest(config, () => true)}`);
    await train(config, { ...listening(options), out: directory, warmFrom });
    return computeVerdict(row, directory);
  } catch (error) {
    options.signal?.throwIfAborted();
    const mechanisms = Object.fromEntries(row.mechanisms.map((name) => [name, null]));
    return { ...FAILED, system: row.system, mechanisms, problem: errorMessage(error) };
  }
}

const FAILED = { works: false, updates: 0, atLimit: 0, fires: 0 };

async function warmStartFor(config: Config, options: SystemsOptions): Promise<string> {
  const out = join(options.out, `warm-${digest(config, affectsWarmStart)}`);
  const warm = createWarmStartConfig(config);
  await train(warm, { ...listening(options), out });
  return out;
}

function listening({ onEvent, signal }: SystemsOptions) {
  return {
    onEvent: (event: TrainEvent) => onEvent?.({ type: "train", event }),
    ...(signal && { signal }),
  };
}

/** Names a configuration by those of its fields that count. */
function digest(config: Config, counts: (path: string) => boolean): string {
  const leaves = [...configLeaves(config)].filter(([path]) => counts(path)).sort();
  return createHash("sha256").update(JSON.stringify(leaves)).digest("hex").slice(0, 8);
}

const slug = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
