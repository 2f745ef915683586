/**
 * `bowline play` lets the user do what an agent does: read an instruction, run JavaScript cells, finish the task. Then
 * it shows the checks. It reads lines, so a file of cells can be piped in. An incomplete cell continues in the next
 * line.
 */

import { createInterface } from "node:readline";
import type { Command } from "commander";
import { BowlineError, errorMessage, toVisibleJson } from "../../core/index.ts";
import { pluralize } from "../../report/index.ts";
import type { Dials, Episode, Evaluation, StepResult, World } from "../../spec/index.ts";
import { resolveWorld } from "../../train/index.ts";
import { openWorld } from "../../world/index.ts";
import { type CommandContext, EXIT_CODES } from "../command-context.ts";
import { checkLines, faultLines } from "../render/rollout-lines.ts";
import { wrapText } from "../render/text.ts";
import { addPrintOfLastValue, isIncomplete } from "../repl-cell.ts";
import {
  BASE_HELP,
  dialsHelpText,
  jsonOption,
  numberParser,
  POLICY_KINDS,
  readDialFields,
  resolveBaseField,
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

export function definePlayCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Solve a task in the terminal as an agent does, by JavaScript cells that call the apps' APIs; or watch a policy solve it.",
    )
    .argument("[task]", "a task id, <split>/<scenario>/<1, 2 or 3>", DEFAULT_TASK)
    .addOption(worldOption())
    .addOption(seedOption("seed of the world").default(1))
    .option("--policy <policy>", `let a policy play: ${POLICY_KINDS}`)
    .option(
      "--temperature <t>",
      "temperature of the policy, 0 is greedy (default: 0)",
      numberParser(0),
    )
    .addOption(scaffoldOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      () =>
        `\nExamples:\n  bowline play dev/4/2\n  echo 'print(await apis.me.profile()); await apis.me.finishTask({})' | bowline play\n  bowline play dev/4/2 --policy runs/starter-seed1\n\nExit code 1 means that the task was finished and a check failed.${BASE_HELP}${dialsHelpText()}`,
    )
    .action((task: string, options: PlayOptions, command: Command) => {
      const { base, context: others } = resolveBaseField(context);
      const { scaffold, context: rest } = resolveScaffoldOption(options.scaffold, others);
      const dials = readDialFields(command, rest);
      const { policy, world, ...shared } = options;
      if (policy === undefined) {
        refusePolicyOptions({ ...options, ...base, ...(scaffold !== undefined && { scaffold }) });
        return runPlay(task, { ...options, dials }, context);
      }
      const isNamed = command.getOptionValueSource("world") !== "default";
      const named = { ...(isNamed && { world }), ...(scaffold !== undefined && { scaffold }) };
      return playPolicy(task, { ...shared, policy, ...named, ...base, dials }, context);
    });
}

/** Throws a `config` error when an option for a policy is given and the user plays. */
function refusePolicyOptions(options: PlayOptions & { readonly base?: string }): void {
  const { temperature, scaffold, base } = options;
  const given = Object.entries({ temperature, scaffold, "engine.model": base }).find(
    ([, value]) => value !== undefined,
  );
  if (given === undefined) return;
  throw new BowlineError("config", `--${given[0]} is an option for a policy; give --policy too`);
}

async function runPlay(
  id: string,
  options: PlayOptions & { readonly dials: Partial<Dials> },
  { terminal, setExitCode }: CommandContext,
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
      out.writeLine(toVisibleJson({ task: task.id, turns: game.turns, ...evaluation }));
    if (evaluation.finished && !evaluation.passed) setExitCode(EXIT_CODES.failed);
  } finally {
    await world.close();
  }
}

const HELP = [
  "Type JavaScript; every complete statement or block runs as a cell. Variables are kept.",
  "  apis.<app>.<api>({ ... })   call an API, with or without await",
  "  print(value)                show a value; you also see the value of a cell's last expression,",
  "                              an agent sees only what it prints",
  "",
  "  .docs [app | app.api]       list the apps or an app's APIs, or explain one API",
  "  .task                       show the instruction again",
  "  .solution                   show a solution",
  "  .finish [answer]            finish the task (.finish impossible: it cannot be done)",
  "  .quit                       leave without finishing",
];

