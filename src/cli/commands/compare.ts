/**
 * `bowline compare` compares recipes under several seeds at an equal budget of rollouts. With `--aa` it trains nothing,
 * and measures how often its test calls two random groups of runs of the same arm different.
 */
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import {
  BowlineError,
  requireParentFolder,
  toVisibleJson,
  writeFileAtomic,
} from "../../core/index.ts";
import { renderResultsChart } from "../../report/index.ts";
import {
  COMPARED_RECIPES,
  type CompareEvent,
  checkSizes,
  combineSizes,
  compare,
  loadMethod,
  type NamedMethod,
  readAllResults,
  readResults,
  SIZE_BOUNDS,
} from "../../train/index.ts";
import { type CommandContext, EXIT_CODES } from "../command-context.ts";
import { listenForInterrupt, monotonicSeconds } from "../interrupt.ts";
import { renderAaTest } from "../render/aa-test-table.ts";
import { renderComparison } from "../render/compare-table.ts";
import { createLiveProgress, createPlainProgress, type ProgressView } from "../render/progress.ts";
import { wrapText } from "../render/text.ts";
import { integerParser, jsonOption } from "../shared-options.ts";
import { stoppedMessage } from "../suggested-commands.ts";
import type { Channel } from "../terminal.ts";

interface CompareOptions {
  readonly setting?: string;
  readonly methods?: string;
  readonly name?: string;
  readonly seeds: readonly number[];
  readonly rollouts: number;
  readonly world?: string;
  readonly scenarios?: number;
  readonly out: string;
  readonly results?: string;
  readonly aa?: boolean;
  readonly json?: boolean;
}

export function defineCompareCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Train several methods on one setting, with several seeds and the same number of rollouts for every run; runs of one seed share a warm start. Prints scores, differences with intervals, and the tests that were fixed beforehand. The same command continues a comparison that was stopped; other commands add their runs to the same results file.",
    )
    .argument(
      "[recipes...]",
      "names of recipes (a setting with a method), such as starter, ei or smoke/grpo (default: --methods on --setting). With --aa: results files",
    )
    .option("--setting <setting>", "the setting of all arms (default: starter)")
    .option(
      "--methods <list>",
      "methods, such as loop,rloo,ei (default: those of the paper's table that the engine supports)",
    )
    .option(
      "--name <name>",
      "name of the arm in tables and files, if there is only one arm (default: its recipe)",
    )
    .option("--seeds <list>", "seeds of the runs, such as 1,2,3 or 1..8", parseSeeds, [1, 2, 3])
    .option(
      "--rollouts <count>",
      "number of rollouts that each run may spend",
      integerParser(1),
      1920,
    )
    .option("--world <world>", "a built-in world, or the path of a world module")
    .option(
      "--scenarios <count>",
      "number of scenarios that are evaluated before and after training",
      integerParser(1),
    )
    .option("--out <directory>", "folder of the run directories", join("runs", "compare"))
    .option(
      "--results <file>",
      "JSON file that collects results (default: compare.json in the folder)",
    )
    .option(
      "--aa",
      "train nothing, and measure how often the test calls two groups of runs of the same arm different",
    )
    .addOption(jsonOption())
    .addHelpText("after", () => helpAfterOptions(context.terminal.out.columns))
    .action((names: string[], options: CompareOptions) =>
      options.aa ? runAaTest(names, options, context) : runCompare(names, options, context),
    );
}

/** Prints how often the test calls equal arms different. Sets the exit code 1 when this is far from the nominal 5%. */
function runAaTest(
  files: readonly string[],
  options: CompareOptions,
  context: CommandContext,
): void {
  const [field] = Object.keys(context.fields);
  if (field !== undefined) {
    throw new BowlineError("config", `compare --aa trains nothing, and --${field} was given`);
  }
  if (files.length === 0) {
    throw new BowlineError("config", "compare --aa needs the names of one or more results files");
  }
  const sizes = checkSizes(readAllResults(files), files.join(", "));
  const all = combineSizes(sizes);
  const { out } = context.terminal;
  out.writeLine(options.json ? toVisibleJson(all) : `\n${renderAaTest(sizes, all, out)}\n`);
  const holds = all.size >= SIZE_BOUNDS[0] && all.size <= SIZE_BOUNDS[1];
  context.setExitCode(holds ? EXIT_CODES.done : EXIT_CODES.failed);
}

