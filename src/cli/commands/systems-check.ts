/** `bowline systems check`: whether rows of the page on systems do what they say on a real world. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { checkSystems, SYSTEMS, type Verdict, verdictsSchema } from "../../bench/index.ts";
import { requireFolderOf, writeJson } from "../../core/index.ts";
import { onInterrupt } from "../interrupt.ts";
import { jsonOption, refuseFields } from "../options.ts";
import { stopped } from "../own-name.ts";
import { renderTable } from "../render/table.ts";
import { EXIT, type Session } from "../session.ts";

interface CheckOptions {
  readonly out: string;
  readonly results?: string;
  readonly json?: boolean;
}

/** Options, help and action. */
export function define(command: Command, session: Session): void {
  command
    .description(
      "Train systems for three iterations on everyday/starter, from warm starts that are made once and shared, and say of each how many iterations updated, what share of rollouts ended at a limit, and on what share of what they are meant for its mechanisms acted. What was checked before is read, not run again.",
    )
    .argument("[names...]", "systems by their names in docs/algorithms/systems.md; default: all")
    .option("--out <directory>", "folder of the run directories", join("runs", "systems"))
    .option("--results <file>", "a file of results, in which these take the place of earlier ones")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
A system works when every iteration updates, at most a fifth of the rollouts end at a limit, and each mechanism acts on
more than half of what it is meant for. The exit code is 1 when one does not that is not listed as such.

Examples:
  bowline systems check LINVIT "Sub-goal Distillation"
  bowline systems check --json > systems.json`,
    )
    .action((names: string[], options: CheckOptions, command: Command) => {
      refuseFields(command, session);
      return runCheck(names, options, session);
    });
}

async function runCheck(
  names: readonly string[],
  options: CheckOptions,
  session: Session,
): Promise<void> {
  const { out, err } = session.terminal;
  const channel = options.json ? err : out;
  if (options.results !== undefined) requireFolderOf(options.results);
  const interrupt = onInterrupt(channel);
  try {
    const verdicts = await checkSystems({
      names,
      out: options.out,
      signal: interrupt.signal,
      onEvent: (event) => {
        if (event.type === "run") {
          channel.line(channel.paint("dim", `${event.number}/${event.of} ${event.name}`));
        } else if (event.type === "verdict" && event.verdict.problem !== undefined) {
          channel.line(`  ${event.verdict.problem}`);
        }
      },
    });
    if (options.results !== undefined)
      writeJson(options.results, merged(options.results, verdicts));
    out.line(
      options.json ? JSON.stringify(verdicts) : text(verdicts, (dim) => out.paint("dim", dim)),
    );
    if (!verdicts.every(({ works, system }) => works || isListed(system)))
      session.exit(EXIT.failed);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    channel.line(stopped());
    session.exit(EXIT.interrupted);
  } finally {
    interrupt.dispose();
  }
}

const isListed = (name: string) =>
  SYSTEMS.find(({ system }) => system === name)?.cannot !== undefined;

/** In the order of the page. */
function merged(file: string, verdicts: readonly Verdict[]): Verdict[] {
  const before = existsSync(file)
    ? verdictsSchema.parse(JSON.parse(readFileSync(file, "utf8")))
    : [];
  const all = new Map([...before, ...verdicts].map((verdict) => [verdict.system, verdict]));
  return SYSTEMS.flatMap(({ system }) => all.get(system) ?? []);
}

function text(verdicts: readonly Verdict[], dim: (text: string) => string): string {
  const table = renderTable(
    [
      { title: "system" },
      { title: "updates", align: "right" },
      { title: "at a limit", align: "right" },
      { title: "fires", align: "right" },
      { title: "works" },
      { title: "what does not fire" },
    ],
    verdicts.map(({ system, works, updates, atLimit, fires, mechanisms, problem }) => [
      system,
      `${updates} of 3`,
      `${Math.round(100 * atLimit)}%`,
      `${Math.round(100 * fires)}%`,
      works ? "yes" : "no",
      problem === undefined ? silent(mechanisms) : "could not be run",
    ]),
    dim,
  );
  const working = verdicts.filter(({ works }) => works).length;
  return `\n${table}\n\n  ${working} of ${verdicts.length} work\n`;
}

function silent(mechanisms: Verdict["mechanisms"]): string {
  const quiet = Object.entries(mechanisms).filter(([, share]) => share === null || share <= 0.5);
  return quiet
    .map(([name, share]) =>
      share === null ? `${name} (no occasion)` : `${name} ${Math.round(100 * share)}%`,
    )
    .join(", ");
}
