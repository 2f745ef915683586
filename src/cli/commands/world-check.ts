/** `bowline world check`: proves tasks sound. Solutions pass, doing nothing fails, mutants fail, equivalents pass. */
import type { Command } from "commander";
import type { Split } from "../../spec/index.ts";
import { resolveWorld } from "../../train/index.ts";
import { checkWorld } from "../../world/index.ts";
import { seconds } from "../interrupt.ts";
import {
  integer,
  jsonOption,
  refuseFields,
  seedOption,
  splitOption,
  worldOption,
} from "../options.ts";
import { percent, plural } from "../render/text.ts";
import { EXIT, type Session } from "../session.ts";
import type { Paint } from "../terminal.ts";

interface CheckOptions {
  readonly world: string;
  readonly split: Split;
  readonly tasks: number;
  readonly seed: number;
  readonly workers: number;
  readonly json?: boolean;
}

type Report = Awaited<ReturnType<typeof checkWorld>>;

export function addWorldCheck(world: Command, session: Session): void {
  world
    .command("check")
    .summary("prove that tasks are sound")
    .description(
      "Prove tasks sound: the solution passes, doing nothing fails, mutants fail, equivalents pass.",
    )
    .addOption(worldOption())
    .addOption(splitOption("train"))
    .option("--tasks <count>", "how many, rounded up to whole scenarios of three", integer(1), 60)
    .addOption(seedOption("seed of the world").default(1))
    .option("--workers <count>", "threads", integer(1, 256), 2)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExample:\n  bowline world check --world ./my-world.ts --split dev --tasks 30\n\nExit code 1: a task is broken, a mutant survived, or an equivalent was refused.",
    )
    .action((options: CheckOptions, command: Command) => {
      refuseFields(command, session);
      return runCheck(options, session);
    });
}

async function runCheck(options: CheckOptions, { terminal, exit }: Session): Promise<void> {
  const { out, err } = terminal;
  const { world, split, tasks, seed, workers, json } = options;
  const channel = json ? err : out;
  let shownAt = seconds();
  const report = await checkWorld(resolveWorld(world).url, {
    seed,
    split,
    workers,
    scenarios: Math.ceil(tasks / 3),
    onTask: (_, done, all) => {
      if (seconds() - shownAt < 3 || done === all) return;
      shownAt = seconds();
      channel.line(channel.paint("dim", `${done}/${all} tasks checked`));
    },
  });
  out.line(json ? JSON.stringify(report) : text(report, out.paint));
  if (isBroken(report)) exit(EXIT.failed);
}

function isBroken({ failures, survivors, rejected }: Report): boolean {
  return failures.length + survivors.length + rejected.length > 0;
}

const SHOWN = 10;

function text(report: Report, paint: Paint): string {
  const {
    tasks,
    solutionPass,
    noopFail,
    mutants,
    killed,
    score,
    equivalents,
    accepted,
    acceptance,
  } = report;
  const line = (good: boolean, what: string, part: number, whole: number, share = part / whole) =>
    `  ${good ? paint("green", "✓") : paint("red", "✗")} ${what.padEnd(34)} ${`${part} of ${whole}`.padStart(14)}   ${percent(whole === 0 ? 1 : share)}%`;
  const problems = [
    ...report.failures.map(({ task, why }) => `${task}: ${why}`),
    ...report.survivors.map(
      ({ task, mutant, why }) => `${task}: a mutant passes (${mutant}): ${why}`,
    ),
    ...report.rejected.map(
      ({ task, equivalent, why }) => `${task}: an equivalent is refused (${equivalent}): ${why}`,
    ),
  ];
  const more =
    problems.length > SHOWN ? [`    … and ${problems.length - SHOWN} more; --json has all`] : [];
  return [
    paint("bold", `${plural(tasks, "task")} of ${report.split}`),
    "",
    line(solutionPass === tasks, "the solution passes", solutionPass, tasks),
    line(noopFail === tasks, "doing nothing fails", noopFail, tasks),
    line(killed === mutants, "mutants of the solution fail", killed, mutants, score),
    line(
      accepted === equivalents,
      "equivalents of the solution pass",
      accepted,
      equivalents,
      acceptance,
    ),
    `    ${paint("dim", `the hasty solution happens to pass ${plural(report.hastyPass, "task")}`)}`,
    ...(problems.length > 0
      ? ["", ...problems.slice(0, SHOWN).map((problem) => `    ${paint("red", problem)}`), ...more]
      : []),
  ].join("\n");
}
