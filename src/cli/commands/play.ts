/**
 * `bowline play`: a person does what an agent does. The instruction, a REPL of JavaScript cells, the end, the checks.
 *
 * It reads lines, so a file of cells can be piped in. A cell that is not complete yet goes on in the next line.
 */

import { createInterface } from "node:readline";
import type { Command } from "commander";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { pluralize } from "../../report/index.ts";
import type { Dials, Episode, Evaluation, StepResult, World } from "../../spec/index.ts";
import { resolveWorld } from "../../train/index.ts";
import { openWorld } from "../../world/index.ts";
import { type CommandContext, EXIT_CODES } from "../command-context.ts";
import { checkLines, faultLines } from "../render/rollout-lines.ts";
import { wrapText } from "../render/text.ts";
import { addPrintOfLastValue, isIncomplete } from "../repl-cell.ts";
import {
  dialsHelpText,
  jsonOption,
  numberParser,
  readDialFields,
  resolveScaffoldOption,
  scaffoldOption,
  seedOption,
  worldOption,
} from "../shared-options.ts";
import type { Channel, Input } from "../terminal.ts";
import { readApiDoc, readAppDocs } from "../world-docs.ts";
import { playPolicy } from "./play-policy.ts";
import {
  apiDocLines,
  DEFAULT_TASK,
  demonstrationLines,
  findTask,
  taskHeaderLines,
} from "./world-show.ts";

interface PlayOptions {
  readonly world: string;
  readonly seed: number;
  readonly policy?: string;
  readonly temperature?: number;
  readonly scaffold?: string;
  readonly json?: boolean;
}

/** Gives `bowline play` its description, options, help and action. */
export function definePlayCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Solve a task in the terminal, as an agent would: cells of JavaScript that call the apps' APIs. Or watch a policy do it.",
    )
    .argument("[task]", "a task id, <split>/<scenario>/<1, 2 or 3>", DEFAULT_TASK)
    .addOption(worldOption())
    .addOption(seedOption("seed of the world").default(1))
    .option(
      "--policy <policy>",
      "who plays in your place: a run or checkpoint directory, or the folder of a Hugging Face model",
    )
    .option("--temperature <t>", "of a policy; 0 is greedy (default)", numberParser(0))
    .addOption(scaffoldOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      () =>
        `\nExamples:\n  bowline play dev/4/2\n  echo 'print(await apis.me.profile()); await apis.me.finishTask({})' | bowline play\n  bowline play dev/4/2 --policy runs/starter-seed1\n\nExit code 1: the task was finished and a check failed.${dialsHelpText()}`,
    )
    .action((task: string, options: PlayOptions, command: Command) => {
      const { scaffold, context: rest } = resolveScaffoldOption(options.scaffold, context);
      const dials = readDialFields(command, rest);
      const { policy, world, ...others } = options;
      if (policy === undefined) {
        refusePolicyOptions({ ...options, ...(scaffold !== undefined && { scaffold }) });
        return runPlay(task, { ...options, dials }, context);
      }
      const isNamed = command.getOptionValueSource("world") !== "default";
      const named = { ...(isNamed && { world }), ...(scaffold !== undefined && { scaffold }) };
      return playPolicy(task, { ...others, policy, ...named, dials }, context);
    });
}

/** A person has neither. */
function refusePolicyOptions(options: PlayOptions): void {
  const given = (["temperature", "scaffold"] as const).find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new BowlineError("config", `--${given} is a policy's, and none plays; give --policy too`);
}

async function runPlay(
  id: string,
  options: PlayOptions & { readonly dials: Partial<Dials> },
  { terminal, setExitCode: exit }: CommandContext,
): Promise<void> {
  const { out, err } = terminal;
  const channel = options.json ? err : out;
  const { seed, dials } = options;
  const world = await openWorld(resolveWorld(options.world).url, { seed, dials });
  try {
    const task = await findTask(world, id);
    const game = new Game(world, await world.open(id), channel);
    await game.printIntroduction();
    await game.readInput(terminal.in);
    const evaluation = await game.printEvaluation();
    if (options.json)
      out.writeLine(JSON.stringify({ task: task.id, turns: game.turns, ...evaluation }));
    if (evaluation.finished && !evaluation.passed) exit(EXIT_CODES.failed);
  } finally {
    await world.close();
  }
}

const HELP = [
  "Type JavaScript; every complete statement or block is run as a cell. Variables stay.",
  "  apis.<app>.<api>({ ... })   call an API, with or without await",
  "  print(value)                show a value; a cell's last expression is shown to you unasked,",
  "                              an agent sees only what it prints",
  "",
  "  .docs [app | app.api]       the apps, an app's APIs, or how to call one",
  "  .task                       the instruction again",
  "  .solution                   how it can be done",
  "  .finish [answer]            end the task (.finish impossible: it cannot be done)",
  "  .quit                       leave without finishing",
];

/** One task being played. */
class Game {
  readonly #world: World;
  readonly #episode: Episode;
  readonly #channel: Channel;
  turns = 0;
  #isOver = false;

  constructor(world: World, episode: Episode, channel: Channel) {
    this.#world = world;
    this.#episode = episode;
    this.#channel = channel;
  }

