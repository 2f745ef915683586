/** `bowline world check` checks tasks: solutions and equivalents must pass, and doing nothing and mutants must fail. */

import type { Command } from "commander";
import { toVisibleJson } from "../../core/index.ts";
import { formatPercent, pluralize } from "../../report/index.ts";
import { type Dials, SPLITS, type Split } from "../../spec/index.ts";
import { resolveWorld } from "../../train/index.ts";
import {
  type AllSplitsReport,
  checkWorld,
  describeAsValidation,
  type WorldReport,
} from "../../world/index.ts";
import { type CommandContext, EXIT_CODES } from "../command-context.ts";
import { renderTable } from "../render/table.ts";
import {
  choiceParser,
  dialsHelpText,
  integerParser,
  jsonOption,
  readDialFields,
  seedOption,
  worldOption,
} from "../shared-options.ts";
import type { Paint } from "../terminal.ts";
import { runLifeCheck } from "./world-check-life.ts";

interface CheckOptions {
  readonly world: string;
  readonly split: Split | "all";
  readonly tasks: number;
  readonly seed: number;
  readonly workers: number;
  readonly life?: boolean;
  readonly seeds: number;
  readonly json?: boolean;
}

const PROGRESS_INTERVAL_MS = 3000;
const CHECKABLE_SPLITS = [...SPLITS, "all"] as const;

export function defineWorldCheckCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Check that tasks are sound: the solution passes, doing nothing fails, wrong changes of the solution (mutants) fail, and correct changes of it (equivalents) pass.",
    )
    .addOption(worldOption())
    .option(
      "--split <split>",
      CHECKABLE_SPLITS.join(" | "),
      choiceParser(CHECKABLE_SPLITS),
      "train",
    )
    .option(
      "--tasks <count>",
      "number of tasks, rounded up to scenarios of three; `--split all` divides them among the composed splits",
      integerParser(1),
      60,
    )
    .addOption(seedOption("seed of the world").default(1))
    .option("--workers <count>", "number of worker threads", integerParser(1, 256), 2)
    .option("--life", "test the world's rules of life over several populations, and no tasks")
    .option(
      "--seeds <count>",
      "number of populations for --life, from --seed on",
      integerParser(1),
      50,
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      () =>
        `\nExamples:\n  bowline world check --world ./my-world.ts --split dev --tasks 30\n  bowline world check --split all --tasks 600\n  bowline world check --world everyday --life --seeds 50\n\nThe field autoValidation of the JSON says the result in the terms of OpenEnv's RFC 008.\n\nExit code 1 means that a handler or a task is broken, a mutant passed, or an equivalent failed; with --life, that a rule of life is broken.${dialsHelpText()}`,
    )
    .action((options: CheckOptions, command: Command) =>
      (options.life ? runLifeCheck : runCheck)(options, readDialFields(command, context), context),
    );
}

async function runCheck(
  options: CheckOptions,
  dials: Partial<Dials>,
  { terminal, setExitCode }: CommandContext,
): Promise<void> {
  const { out, err } = terminal;
  const { world, split, tasks, seed, workers, json } = options;
  const channel = json ? err : out;
  const { url } = resolveWorld(world);
  const scenarios = Math.ceil(tasks / 3);
  let checked = `0/${3 * scenarios}`;
  // A timer prints the progress, so that it appears even while a task does not end.
  const timer = setInterval(
    () => channel.writeLine(channel.paint("dim", `${checked} tasks checked`)),
    PROGRESS_INTERVAL_MS,
  );
  const onTask = (_: unknown, done: number, all: number) => {
    checked = `${done}/${all}`;
  };
  const report = await checkWorld(url, {
    ...{ seed, split, workers, dials, scenarios, onTask },
  }).finally(() => clearInterval(timer));
  const withValidation = { ...report, autoValidation: describeAsValidation(report) };
  out.writeLine(json ? toVisibleJson(withValidation) : formatReport(report, out.paint));
  if (describeProblems(report).length > 0) setExitCode(EXIT_CODES.failed);
}

type Report = WorldReport | AllSplitsReport;

function describeProblems({ exceptions, failures, survivors, rejected }: Report): string[] {
  return [
    ...exceptions.map(
      ({ task, what, calls }) =>
        `${task}: a handler is broken: ${what}${calls > 1 ? `, also in ${pluralize(calls - 1, "other call")}` : ""}`,
    ),
    ...describeBrokenParts(failures),
    ...failures.flatMap(({ task, why, part }) => (part ? [] : [`${task}: ${why}`])),
    ...survivors.map(({ task, mutant, why }) => `${task}: a mutant passes (${mutant}): ${why}`),
    ...rejected.map(
      ({ task, equivalent, why }) => `${task}: an equivalent fails (${equivalent}): ${why}`,
    ),
  ];
}

