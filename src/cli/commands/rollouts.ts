/** `bowline rollouts` answers a question of the rollouts of runs. */
import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import {
  describeQueryFields,
  groupByTask,
  type TaskOfRun,
  type TaskRow,
} from "../../algo/index.ts";
import { BowlineError, toVisibleJson, toVisibleText } from "../../core/index.ts";
import {
  cutLine,
  findLastRun,
  findRollouts,
  formatCompact,
  pluralize,
  type QueryResult,
} from "../../report/index.ts";
import type { RolloutFacts } from "../../spec/index.ts";
import type { CommandContext } from "../command-context.ts";
import { renderTable } from "../render/table.ts";
import { integerParser, jsonOption, refuseConfigFields } from "../shared-options.ts";
import type { Channel } from "../terminal.ts";

interface RolloutsOptions {
  readonly group?: "task";
  readonly limit: number;
  readonly json?: boolean;
}

export function defineRolloutsCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Find rollouts of runs by a query, such as 'status:422 outcome:finished'. Words without a field are looked for in messages, code and observations.",
    )
    .argument(
      "[runs and query...]",
      "run directories (default: the last run in runs/), then the query",
    )
    .addOption(new Option("--group <by>", "list tasks instead of rollouts").choices(["task"]))
    .option("--limit <count>", "the most lines to print; --json prints all", integerParser(1), 20)
    .addOption(jsonOption())
    .addHelpText("after", helpText())
    .action((words: readonly string[], options: RolloutsOptions, command: Command) => {
      refuseConfigFields(command, context);
      const { runs, query } = splitRunsAndQuery(words);
      const result = findRollouts(runs, query);
      const tasks = options.group === "task" ? groupByTask(result.rollouts) : undefined;
      const { out } = context.terminal;
      if (options.json) {
        const { rollouts, ...counts } = result;
        const answer = { runs, ...counts, matching: rollouts.length };
        out.writeLine(toVisibleJson({ ...answer, ...(tasks ? { tasks } : { rollouts }) }));
      } else out.writeLine(formatResult(result, tasks, runs, options.limit, out));
    });
}

function helpText(): string {
  return [
    "",
    "Fields (a rollout matches if all conditions hold):",
    ...describeQueryFields(),
    "",
    "Numbers: status:422, iteration:5..8, return<0.5, tokens>=400. Several values: outcome:turn-limit,token-limit.",
    'Not: -api:docs. Values and texts with spaces: check:"nothing extra" failed, "no such person".',
    "",
    "Examples:",
    "  bowline rollouts runs/starter-seed1 'status:422 outcome:finished'",
    "  bowline rollouts runs/a runs/b 'phase:after passed:no' --group task --json",
  ].join("\n");
}

/** Words that are folders, or look like paths, name runs. At most one word is left: the query. */
function splitRunsAndQuery(words: readonly string[]): { runs: string[]; query: string } {
  const isRun = (word: string) => existsSync(word) || /^[^\s:<>"]*[/\\][^\s:<>"]*$/.test(word);
  const runs = words.filter(isRun);
  const queries = words.filter((word) => !isRun(word));
  if (queries.length > 1) {
    const [first, second] = queries.map((word) => JSON.stringify(word));
    throw new BowlineError(
      "config",
      `neither ${first} nor ${second} is a run directory, and there can be one query: quote it as a whole, such as 'status:422 outcome:finished'`,
    );
  }
  return { runs: runs.length > 0 ? runs : [findLastRun()], query: queries[0] ?? "" };
}

function formatResult(
  { rollouts, total }: QueryResult,
  tasks: readonly TaskRow[] | undefined,
  runs: readonly string[],
  limit: number,
  out: Channel,
): string {
  const dim = (text: string) => out.paint("dim", text);
  const found = `${rollouts.length} of ${pluralize(total, "rollout")}`;
  const rows = tasks ?? rollouts;
  const more = rows.length - limit;
  return [
    tasks ? `${found}, ${pluralize(tasks.length, "task")}` : found,
    ...(rows.length === 0 ? [] : [""]),
    ...(rows.length === 0
      ? []
      : [
          tasks
            ? taskTable(tasks.slice(0, limit), runs, dim)
            : rolloutTable(rollouts.slice(0, limit), runs.length > 1, dim),
        ]),
    ...(more > 0 ? [dim(`  and ${more} more: --limit ${rows.length} or --json lists all`)] : []),
  ].join("\n");
}

type DimText = (text: string) => string;
const RIGHT = { align: "right" } as const;

function rolloutTable(rollouts: readonly RolloutFacts[], showRun: boolean, dim: DimText): string {
  const columns = [
    { title: "" },
    ...(showRun ? [{ title: "run" }] : []),
    { title: "played" },
    { title: "rollout" },
    { title: "task" },
    { title: "return", ...RIGHT },
    { title: "advantage", ...RIGHT },
    { title: "turns", ...RIGHT },
    { title: "errors", ...RIGHT },
    { title: "tokens", ...RIGHT },
    { title: "first failed check" },
  ];
  const number = (value: number | undefined) => (value === undefined ? "·" : formatCompact(value));
  return renderTable(
    columns,
    rollouts.map((facts) => [
      facts.passed ? "✓" : "✗",
      ...(showRun ? [toVisibleText(facts.run)] : []),
      describeTime(facts),
      toVisibleText(facts.id),
      toVisibleText(facts.task.id),
      number(facts.return),
      number(facts.advantage),
      String(facts.turns),
      String(facts.errors),
      String(facts.tokens),
      facts.outcome === "finished"
        ? cutLine(toVisibleText(facts.failedChecks[0] ?? ""), 40)
        : dim(facts.outcome),
    ]),
    dim,
  );
}

function describeTime({ phase, iteration, mode }: RolloutFacts): string {
  if (phase === "train") return `iteration ${iteration}`;
  const when = phase === "iteration" ? `after ${iteration}` : phase;
  return mode === "T1" ? `${when} (T = 1)` : when;
}

function taskTable(tasks: readonly TaskRow[], runs: readonly string[], dim: DimText): string {
  const columns = [
    { title: "task" },
    ...runs.map((run) => ({
      title: runs.length > 1 ? toVisibleText(run) : "passed, in the order of time",
    })),
    { title: "passed", ...RIGHT },
    { title: "most frequent failed check" },
  ];
  return renderTable(
    columns,
    tasks.map(({ task, runs: found, passed, rollouts, failedChecks }) => [
      toVisibleText(task.id),
      ...runs.map((run) => formatStrip(found.find((one) => one.run === run))),
      `${passed} of ${rollouts}`,
      cutLine(toVisibleText(failedChecks[0]?.[0] ?? ""), 40),
    ]),
    dim,
  );
}

/** Writes a run's points as `before 0/1  1: 2/8  4: 8/8  after 1/1`. */
function formatStrip(found: TaskOfRun | undefined): string {
  const points = (found?.points ?? []).map(({ phase, iteration, passed, rollouts }) => {
    const when =
      iteration === undefined
        ? `${phase}`
        : phase === "train"
          ? `${iteration}:`
          : `after ${iteration}`;
    return `${when} ${passed}/${rollouts}`;
  });
  return points.length === 0 ? "·" : points.join("  ");
}
