/** What the `bowline bench` commands share: how a measurement runs and is printed, and parts of tables. */

import { Option } from "commander";
import { toVisibleJson } from "../../core/index.ts";
import { formatCompact, formatDuration } from "../../report/index.ts";
import type { CommandContext } from "../command-context.ts";
import { monotonicSeconds } from "../interrupt.ts";
import { integerParser, numberParser } from "../shared-options.ts";
import type { Channel } from "../terminal.ts";

/** Formats a text in a less visible colour. */
export type DimText = (text: string) => string;

export const threadsOption = () =>
  new Option("--threads <n>", "number of threads of each operation")
    .argParser(integerParser(1, 256))
    .default(2);

export const maxMillionsOption = () =>
  new Option("--max-millions <n>", "size of the largest model, in millions of parameters")
    .argParser(numberParser(0.1))
    .default(100);

/** Runs a measurement, prints its phases (with `--json` on stderr), and prints its result as JSON or by `format`. */
export async function runMeasurement<Result>(
  { terminal: { out, err } }: CommandContext,
  json: boolean | undefined,
  measure: (onPhase: (phase: string) => void) => Promise<Result>,
  format: (result: Result, dim: DimText, channel: Channel) => readonly string[],
): Promise<void> {
  const phases = json ? err : out;
  const start = monotonicSeconds();
  const result = await measure((phase) => phases.writeLine(phases.paint("dim", phase)));
  if (json) return out.writeLine(toVisibleJson(result));
  const dim = (text: string) => out.paint("dim", text);
  const duration = formatDuration(monotonicSeconds() - start);
  const footer = `  ${dim(`measured in ${duration}; --json prints all numbers`)}`;
  out.writeLine(["", ...format(result, dim, out), "", footer, ""].join("\n"));
}

export const rightAligned = (titles: readonly string[]) =>
  titles.map((title) => ({ title, align: "right" as const }));

/** Formats a number of parameters in millions, such as "3.1M". */
export const formatMillions = (params: number) => `${formatCompact(params / 1e6)}M`;