/** A task that the user is solving. */
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
    const { writeLine, paint } = this.#channel;
    const apps = await this.#withOtherEpisode((episode) => readAppDocs(episode));
    for (const text of taskHeaderLines(this.#episode.task, this.#channel)) writeLine(text);
    writeLine(`\n  ${paint("dim", "apps:")} ${apps.map(({ name }) => name).join(", ")}`);
    writeLine(
      `  ${paint("dim", "how:  apis.<app>.<api>({ ... }), print(value); .docs <app>, .finish [answer], .help")}\n`,
    );
  }

  /** Reads cells and commands until the task is finished, the user types `.quit`, or the input ends. */
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
        const isUnfinished = line.trim() !== "" && isIncomplete(cell);
        if (!isUnfinished && cell.trim() !== "") await this.#runCell(addPrintOfLastValue(cell));
        if (!isUnfinished) cell = "";
      }
      if (this.#isOver) break;
      prompt();
    }
    if (!this.#isOver && cell.trim() !== "") await this.#runCell(addPrintOfLastValue(cell));
    lines.close();
    // A terminal or an open pipe would keep this process alive.
    input.destroy();
  }

  async #runCell(code: string): Promise<void> {
    const result = await this.#episode.step(code);
    this.turns++;
    this.#printResult(result);
    if (result.finished) this.#isOver = true;
  }

  #printResult({ text, status, calls }: StepResult): void {
    const { writeLine, paint, columns } = this.#channel;
    const parts = text.trim() === "" ? [] : text.trimEnd().split("\n");
    for (const part of parts) writeLine(`  ${status === "ok" ? part : paint("yellow", part)}`);
    for (const fault of faultLines(calls, { paint, width: columns })) writeLine(fault);
  }

  async #runCommand(text: string): Promise<void> {
    const { writeLine } = this.#channel;
    const [name, ...rest] = text.split(/\s+/);
    const argument = rest.join(" ");
    if (name === ".quit" || name === ".exit") this.#isOver = true;
    else if (name === ".task")
      writeLine(taskHeaderLines(this.#episode.task, this.#channel).join("\n"));
    else if (name === ".docs") await this.#printDocs(argument);
    else if (name === ".solution") await this.#printSolution();
    else if (name === ".finish") await this.#runCell(finishTaskCode(argument));
    else {
      if (name !== ".help") writeLine(`  there is no command ${name}`);
      for (const help of HELP) writeLine(`  ${help}`);
    }
  }

  async #printDocs(name: string): Promise<void> {
    const { writeLine, paint } = this.#channel;
    try {
      if (name.includes(".")) {
        const doc = await this.#withOtherEpisode((episode) => readApiDoc(episode, name));
        return writeLine(apiDocLines(doc, this.#channel).join("\n"));
      }
      const apps = await this.#withOtherEpisode((episode) => readAppDocs(episode));
      const app = apps.find((candidate) => candidate.name === name);
      const entries = app
        ? app.apis.map((api) => ({ ...api, name: `${app.name}.${api.name}` }))
        : apps;
      if (name !== "" && !app) writeLine(`  there is no app ${name}`);
      for (const { name, summary } of entries)
        writeLine(`  ${paint("bold", name.padEnd(28))}  ${paint("dim", summary)}`);
    } catch (error) {
      writeLine(`  ${paint("yellow", (error as Error).message)}`);
    }
  }

  async #printSolution(): Promise<void> {
    const { writeLine, paint } = this.#channel;
    if (!this.#world.hasSolutions) return writeLine("  this world has no solutions");
    const { id } = this.#episode.task;
    try {
      const demonstration = await this.#world.demonstrate(id, "careful", this.#world.seed);
      writeLine(demonstrationLines(demonstration, this.#channel).join("\n"));
    } catch (error) {
      writeLine(`  ${paint("red", errorMessage(error))}`);
    }
  }

  /**
   * Runs `work` in a second episode of the task, because reading documentation would advance the clock of the user's
   * episode.
   */
  async #withOtherEpisode<T>(work: (episode: Episode) => Promise<T>): Promise<T> {
    const episode = await this.#world.open(this.#episode.task.id);
    try {
      return await work(episode);
    } finally {
      await episode.close();
    }
  }

  /** Prints whether the task is solved and the result of each check, and returns the evaluation. */
  async printEvaluation(): Promise<Evaluation> {
    const { writeLine, paint, columns } = this.#channel;
    const evaluation = await this.#episode.evaluate();
    const view = { width: Math.min(columns, 100) - 2, paint };
    writeLine("");
    if (!evaluation.finished)
      writeLine("  left without finishing; the checks in the current state:");
    else if (evaluation.passed)
      writeLine(`  ${paint(["bold", "green"], "✓ solved")} in ${pluralize(this.turns, "cell")}`);
    else
      writeLine(`  ${paint(["bold", "red"], "✗ not solved")} in ${pluralize(this.turns, "cell")}`);
    for (const check of evaluation.checks) {
      const explained = { ...check, name: `${check.name} (${check.label})` };
      for (const text of checkLines(explained, view)) writeLine(`  ${text}`);
    }
    const labels =
      "A progress check tests what the task asks for; a guard check tests that nothing else has happened.";
    for (const text of wrapText(labels, view.width)) writeLine(`  ${paint("dim", text)}`);
    return evaluation;
  }
}

/** Returns the code for `.finish`, `.finish 42`, `.finish yes` or `.finish impossible`. Answers are JSON or text. */
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
