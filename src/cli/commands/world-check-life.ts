/** `bowline world check --life` tests whether the life in a world's populations is possible. */
import { toVisibleJson } from "../../core/index.ts";
import { pluralize } from "../../report/index.ts";
import type { Dials } from "../../spec/index.ts";
import { resolveWorld } from "../../train/index.ts";
import { checkLife, type LifeReport } from "../../world/index.ts";
import { type CommandContext, EXIT_CODES } from "../command-context.ts";
import type { Paint } from "../terminal.ts";

interface LifeCheckOptions {
  readonly world: string;
  readonly seed: number;
  readonly seeds: number;
  readonly json?: boolean;
}

/** Tests the rules over the seeds, prints the report, and sets the exit code 1 when a rule is broken. */
export async function runLifeCheck(
  { world, seed, seeds, json }: LifeCheckOptions,
  dials: Partial<Dials>,
  { terminal: { out }, setExitCode }: CommandContext,
): Promise<void> {
  const report = await checkLife(resolveWorld(world).url, { seed, seeds, dials });
  out.writeLine(json ? toVisibleJson(report) : formatLifeReport(report, out.paint));
  if (report.violations > 0) setExitCode(EXIT_CODES.failed);
}

function formatLifeReport({ seeds, violations, rules }: LifeReport, paint: Paint): string {
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  const counts = rules.map((rule) => String(rule.violations));
  const countWidth = Math.max(...counts.map(({ length }) => length));
  return [
    paint("bold", `${pluralize(seeds, "population")}, ${pluralize(violations, "violation")}`),
    "",
    ...rules.flatMap(({ rule, populations, example }, i) => [
      `  ${example ? paint("red", "✗") : paint("green", "✓")} ${rule.padEnd(width)}  ${counts[i]!.padStart(countWidth)}`,
      ...(example
        ? [paint("dim", `      in ${pluralize(populations, "population")}; ${example}`)]
        : []),
    ]),
  ].join("\n");
}
