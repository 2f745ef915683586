/** `bowline world show` shows a task with its solution and checks, or the documentation of one API. */
import type { Command } from "commander";
import { BowlineError, toVisibleJson } from "../../core/index.ts";
import type { Demonstration, DemonstrationStyle, TaskInfo, World } from "../../spec/index.ts";
import { resolveWorld } from "../../train/index.ts";
import { openWorld } from "../../world/index.ts";
import type { CommandContext } from "../command-context.ts";
import { cellLines, checkLines, faultLines, observationLines } from "../render/rollout-lines.ts";
import { wrapText } from "../render/text.ts";
import {
  choiceParser,
  dialsHelpText,
  jsonOption,
  readDialFields,
  seedOption,
  worldOption,
} from "../shared-options.ts";
import type { Channel } from "../terminal.ts";
import { type ApiDoc, readApiDoc } from "../world-docs.ts";

interface ShowOptions {
  readonly world: string;
  readonly seed: number;
  readonly style: DemonstrationStyle;
  readonly api?: string;
  readonly json?: boolean;
}

const STYLES = ["careful", "hasty"] as const;
export const DEFAULT_TASK = "dev/0/1";

export function defineWorldShowCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Show a task: its instruction, its solution run cell by cell, and the checks afterwards.",
    )
    .argument("[task]", "a task id, <split>/<scenario>/<1, 2 or 3>", DEFAULT_TASK)
    .option("--api <app.api>", "show the documentation of one API instead")
    .option("--style <style>", "careful | hasty solution", choiceParser(STYLES), "careful")
    .addOption(worldOption())
    .addOption(seedOption("seed of the world").default(1))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      () =>
        `\nExamples:\n  bowline world show dev/3/1 --style hasty\n  bowline world show --api docs.search${dialsHelpText()}`,
    )
    .action(async (task: string, options: ShowOptions, command: Command) => {
      const { seed } = options;
      const dials = readDialFields(command, context);
      const opened = await openWorld(resolveWorld(options.world).url, { seed, dials });
      try {
        await (options.api
          ? showApi(opened, task, options.api, options, context)
          : showTask(opened, task, options, context));
      } finally {
        await opened.close();
      }
    });
}

async function showTask(
  world: World,
  id: string,
  { style, seed, json }: ShowOptions,
  { terminal: { out } }: CommandContext,
): Promise<void> {
  const task = await findTask(world, id);
  const demonstration = world.hasSolutions ? await world.demonstrate(id, style, seed) : undefined;
  if (json) out.writeLine(toVisibleJson({ task, ...demonstration }));
  else out.writeLine(taskLines(task, demonstration, out).join("\n"));
}

/** Finds a task of a world. A wrong id throws a `config` error, because it is wrong usage. */
export async function findTask(world: World, id: string): Promise<TaskInfo> {
  try {
    const episode = await world.open(id);
    await episode.close();
    return episode.task;
  } catch (cause) {
    if (!BowlineError.is(cause)) throw cause;
    throw new BowlineError("config", cause.message, { cause });
  }
}

/** Formats a task's id, difficulty, signature and instruction. */
export function taskHeaderLines(task: TaskInfo, { paint, columns }: Channel): string[] {
  const facts = [task.id, `difficulty ${task.difficulty}`, task.signature].join(" · ");
  const instruction = wrapText(task.instruction, Math.min(columns, 100) - 4);
  return [
    "",
    `  ${paint("dim", facts)}`,
    "",
    ...instruction.map((line) => `  ${paint("bold", line)}`),
  ];
}

/** Formats the cells of a solution with their observations, followed by the checks. */
export function demonstrationLines(
  { turns, evaluation }: Demonstration,
  channel: Channel,
): string[] {
  const view = { width: Math.min(channel.columns, 100) - 4, paint: channel.paint, maxLines: 12 };
  const cells = turns.flatMap(({ code, result }) => [
    ...cellLines(code, view),
    ...observationLines(result.text, result.status !== "ok", view),
    ...faultLines(result.calls, view),
  ]);
  const checks = evaluation.checks.flatMap((check) =>
    checkLines({ ...check, name: `${check.name} (${check.label})` }, view),
  );
  return [...cells, "", ...checks].map((line) => `  ${line}`.trimEnd());
}

function taskLines(
  task: TaskInfo,
  demonstration: Demonstration | undefined,
  channel: Channel,
): string[] {
  const { paint } = channel;
  const solution = demonstration
    ? [
        `  ${paint("dim", `the ${demonstration.style} solution, and the checks after it`)}`,
        "",
        ...demonstrationLines(demonstration, channel),
      ]
    : [`  ${paint("dim", "this world has no solutions")}`];
  return [...taskHeaderLines(task, channel), "", ...solution, ""];
}

async function showApi(
  world: World,
  task: string,
  name: string,
  { json }: ShowOptions,
  { terminal: { out } }: CommandContext,
): Promise<void> {
  const { id } = await findTask(world, task);
  const episode = await world.open(id);
  const doc = await readApiDoc(episode, name);
  out.writeLine(json ? toVisibleJson(doc) : apiDocLines(doc, out).join("\n"));
}

export function apiDocLines(doc: ApiDoc, { paint }: Channel): string[] {
  const { call, summary, params, returns, example, notes = [] } = doc;
  const lines = params.map(({ name, type, required, default: fallback, description }) => {
    const notes = [
      description,
      required ? "" : fallback === undefined ? "optional" : `default ${JSON.stringify(fallback)}`,
    ];
    return `    ${paint("cyan", name)}: ${type}  ${paint("dim", notes.filter(Boolean).join("; "))}`.trimEnd();
  });
  return [
    "",
    `  ${paint("bold", call)}`,
    `  ${summary}`,
    ...(lines.length > 0 ? ["", ...lines] : []),
    "",
    `  returns ${returns}`,
    ...(example === undefined ? [] : ["", `  ${paint("dim", "for example")} ${example}`]),
    ...(notes.length === 0 ? [] : ["", ...notes.map((note) => `  ${paint("dim", note)}`)]),
    "",
  ];
}