/** Describes each broken part once, with the first of the tasks that fail because of it. */
function describeBrokenParts(failures: Report["failures"]): string[] {
  const broken = failures.filter(({ part }) => part);
  const names = [...new Set(broken.map(({ part }) => part!.part))];
  return names.map((name) => {
    const [first, ...others] = broken.filter(({ part }) => part!.part === name);
    const more = others.length > 0 ? `, and ${pluralize(others.length, "more task")}` : "";
    return `${name}: ${first!.part!.why}\n      ${first!.task}${more}: ${first!.why}`;
  });
}

const BROKEN_HANDLER_NOTE =
  "A handler reports a wrong call by `throw new ApiError(status, message)`; any other exception is a bug of the handler.";

/** The largest number of problems that are shown for one split. `--split all` shows every problem. */
const MAX_SHOWN_PROBLEMS = 10;

function formatReport(report: Report, paint: Paint): string {
  const problems = describeProblems(report);
  const shown = "splits" in report ? problems : problems.slice(0, MAX_SHOWN_PROBLEMS);
  const hidden = problems.length - shown.length;
  return [
    paint(
      "bold",
      `${pluralize(report.tasks, "task")} of ${"splits" in report ? "all splits" : report.split}`,
    ),
    "",
    ...summaryLines(report, paint),
    `    ${paint("dim", `where the hasty solution differs from the careful one, it still passes ${pluralize(report.hastyPass, "task")}`)}`,
    ...agreementLines(report, paint),
    ...("splits" in report ? ["", renderSplitTable(report, paint)] : []),
    ...(shown.length > 0 ? ["", ...shown.map((problem) => `    ${paint("red", problem)}`)] : []),
    ...(hidden > 0 ? [`    … and ${hidden} more; --json prints all`] : []),
    ...(report.exceptions.length > 0 ? ["", `    ${paint("dim", BROKEN_HANDLER_NOTE)}`] : []),
  ].join("\n");
}

/** Formats how often hand-written verdicts agree with the derived checks, with the first disagreements. */
function agreementLines({ agreement }: Report, paint: Paint): string[] {
  if (agreement === undefined) return [];
  const { verdicts, agreed, disagreements } = agreement;
  const verdictText = (passed: boolean) => (passed ? "pass" : "fail");
  return [
    formatCount("hand-written verdicts agree", [agreed, verdicts], paint),
    ...disagreements
      .slice(0, MAX_SHOWN_PROBLEMS)
      .map(
        ({ task, variant, derived, handmade }) =>
          `    ${paint("yellow", `${task}: ${variant}: the checks say ${verdictText(derived)}, the verdict says ${verdictText(handmade)}`)}`,
      ),
  ];
}

function summaryLines(report: Report, paint: Paint): string[] {
  const { tasks, mutants, killed, equivalents, accepted } = report;
  return [
    formatCount("the solution passes", [report.solutionPass, tasks], paint),
    formatCount("doing nothing fails", [report.noopFail, tasks], paint),
    formatCount("mutants of the solution fail", [killed, mutants], paint),
    formatCount("equivalents of the solution pass", [accepted, equivalents], paint),
  ];
}

/** Formats one count with a mark. Zero of zero gets the mark of a failure, because nothing was tried. */
function formatCount(
  statement: string,
  [part, whole]: readonly [number, number],
  paint: Paint,
): string {
  const mark = part === whole && whole > 0 ? paint("green", "✓") : paint("red", "✗");
  const share = whole === 0 ? "nothing was tried" : `${formatPercent(part / whole)}%`;
  return `  ${mark} ${statement.padEnd(34)} ${`${part} of ${whole}`.padStart(14)}   ${share}`;
}

/** Renders the counts and both scores of each split, and their total. */
function renderSplitTable({ splits, ...total }: AllSplitsReport, paint: Paint): string {
  const right = { align: "right" } as const;
  const row = (report: Omit<WorldReport, "split">, name: string) => [
    name,
    String(report.tasks),
    String(report.failures.length),
    `${report.killed}/${report.mutants}`,
    `${formatPercent(report.score)}%`,
    `${report.accepted}/${report.equivalents}`,
    `${formatPercent(report.acceptance)}%`,
  ];
  const titles = ["tasks", "broken", "mutants failed", "score", "equivalents passed", "acceptance"];
  return renderTable(
    [{ title: "split" }, ...titles.map((title) => ({ title, ...right }))],
    [...splits.map((report) => row(report, report.split)), row(total, "total")],
    (value) => paint("dim", value),
  );
}