async function runCompare(
  recipes: readonly string[],
  options: CompareOptions,
  context: CommandContext,
): Promise<void> {
  const { out, err } = context.terminal;
  const channel = options.json ? err : out;
  const results = options.results ?? join(options.out, "compare.json");
  if (options.results !== undefined) requireParentFolder(results);
  const views = createRunViews(channel);
  const interrupt = listenForInterrupt(channel);
  const { seeds, rollouts, world, scenarios } = options;
  try {
    const comparison = await compare({
      ...(recipes.length > 0 && { recipes }),
      ...(options.setting !== undefined && { setting: options.setting }),
      ...(options.methods !== undefined && { methods: await loadMethods(options.methods) }),
      ...(options.name !== undefined && { name: options.name }),
      seeds,
      rollouts,
      overrides: {
        ...(world !== undefined && { "world.name": world }),
        ...(scenarios !== undefined && { "evaluation.scenarios": scenarios }),
        ...context.fields,
      },
      out: options.out,
      results,
      onEvent: (event) => views.show(event),
      signal: interrupt.signal,
    });
    views.close();
    const chart = results.replace(/(\.json)?$/, ".svg");
    writeFileAtomic(chart, renderResultsChart(readResults(results)));
    if (options.json) return out.writeLine(toVisibleJson(comparison));
    out.writeLine(`\n${renderComparison(comparison, out)}\n`);
    out.writeLine(`  ${out.paint("bold", "Result")}  ${results}, ${chart}\n`);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    views.close();
    channel.writeLine(stoppedMessage());
    context.setExitCode(interrupt.exitCode);
  } finally {
    views.close();
    interrupt.dispose();
  }
}

/**
 * Creates the display of a comparison. Each run is shown under its name, in the same way as by `train` but without
 * rollouts.
 */
function createRunViews(channel: Channel) {
  const openView = () =>
    (channel.canRedraw ? createLiveProgress : createPlainProgress)(channel, monotonicSeconds);
  let view: ProgressView = openView();
  return {
    show(event: CompareEvent): void {
      if (event.type === "train") {
        if (event.event.type !== "example") view.show(event.event);
        return;
      }
      view.close();
      view = openView();
      if (event.type === "left-out") channel.writeLine(`left out: ${event.recipe}: ${event.why}`);
      else channel.writeLine(channel.paint("bold", `${event.number}/${event.of} ${event.name}`));
    },
    close: () => view.close(),
  };
}

/** Loads methods from a list of names and module paths, separated by commas. */
async function loadMethods(text: string): Promise<NamedMethod[]> {
  return Promise.all(text.split(",").map((name) => loadMethod(name.trim())));
}

/** Parses a list of seeds such as `1,2,5..8`. Throws when a seed occurs twice. */
function parseSeeds(text: string): number[] {
  const seed = integerParser(0, 2 ** 32 - 1);
  const seeds = text.split(",").flatMap((part) => {
    const [first = "", last = first] = part.split("..");
    const [from, to] = [seed(first), seed(last)];
    if (to < from || to - from >= 1000) {
      throw new InvalidArgumentError(`Expected a range such as 1..8, got ${part}.`);
    }
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
  if (new Set(seeds).size === seeds.length) return seeds;
  throw new InvalidArgumentError("Expected different seeds.");
}

function helpAfterOptions(columns: number): string {
  const names = wrapText(COMPARED_RECIPES.join(", "), Math.min(columns, 100) - 2).map(
    (line) => `  ${line}`,
  );
  return `
Recipes that are compared by default (bowline train --help explains them):
${names.join("\n")}

Config fields, as for bowline train, apply to all arms. The number of rollouts decides how many
iterations an arm runs.

Examples:
  bowline compare --methods loop,rloo,ei --seeds 1..8 --rollouts 1920 --out runs/compare
  bowline compare grpo --seeds 1..5 --rollouts 1920 --out runs/compare          (adds to them)
  bowline compare rloo --name "rloo at 3e-4" --optimizer.learning-rate 3e-4 --out runs/compare
  bowline compare --setting smoke --methods loop,grpo --rollouts 960
  bowline compare --seeds 1 --rollouts 480 --evaluation.scenarios 20
  bowline compare --aa runs/compare/compare.json`;
}
