/** `bowline world stats` counts what a world contains, and shows one of its tasks. */

import type { Command } from "commander";
import { mapConcurrently, toVisibleJson } from "../../core/index.ts";
import { pluralize } from "../../report/index.ts";
import type { Demonstration, Dials, Difficulty, Split, TaskInfo } from "../../spec/index.ts";
import { resolveWorld } from "../../train/index.ts";
import {
  computeSplitFacts,
  type Inventory,
  type OpenedWorld,
  openWorld,
  type SplitFacts,
} from "../../world/index.ts";
import type { CommandContext } from "../command-context.ts";
import { renderTable } from "../render/table.ts";
import {
  dialsHelpText,
  integerParser,
  jsonOption,
  readDialFields,
  seedOption,
  worldOption,
} from "../shared-options.ts";
import type { Channel } from "../terminal.ts";
import { DEFAULT_TASK, demonstrationLines, findTask, taskHeaderLines } from "./world-show.ts";

interface StatsOptions {
  readonly world: string;
  readonly seed: number;
  readonly scenarios?: number;
  readonly necessity: number;
  readonly solutions: boolean;
  readonly workers: number;
  readonly example?: string;
  readonly json?: boolean;
}

type CountsByDifficulty = { readonly [D in Difficulty]: number };

/** Facts of the reference solutions stand beside these where the world has solutions that can be measured. */
interface SplitStats extends Partial<SplitFacts> {
  readonly scenarios: number;
  readonly tasks: number;
  readonly signatures: number;
  /** The number of tasks of each difficulty (1, 2 and 3). */
  readonly tasksByDifficulty: CountsByDifficulty;
  readonly signaturesByDifficulty: CountsByDifficulty;
}

interface WorldStats extends Inventory {
  readonly world: string;
  readonly seed: number;
  /** Sums over the world's own apps, tables and splits. A signature that occurs in several splits counts once. */
  readonly totals: {
    readonly apps: number;
    readonly apis: number;
    readonly tables: number;
    readonly rows: number;
    readonly signatures: number;
    readonly tasks: number;
  };
  readonly splits: { readonly [S in Split]?: SplitStats };
  /** A task. If the world has solutions, it includes the turns of its solution and the checks after them. */
  readonly example: { readonly task: TaskInfo } & Partial<Omit<Demonstration, "task">>;
}

export function defineWorldStatsCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Count a world's apps, APIs, tables and rows, its signatures and tasks by split and difficulty, and what its reference solutions need; and show a task.",
    )
    .addOption(worldOption())
    .option(
      "--scenarios <count>",
      "number of scenarios of each split (default: as many as the world lists)",
      integerParser(1),
    )
    .option(
      "--necessity <count>",
      "number of tasks of each split in which every API of the solution is refused once, so that only needed ones count",
      integerParser(0),
      0,
    )
    .option(
      "--no-solutions",
      "do not measure what the reference solutions need, which takes most of the time",
    )
    .option("--workers <count>", "number of worker threads", integerParser(1, 256), 2)
    .option("--example <task>", "the task to show (default: the first of the first split)")
    .addOption(seedOption("seed of the world").default(1))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      () =>
        `\nExample:\n  bowline world stats --world ./my-world.ts --example dev/0/1${dialsHelpText()}`,
    )
    .action(async (options: StatsOptions, command: Command) => {
      const stats = await computeStats(options, readDialFields(command, context));
      const { out } = context.terminal;
      out.writeLine(options.json ? toVisibleJson(stats) : formatStats(stats, out));
    });
}

async function computeStats(options: StatsOptions, dials: Partial<Dials>): Promise<WorldStats> {
  const { name, url } = resolveWorld(options.world);
  const { seed, scenarios, workers } = options;
  const world = await openWorld(url, { seed, dials, workers });
  try {
    const tasks = world.splits.map((split) => world.tasks(split, scenarios));
    const inventory = world.inventory();
    const example = await readExampleTask(
      world,
      options.example ?? tasks[0]?.[0]?.id ?? DEFAULT_TASK,
    );
    const splits: { [S in Split]?: SplitStats } = {};
    for (const [i, split] of world.splits.entries())
      splits[split] = {
        ...countSplit(tasks[i]!),
        ...(await measureSplit(world, tasks[i]!, options)),
      };
    return {
      world: name,
      seed,
      totals: computeTotals(inventory, tasks.flat()),
      ...inventory,
      splits,
      example,
    };
  } finally {
    await world.close();
  }
}

function computeTotals(
  { apps, tables }: Inventory,
  tasks: readonly TaskInfo[],
): WorldStats["totals"] {
  return {
    apps: apps.length,
    apis: apps.reduce((sum, app) => sum + app.apis, 0),
    tables: tables.length,
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    signatures: new Set(tasks.map(({ signature }) => signature)).size,
    tasks: tasks.length,
  };
}

/** Measures the reference solutions of a split. The first tasks of it are those in which APIs are refused. */
async function measureSplit(
  world: OpenedWorld,
  tasks: readonly TaskInfo[],
  { necessity, solutions, workers }: StatsOptions,
): Promise<Partial<SplitFacts>> {
  if (!solutions || !world.hasSolutions || !world.measure || tasks.length === 0) return {};
  const measures = await mapConcurrently(tasks, 2 * workers, ({ id }, i) =>
    world.measure!(id, i < necessity),
  );
  return computeSplitFacts(measures);
}

