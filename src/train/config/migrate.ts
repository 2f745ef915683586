/**
 * Configurations of version 1, as runs before this one stored them: one flat tree of 209 fields, of which most were read by
 * few methods, and a recipe that named setting and method at once. What such a run did can be said in today's words, so it
 * is resumed, reported and evaluated like any other.
 */
import { BowlineError, isRaw, parseSection, pruned } from "../../core/index.ts";
import { methods } from "../../methods/index.ts";
import { recipes } from "../settings/recipes.ts";
import { configFields, configLeaves, configSection } from "./config.ts";
import { newSections, type OldFields } from "./migrate-sections.ts";
import { whatBecameOf } from "./moved-fields.ts";
import { isChangeable } from "./stages.ts";
import { assignAt, merged, type Tree } from "./tree.ts";
import { fromVersion2 } from "./version-2.ts";

/** True for what a version before methods were values wrote. */
export function isOld(value: unknown): value is OldFields {
  return isRaw(value) && !("setting" in value);
}

/** The same in today's fields, its method's name among them. Missing fields had their defaults. */
export function migrated(old: OldFields, { isDone = false } = {}): Tree {
  refuseStrangers(old);
  const recipe = typeof old["recipe"] === "string" ? old["recipe"] : "loop";
  const pair = Object.hasOwn(recipes, recipe) ? recipes[recipe]! : recipes["starter"]!;
  const written = merged(MOMENTS, fromVersion2(newSections(old), { isDone }));
  const stages = newStages(old, written);
  const tree = merged(written, stages.length > 0 ? { schedule: { stages } } : {});
  const method = methodOf(old, pair.method, tree);
  const inPlace = pruned(configSection(methods[method]!), tree) as Tree;
  return { ...inPlace, recipe, setting: pair.setting, method };
}

/** Those of the warm start went on into reinforcement. */
const MOMENTS: Tree = { optimizer: { moments: "kept" } };

/** A field that no version had is no field to leave out in silence. */
function refuseStrangers(old: OldFields): void {
  const known = new Set(
    Object.values(methods).flatMap((method) => configFields(method).map(({ path }) => path)),
  );
  const isKnown = (path: string) =>
    known.has(path) ||
    whatBecameOf(path) !== undefined ||
    path === "recipe" ||
    path.startsWith("world.dials.");
  const stranger = Object.keys(leavesOf(old as Tree, "")).find(
    (path) => !isKnown(path) && !/\.(terms|stages|classes|maxTurns|mixWeight)$/.test(path),
  );
  if (stranger !== undefined) throw new BowlineError("config", `unknown field ${stranger}`);
}

/** The method that learned by the old fields `algo.learner`, `algo.collect` and `algo.baseline`. */
function familyOf(algo: Readonly<Record<string, unknown>>): string {
  const { learner = "surrogate", collect = "groups" } = algo;
  if (learner === "preference") return collect === "tree" ? "dpo-mcts" : "dmpo";
  if (learner === "imitation") return collect === "solutions" ? "sft-gt" : "ei";
  return algo["baseline"] === "value" ? "ppo-critic" : "on-policy";
}

/** The recipe's method where it can say all that the run did; else the general one of its family. */
function methodOf(old: OldFields, named: string, tree: Tree): string {
  const family = familyOf(isRaw(old["algo"]) ? old["algo"] : {});
  if (family !== "on-policy") return named === "rft" && family === "ei" ? named : family;
  if (methods[named]!.sections === methods["on-policy"]!.sections) return named;
  if (!isPlain(tree)) return "on-policy";
  return "loop";
}

/** Whether LOOP's own fields say it all: what they leave out is at its default. */
function isPlain(tree: Tree): boolean {
  const [whole, plain] = ["on-policy", "loop"].map((name) => {
    const shape = configSection(methods[name]!);
    try {
      return configLeaves(parseSection(shape, pruned(shape, tree)));
    } catch {
      // It has a choice that this method has not.
      return undefined;
    }
  });
  if (plain === undefined) return false;
  const standard = configLeaves(parseSection(configSection(methods["on-policy"]!), {}));
  return [...(whole ?? [])].every(
    ([path, value]) => plain.get(path) === value || standard.get(path) === value,
  );
}

/** Stages with their patches under today's names; a patch that changed the learner names a method. */
function newStages(old: OldFields, now: Tree): Tree[] {
  const schedule = isRaw(old["schedule"]) ? old["schedule"] : {};
  const stages = Array.isArray(schedule["stages"]) ? schedule["stages"] : [];
  const run = isRaw(old["algo"]) ? old["algo"] : {};
  return stages.map(({ iterations, patch = {} }: { iterations: number; patch?: Tree }) => {
    const nested: Tree = {};
    for (const [path, value] of Object.entries(patch)) assignAt(nested, path.split("."), value);
    const algo = isRaw(nested["algo"]) ? nested["algo"] : {};
    const family = familyOf({ ...run, ...algo });
    const method = family === familyOf(run) ? {} : { method: family };
    // A number that the stage's method has not said nothing there.
    const known = pruned(
      configSection(methods[family]!),
      fromVersion2(newSections(nested), { run: now }),
    ) as Tree;
    const fields = Object.entries(leavesOf(known, ""));
    return {
      iterations,
      ...method,
      patch: Object.fromEntries(fields.filter(([path]) => isChangeable(path))),
    };
  });
}

/** Groups down to their values, by path. */
function leavesOf(tree: Tree, prefix: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, value]) => {
      const path = `${prefix}${name}`;
      return isRaw(value) && !("shape" in value)
        ? Object.entries(leavesOf(value, `${path}.`))
        : [[path, value]];
    }),
  );
}
