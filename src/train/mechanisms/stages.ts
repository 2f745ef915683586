/**
 * The configuration of an iteration: the run's, with the fields of the stage that the iteration is in and with courses of
 * numbers read at it. A run without stages is its own configuration in every iteration, the very same object.
 */
import { stageAt, valueAt } from "../../algo/index.ts";
import { type Config, configSchema } from "../config.ts";

/** Sections of which an iteration reads its own values, and single fields; not among them: what shapes a whole run. */
const CHANGEABLE = [
  "algo.",
  "preference.",
  "tree.",
  "critic.",
  "rewards.",
  "credit.",
  "filter.",
  "buffer.",
  "tasks.",
  "imitation.",
  "optimizer.",
  "scaffold.maxTurns",
];
const FIXED = ["algo.iterations", "algo.staleness", "optimizer.finalRate"];

/** Whether a stage may set a field. */
export function isChangeable(path: string): boolean {
  if (FIXED.includes(path)) return false;
  return CHANGEABLE.some((name) => (name.endsWith(".") ? path.startsWith(name) : path === name));
}

const known = new WeakMap<Config, ReadonlyMap<object, Config>>();

/** What a 1-based iteration is to do. */
export function configAt(config: Config, iteration: number): Config {
  const staged = stageConfig(config, iteration);
  const { maxTurns } = config.schedule;
  if (maxTurns === null) return staged;
  const turns = Math.floor(valueAt(maxTurns, iteration - 1));
  return { ...staged, scaffold: { ...staged.scaffold, maxTurns: turns } };
}

/** Every configuration that some iteration may have: what a run must be able to serve. */
export function stageConfigs(config: Config): readonly Config[] {
  const { stages } = config.schedule;
  return stages.length === 0 ? [config] : stages.map(({ patch }) => patched(config, patch));
}

function stageConfig(config: Config, iteration: number): Config {
  const [first, ...rest] = config.schedule.stages;
  if (first === undefined) return config;
  const patch = stageAt([first, ...rest], iteration - 1);
  const made = known.get(config) ?? new Map<object, Config>();
  const result = made.get(patch) ?? patched(config, patch);
  known.set(config, new Map([...made, [patch, result]]));
  return result;
}

/** The configuration with fields replaced, by their whole paths. Its own stages are left out. */
export function patched(config: Config, patch: Readonly<Record<string, unknown>>): Config {
  return configSchema.parse(withFields(config, patch));
}

/** The same before it is checked. */
export function withFields(config: Config, patch: Readonly<Record<string, unknown>>): unknown {
  const raw = structuredClone(config) as unknown as Record<string, Record<string, unknown>>;
  for (const [path, value] of Object.entries(patch)) {
    const [section = "", field = ""] = path.split(".");
    raw[section]![field] = value;
  }
  raw["schedule"]!["stages"] = [];
  return raw;
}