function countSplit(tasks: readonly TaskInfo[]): SplitStats {
  const signatures = [...new Map(tasks.map((task) => [task.signature, task])).values()];
  return {
    scenarios: new Set(tasks.map(({ scenario }) => scenario)).size,
    tasks: tasks.length,
    signatures: signatures.length,
    tasksByDifficulty: countByDifficulty(tasks),
    signaturesByDifficulty: countByDifficulty(signatures),
  };
}

function countByDifficulty(tasks: readonly TaskInfo[]): CountsByDifficulty {
  const count = (level: Difficulty) =>
    tasks.filter(({ difficulty }) => difficulty === level).length;
  return { 1: count(1), 2: count(2), 3: count(3) };
}

async function readExampleTask(world: OpenedWorld, id: string): Promise<WorldStats["example"]> {
  const task = await findTask(world, id);
  return world.hasSolutions ? world.demonstrate(id, "careful", world.seed) : { task };
}

function formatStats(stats: WorldStats, channel: Channel): string {
  const { world, version, seed, totals, example } = stats;
  const dim = (value: string) => channel.paint("dim", value);
  const facts = [
    ...(version === undefined ? [] : [`version ${version}`]),
    `seed ${seed}`,
    pluralize(totals.apps, "app"),
    pluralize(totals.apis, "API"),
    `${pluralize(totals.rows, "row")} in ${pluralize(totals.tables, "table")}`,
    pluralize(totals.signatures, "signature"),
  ];
  const { task, turns, evaluation, style } = example;
  const solution = turns && evaluation && style && { task, turns, evaluation, style };
  return [
    `${channel.paint("bold", world)}  ${dim(facts.join(" · "))}`,
    "",
    renderAppTable(stats, dim),
    "",
    renderRowTable(stats, dim),
    "",
    renderSplitTable(stats, dim),
    ...renderSolutionTable(stats, dim),
    ...taskHeaderLines(task, channel),
    "",
    ...(solution ? demonstrationLines(solution, channel) : []),
    "",
  ].join("\n");
}

type DimText = (text: string) => string;
const RIGHT_ALIGNED = { align: "right" } as const;

function renderAppTable({ apps }: WorldStats, dim: DimText): string {
  return renderTable(
    [{ title: "app" }, { title: "APIs", ...RIGHT_ALIGNED }, { title: "login" }, { title: "" }],
    apps.map(({ name, apis, login, summary }) => [
      name,
      String(apis),
      login ? "yes" : "·",
      dim(summary),
    ]),
    dim,
  );
}

function renderRowTable({ tables }: WorldStats, dim: DimText): string {
  return renderTable(
    [{ title: "table" }, { title: "rows", ...RIGHT_ALIGNED }],
    tables.map(({ name, rows }) => [name, String(rows)]),
    dim,
  );
}

function renderSplitTable({ splits }: WorldStats, dim: DimText): string {
  const titles = ["scenarios", "tasks", "1", "2", "3", "signatures", "1", "2", "3"];
  const levels = (counts: CountsByDifficulty) => [counts[1], counts[2], counts[3]];
  return renderTable(
    [{ title: "split (by difficulty)" }, ...titles.map((title) => ({ title, ...RIGHT_ALIGNED }))],
    listSplits(splits).map(([split, stats]) => [
      split,
      ...[
        stats.scenarios,
        stats.tasks,
        ...levels(stats.tasksByDifficulty),
        stats.signatures,
        ...levels(stats.signaturesByDifficulty),
      ].map(String),
    ]),
    dim,
  );
}

/** What the reference solutions need, on average and at most. Empty where nothing was measured. */
function renderSolutionTable({ splits }: WorldStats, dim: DimText): string[] {
  const titles = ["APIs (max)", "calls (max)", "apps", "statements", "wait", "ask", "prose"];
  const percent = (share: number) => `${(100 * share).toFixed(0)}%`;
  const rows = listSplits(splits).flatMap(([split, facts]) => {
    if (!isMeasured(facts)) return [];
    const { distinctApis, calls, apps, statements, waits, asks, prose, max } = facts;
    const withMax = (mean: number, most: number) => `${mean.toFixed(1)} (${most})`;
    const counts = [withMax(distinctApis.mean, distinctApis.max), withMax(calls, max.calls)];
    const means = [apps, statements].map((mean) => mean.toFixed(1));
    return [[split, ...counts, ...means, ...[waits, asks, prose].map(percent)]];
  });
  if (rows.length === 0) return [];
  const columns = titles.map((title) => ({ title, ...RIGHT_ALIGNED }));
  return ["", renderTable([{ title: "reference solutions" }, ...columns], rows, dim)];
}

const isMeasured = (stats: SplitStats): stats is SplitStats & SplitFacts =>
  stats.distinctApis !== undefined;

const listSplits = (splits: WorldStats["splits"]) =>
  Object.entries(splits) as readonly [Split, SplitStats][];
