/** Makes the populations of several seeds and tests the world's rules of life on them. */
import {
  BowlineError,
  formatValue,
  requireInteger,
  requireKnownFields,
  requireSeed,
  THIS_CALL,
} from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";
import { checkLifeRules, type LifeReport, type NamedPopulation } from "../check/index.ts";
import type { LifeRule, WorldDefinition } from "../define.ts";
import { WorldInstance } from "../episode/index.ts";
import { isSelfOpening } from "../opened-world.ts";
import { loadWorld } from "./load-world.ts";

/** The seeds whose populations are tested: `seeds` of them, from `seed` on. */
export interface CheckLifeOptions {
  readonly seed: number;
  readonly seeds: number;
  readonly dials?: Partial<Dials>;
  /** Called before each population is made, with the number of populations that are finished. */
  readonly onSeed?: (done: number) => void;
}

const OPTIONS = ["seed", "seeds", "dials", "onSeed"] as const satisfies (keyof CheckLifeOptions)[];

/** The number of scenarios of the first seed whose start states are compared. */
const COMPARED_SCENARIOS = 6;

/**
 * Tests a world's rules of life over the populations of several seeds. Rejects with a `config` error for a wrong option
 * or a world without rules of life, and with a `world` error when the world cannot be loaded.
 */
export async function checkLife(moduleUrl: string, options: CheckLifeOptions): Promise<LifeReport> {
  requireKnownFields("options of checkLife", options, OPTIONS);
  const { seed, seeds, dials, onSeed = () => {} } = options;
  requireSeed("seed", seed);
  requireInteger("seeds", seeds, 1, 10_000);
  const definition = await loadWorld(moduleUrl, THIS_CALL);
  const rules = isSelfOpening(definition) ? [] : (definition.life ?? []);
  if (isSelfOpening(definition) || rules.length === 0) {
    throw new BowlineError(
      "config",
      `the world ${formatValue(moduleUrl)} declares no rules of life, so there is nothing to test; add \`life\` to its defineWorld`,
    );
  }
  function* makePopulations(world: WorldDefinition): Generator<NamedPopulation> {
    for (let i = 0; i < seeds; i++) {
      onSeed(i);
      const instance = new WorldInstance(world, seed + i, dials);
      const db = instance.copyPopulation();
      yield { name: `seed ${seed + i}`, db, owner: instance.owner };
    }
  }
  const scenarios = openScenarios(definition, rules, seed, dials);
  return checkLifeRules(rules, makePopulations(definition), scenarios);
}

/** Returns the start states of the first scenarios of one seed, if a rule compares scenarios. */
function openScenarios(
  definition: WorldDefinition,
  rules: readonly LifeRule[],
  seed: number,
  dials: Partial<Dials> | undefined,
): NamedPopulation[] {
  if (!rules.some((rule) => "readVaried" in rule && rule.variesByScenario)) return [];
  const instance = new WorldInstance(definition, seed, dials);
  const [split] = Object.keys(definition.scenarios) as (keyof typeof definition.scenarios)[];
  const tasks = instance.tasks(split!, COMPARED_SCENARIOS).filter((_, i) => i % 3 === 0);
  return tasks.map(({ id, scenario }) => ({
    name: `scenario ${scenario}`,
    db: instance.prepareTask(id).state,
    owner: instance.owner,
  }));
}
