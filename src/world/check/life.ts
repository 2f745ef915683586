/**
 * Tests whether the life in populations is possible. A world declares the rules as `life`; a rule is about single
 * populations, or it wants something to differ between populations. `bowline world check --life` prints the report.
 */
import type { LifePopulation, LifeRule, VariedLifeRule } from "../define.ts";

/** A population with the name by which a report mentions it, such as `seed 3`. */
export interface NamedPopulation extends LifePopulation {
  readonly name: string;
}

/** What a rule of life found over all populations. */
export interface LifeRuleReport {
  readonly rule: string;
  readonly violations: number;
  /** The number of populations that have a violation. */
  readonly populations: number;
  /** The first violation, with the name of its population; absent when there is none. */
  readonly example?: string;
}

/** The fields of `bowline world check --life --json`. */
export interface LifeReport {
  readonly seeds: number;
  readonly violations: number;
  readonly rules: readonly LifeRuleReport[];
}

/** The violations of one population. */
interface Finding {
  readonly population: string;
  readonly sentences: readonly string[];
}

/**
 * Tests the rules over one population of each seed. `scenarios` are the start states of scenarios of one seed; only
 * rules with `variesByScenario` read them. Populations are read one after another and need not all be in memory.
 */
export function checkLifeRules(
  rules: readonly LifeRule[],
  populations: Iterable<NamedPopulation>,
  scenarios: readonly NamedPopulation[] = [],
): LifeReport {
  const findings = rules.map((): Finding[] => []);
  const texts = rules.map(() => new RepeatedTexts());
  let seeds = 0;
  for (const population of populations) {
    seeds++;
    for (const [i, rule] of rules.entries()) {
      if ("readVaried" in rule) texts[i]!.add(population.name, rule.readVaried(population));
      else {
        findings[i]!.push({
          population: population.name,
          sentences: rule.findViolations(population),
        });
      }
    }
  }
  const reports = rules.map((rule, i) =>
    "readVaried" in rule
      ? summarise(rule.name, [...texts[i]!.listRepeated(), ...findInScenarios(rule, scenarios)])
      : summarise(rule.name, findings[i]!),
  );
  return { seeds, violations: sumViolations(reports), rules: reports };
}

function findInScenarios(rule: VariedLifeRule, scenarios: readonly NamedPopulation[]): Finding[] {
  if (!rule.variesByScenario) return [];
  const texts = new RepeatedTexts();
  for (const scenario of scenarios) texts.add(scenario.name, rule.readVaried(scenario));
  return texts.listRepeated();
}

/** Collects a text of each population and finds those that too many populations have. */
class RepeatedTexts {
  readonly #names = new Map<string, string[]>();
  #count = 0;

  add(population: string, text: string): void {
    this.#count++;
    const names = this.#names.get(text);
    if (names) names.push(population);
    else this.#names.set(text, [population]);
  }

  listRepeated(): Finding[] {
    const limit = Math.max(1, Math.floor(this.#count / 10));
    return [...this.#names].flatMap(([text, [first, ...others]]) =>
      others.slice(limit - 1).map((population) => ({
        population,
        sentences: [`"${text}", as in ${first}`],
      })),
    );
  }
}

function summarise(rule: string, findings: readonly Finding[]): LifeRuleReport {
  const broken = findings.filter(({ sentences }) => sentences.length > 0);
  const [first] = broken;
  return {
    rule,
    violations: broken.reduce((sum, { sentences }) => sum + sentences.length, 0),
    populations: broken.length,
    ...(first === undefined ? {} : { example: `${first.population}: ${first.sentences[0]}` }),
  };
}

function sumViolations(reports: readonly LifeRuleReport[]): number {
  return reports.reduce((sum, { violations }) => sum + violations, 0);
}
