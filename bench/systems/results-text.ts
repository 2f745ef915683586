/** Formats the results of the check of systems as text. */
import { isAlive, type Verdict } from "./verdict.ts";

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

/** Returns the lines of one system: whether it works, and the differences of each of its mechanisms. */
export function describeVerdict({ works, updates, mechanisms, problem, ...rest }: Verdict): string {
  if (problem !== undefined) return `${rest.system}: could not be run: ${problem}`;
  const lines = Object.entries(mechanisms).map(([name, one]) => {
    const { compares, onOff, deadOff, onDead, repeated } = one;
    const numbers = `on-off ${percent(onOff)}, dead-off ${percent(deadOff)}, on-dead ${percent(onDead)}`;
    return `  ${isAlive(one) ? "alive" : "dead "} ${name} (${compares}): ${numbers}, repeated ${percent(repeated)}`;
  });
  const first = `${rest.system}: ${works ? "works" : "does not work"} (updates in ${updates} of 3, ${percent(rest.atLimit)} at a limit)`;
  return [first, ...lines].join("\n");
}

/** Returns the whole result as text, with the number of systems that work at the end. */
export function formatVerdicts(verdicts: readonly Verdict[]): string {
  const working = verdicts.filter(({ works }) => works).length;
  return `${[...verdicts.map(describeVerdict), `${working} of ${verdicts.length} work`].join("\n")}\n`;
}
