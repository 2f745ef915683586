/** Collects what a campaign counted and what failed. */
import { addCounts, type Counts } from "./part.ts";
import { PARTS } from "./parts.ts";

export interface Failure {
  readonly part: string;
  /** The command that runs the failed case again. */
  readonly command: string;
  readonly problems: readonly string[];
}

interface Conditions {
  readonly seed: number;
  readonly minutes: number;
  readonly machine: unknown;
}

export interface CampaignSummary extends Conditions {
  readonly seconds: number;
  readonly parts: Readonly<Record<string, { readonly cases: number; readonly counts: Counts }>>;
  readonly failures: readonly Failure[];
}

export interface Results {
  addCases(part: string, cases: number, counts: Counts): void;
  addFailure(
    part: string,
    number: number,
    problems: readonly string[],
    steps?: readonly number[],
  ): void;
  summarise(): CampaignSummary;
  /** Returns a table with a row for each part, and the failures below it. */
  formatTable(): string;
}

/** The most characters of one problem. */
const MAX_PROBLEM_CHARACTERS = 600;

export function createResults(conditions: Conditions): Results {
  const startMs = performance.now();
  const parts = new Map<string, { cases: number; counts: Record<string, number> }>();
  const failures: Failure[] = [];
  return {
    addCases(part, cases, counts) {
      const sums = parts.get(part) ?? { cases: 0, counts: {} };
      parts.set(part, sums);
      sums.cases += cases;
      addCounts(sums.counts, counts);
    },
    addFailure(part, number, problems, steps) {
      const { seed } = conditions;
      const kept = steps ? ` --steps ${steps.join(",")}` : "";
      const command = `npm run campaign -- --part ${part} --seed ${seed} --case ${number}${kept}`;
      const cut = problems.map((problem) => problem.slice(0, MAX_PROBLEM_CHARACTERS));
      failures.push({ part, command, problems: cut });
      console.log(`FAILED: ${command}\n  ${cut.join("\n  ")}`);
    },
    summarise: () => ({
      ...conditions,
      seconds: Math.round((performance.now() - startMs) / 1000),
      parts: Object.fromEntries(parts),
      failures,
    }),
    formatTable() {
      const rows = [...parts].map(([name, { cases, counts }]) => {
        const { summary = "" } = PARTS.find((part) => part.name === name) ?? {};
        const failed = failures.filter(({ part }) => part === name).length;
        const counted = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
        return `${name.padEnd(8)} ${String(cases).padStart(8)} cases, ${failed} failed: ${summary}\n         ${counted.join(", ")}`;
      });
      return [...rows, ...failures.map(({ command }) => `failed: ${command}`)].join("\n");
    },
  };
}
