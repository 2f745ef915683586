/** `bowline compare`: recipes against each other, under several seeds, at an equal budget of rollouts. */

import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { requireFolderOf, writeFileAtomic, writeJson } from "../../core/index.ts";
import { compareChart } from "../../report/index.ts";
import { COMPARED, type CompareEvent, compare, loadMethod } from "../../train/index.ts";
import { onInterrupt, seconds } from "../interrupt.ts";
import { integer, jsonOption } from "../options.ts";
import { ownName, shellLine } from "../own-name.ts";
import { renderComparison } from "../render/compare-table.ts";
import { liveProgress, type ProgressView, plainProgress } from "../render/progress.ts";
import { wrap } from "../render/text.ts";
import { EXIT, type Session } from "../session.ts";
import type { Channel } from "../terminal.ts";

interface CompareOptions {
  readonly setting?: string;
  readonly methods?: string;
  readonly seeds: readonly number[];
  readonly rollouts: number;
  readonly world?: string;
  readonly scenarios?: number;
  readonly out: string;
  readonly results?: string;
  readonly json?: boolean;
}

/** Options, help and action. */
export function define(command: Command, session: Session): void {
  command
    .description(
      "Run methods on one setting under several seeds from one warm start a seed, each for the same number of rollouts, and print scores, spread and significance. The same command continues what was stopped and repeats nothing.",
    )
    .argument(
      "[recipes...]",
      "pairs of setting and method by name, such as starter, ei or smoke/grpo; default: --methods on --setting",
    )
    .option("--setting <setting>", "the setting of all arms (default: starter)")
    .option(
      "--methods <list>",
      "methods, such as loop,rloo,ei (default: those of the paper's table that the engine can serve)",
    )
    .option("--seeds <list>", "seeds of the runs, such as 1,2,3", seedList, [1, 2, 3])
    .option("--rollouts <count>", "rollouts that each run may spend", integer(1), 1920)
    .option("--world <world>", "a built-in world, or the path of a world module")
    .option("--scenarios <count>", "scenarios scored before and after", integer(1))
    .option("--out <directory>", "folder of the run directories", join("runs", "compare"))
    .option("--results <file>", "the result as JSON (default: compare.json in the folder)")
    .addOption(jsonOption())
    .addHelpText("after", () => helpAfter(session.terminal.out.columns))
    .action((recipes: string[], options: CompareOptions) => runCompare(recipes, options, session));
}

async function runCompare(
  recipes: readonly string[],
  options: CompareOptions,
  session: Session,
): Promise<void> {
  const { out, err } = session.terminal;
  const channel = options.json ? err : out;
  if (options.results !== undefined) requireFolderOf(options.results);
  const views = viewsOf(channel);
  const interrupt = onInterrupt(channel);
  const { seeds, rollouts, world, scenarios } = options;
  try {
    const comparison = await compare({
      ...(recipes.length > 0 && { recipes }),
      ...(options.setting !== undefined && { setting: options.setting }),
      ...(options.methods !== undefined && { methods: await methodList(options.methods) }),
      seeds,
      rollouts,
      overrides: {
        ...(world !== undefined && { "world.name": world }),
        ...(scenarios !== undefined && { "evaluation.scenarios": scenarios }),
        ...session.fields,
      },
      out: options.out,
      onEvent: (event) => views.show(event),
      signal: interrupt.signal,
    });
    views.close();
    const results = options.results ?? join(options.out, "compare.json");
    const chart = results.replace(/(\.json)?$/, ".svg");
    writeJson(results, comparison);
    writeFileAtomic(chart, compareChart(comparison));
    if (options.json) return out.line(JSON.stringify(comparison));
    out.line(`\n${renderComparison(comparison, out)}\n`);
    out.line(`  ${out.paint("bold", "Result")}  ${results}, ${chart}\n`);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    views.close();
    channel.line(
      `stopped; nothing is lost. To continue, run the same command again:\n  ${ownName()} ${shellLine(process.argv.slice(2))}`,
    );
    session.exit(EXIT.interrupted);
  } finally {
    views.close();
    interrupt.dispose();
  }
}

/** Each run is shown as `train` shows it, under a line that says which it is; single rollouts are left out. */
function viewsOf(channel: Channel) {
  const open = () => (channel.live ? liveProgress : plainProgress)(channel, seconds);
  let view: ProgressView = open();
  return {
    show(event: CompareEvent): void {
      if (event.type === "train") {
        if (event.event.type !== "example") view.event(event.event);
        return;
      }
      view.close();
      view = open();
      if (event.type === "left-out") channel.line(`left out: ${event.recipe}: ${event.why}`);
      else channel.line(channel.paint("bold", `${event.number}/${event.of} ${event.name}`));
    },
    close: () => view.close(),
  };
}

/** Names, and modules, which are loaded here. */
async function methodList(text: string): Promise<string[]> {
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) await loadMethod(name);
  return names;
}

function seedList(text: string): number[] {
  const seeds = text.split(",").map(integer(0, 2 ** 32 - 1));
  if (new Set(seeds).size === seeds.length) return seeds;
  throw new InvalidArgumentError("Expected different seeds.");
}

function helpAfter(columns: number): string {
  const names = wrap(COMPARED.join(", "), Math.min(columns, 100) - 2).map((line) => `  ${line}`);
  return `
Compared by default (see bowline train --help for what each is):
${names.join("\n")}

Config fields, as of bowline train, hold for all arms. An arm's iterations are what the budget pays for.

Examples:
  bowline compare --methods loop,rloo,ei --seeds 1,2,3 --rollouts 1920 --out runs/compare
  bowline compare --setting smoke --methods loop,grpo --rollouts 960
  bowline compare --seeds 1 --rollouts 480 --evaluation.scenarios 20`;
}