  async printIntroduction(): Promise<void> {
    const { writeLine: line, paint } = this.#channel;
    const apps = await this.#withOtherEpisode((episode) => readAppDocs(episode));
    for (const text of taskHeaderLines(this.#episode.task, this.#channel)) line(text);
    line(`\n  ${paint("dim", "apps:")} ${apps.map(({ name }) => name).join(", ")}`);
    line(
      `  ${paint("dim", "how:  apis.<app>.<api>({ ... }), print(value); .docs <app>, .finish [answer], .help")}\n`,
    );
  }

  /** Reads cells and commands until the task is finished, `.quit`, or the input ends. */
  async readInput(input: Input): Promise<void> {
    const { paint, stream } = this.#channel;
    const lines = createInterface({ input, ...(input.isTTY && { output: stream }) });
    let cell = "";
    const prompt = () => {
      lines.setPrompt(paint("cyan", cell === "" ? "› " : "… "));
      if (input.isTTY) lines.prompt();
    };
    lines.on("SIGINT", () => lines.close());
    prompt();
    for await (const line of lines) {
      if (cell === "" && line.startsWith(".")) await this.#runCommand(line.trim());
      else {
        cell += cell === "" ? line : `\n${line}`;
        const goesOn = line.trim() !== "" && isIncomplete(cell);
        if (!goesOn && cell.trim() !== "") await this.#runCell(addPrintOfLastValue(cell));
        if (!goesOn) cell = "";
      }
      if (this.#isOver) break;
      prompt();
    }
    if (!this.#isOver && cell.trim() !== "") await this.#runCell(addPrintOfLastValue(cell));
    lines.close();
    // A terminal, or a pipe that its writer keeps open, would keep this process alive.
    input.destroy();
  }

  async #runCell(code: string): Promise<void> {
    const result = await this.#episode.step(code);
    this.turns++;
    this.#printResult(result);
    if (result.finished) this.#isOver = true;
  }

  #printResult({ text, status, calls }: StepResult): void {
    const { writeLine: line, paint, columns } = this.#channel;
    const parts = text.trim() === "" ? [] : text.trimEnd().split("\n");
    for (const part of parts) line(`  ${status === "ok" ? part : paint("yellow", part)}`);
    for (const fault of faultLines(calls, { paint, width: columns })) line(fault);
  }

  async #runCommand(text: string): Promise<void> {
    const { writeLine: line } = this.#channel;
    const [name, ...rest] = text.split(/\s+/);
    const argument = rest.join(" ");
    if (name === ".quit" || name === ".exit") this.#isOver = true;
    else if (name === ".task") line(taskHeaderLines(this.#episode.task, this.#channel).join("\n"));
    else if (name === ".docs") await this.#printDocs(argument);
    else if (name === ".solution") await this.#printSolution();
    else if (name === ".finish") await this.#runCell(finishTaskCode(argument));
    else {
      if (name !== ".help") line(`  there is no command ${name}`);
      for (const help of HELP) line(`  ${help}`);
    }
  }

  async #printDocs(what: string): Promise<void> {
    const { writeLine: line, paint } = this.#channel;
    try {
      if (what.includes(".")) {
        const doc = await this.#withOtherEpisode((episode) => readApiDoc(episode, what));
        return line(apiDocLines(doc, this.#channel).join("\n"));
      }
      const apps = await this.#withOtherEpisode((episode) => readAppDocs(episode));
      const app = apps.find(({ name }) => name === what);
      const entries = app
        ? app.apis.map((api) => ({ ...api, name: `${app.name}.${api.name}` }))
        : apps;
      if (what !== "" && !app) line(`  there is no app ${what}`);
      for (const { name, summary } of entries)
        line(`  ${paint("bold", name.padEnd(28))}  ${paint("dim", summary)}`);
    } catch (error) {
      line(`  ${paint("yellow", (error as Error).message)}`);
    }
  }

  async #printSolution(): Promise<void> {
    const { writeLine: line, paint } = this.#channel;
    if (!this.#world.hasSolutions) return line("  this world brings no solutions");
    const { id } = this.#episode.task;
    try {
      const demonstration = await this.#world.demonstrate(id, "careful", this.#world.seed);
      line(demonstrationLines(demonstration, this.#channel).join("\n"));
    } catch (error) {
      line(`  ${paint("red", errorMessage(error))}`);
    }
  }

  /** Reading documentation in the game would move its clock; a second episode of the task answers instead. */
  async #withOtherEpisode<T>(work: (episode: Episode) => Promise<T>): Promise<T> {
    const episode = await this.#world.open(this.#episode.task.id);
    try {
      return await work(episode);
    } finally {
      await episode.close();
    }
  }

  /** Says how it ended, check by check. */
  async printEvaluation(): Promise<Evaluation> {
    const { writeLine: line, paint, columns } = this.#channel;
    const evaluation = await this.#episode.evaluate();
    const view = { width: Math.min(columns, 100) - 2, paint };
    line("");
    if (!evaluation.finished) line("  left without finishing; the checks as things stand:");
    else if (evaluation.passed)
      line(`  ${paint(["bold", "green"], "✓ solved")} in ${pluralize(this.turns, "cell")}`);
    else line(`  ${paint(["bold", "red"], "✗ not solved")} in ${pluralize(this.turns, "cell")}`);
    for (const check of evaluation.checks) {
      const explained = { ...check, name: `${check.name} (${check.label})` };
      for (const text of checkLines(explained, view)) line(`  ${text}`);
    }
    const labels = "progress: what the task asks for. guard: what must not happen.";
    for (const text of wrapText(labels, view.width)) line(`  ${paint("dim", text)}`);
    return evaluation;
  }
}

/** `.finish`, `.finish 42`, `.finish "yes"`, `.finish impossible`; what is not JSON is text. */
export function finishTaskCode(argument: string): string {
  if (argument === "") return "await apis.me.finishTask({})";
  if (argument === "impossible") return 'await apis.me.finishTask({ status: "impossible" })';
  return `await apis.me.finishTask({ answer: ${JSON.stringify(parseJsonOrText(argument))} })`;
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
