/** `bowline train`: runs a recipe, shows how it goes, and ends with what changed. */

import { join } from "node:path";
import type { Command, CommanderError } from "commander";
import {
  beforeAfterPair,
  duration,
  scoreRows,
  usageLine,
  writeReport,
} from "../../report/index.ts";
import type { Summary } from "../../spec/index.ts";
import { type Config, configFields, recipes, resolveConfig, train } from "../../train/index.ts";
import { onInterrupt, seconds } from "../interrupt.ts";
import { DEFAULT_WORLD, integer, jsonOption, number, seedOption } from "../options.ts";
import { ownName, shellLine } from "../own-name.ts";
import { renderBehaviour } from "../render/behaviour-table.ts";
import { beforeAfterBlock } from "../render/example.ts";
import { liveProgress, plainProgress } from "../render/progress.ts";
import { renderScores } from "../render/score-table.ts";
import { wrap } from "../render/text.ts";
import { EXIT, type Session } from "../session.ts";
import type { Channel } from "../terminal.ts";

interface TrainOptions {
  readonly world?: string;
  readonly engine?: string;
  readonly seed?: number;
  readonly out?: string;
  readonly minutes?: number;
  readonly scenarios?: number;
  readonly json?: boolean;
}

/** Options of the command that are fields of the configuration under a shorter name. */
const SHORT: { readonly [O in keyof TrainOptions]?: string } = {
  world: "world.name",
  engine: "engine.name",
  seed: "run.seed",
  minutes: "run.minutes",
  scenarios: "evaluation.scenarios",
};

export function addTrain(program: Command, session: Session): void {
  program
    .command("train")
    .summary("train an agent by a recipe")
    .description(
      "Train an agent by a recipe (default: starter). The same command continues a run that was stopped.",
    )
    .argument("[recipe]", Object.keys(recipes).join(" | "), "starter")
    .option(
      "--world <world>",
      "a built-in world, or the path of a world module such as ./my-world.ts",
    )
    .option("--engine <engine>", "where the weights live: onnx | tinker")
    .addOption(seedOption("seed of the run: weights, demonstrations, task order, sampling"))
    .option("--out <directory>", "the run directory (default: runs/<recipe>-seed<seed>)")
    .option("--minutes <minutes>", "ceiling on time; recorded when it ends the run", number(0.01))
    .option(
      "--scenarios <count>",
      "scenarios (three tasks each) scored before and after",
      integer(1),
    )
    .addOption(jsonOption())
    .addHelpText("after", () => helpAfter(session.terminal.out.columns))
    .action((recipe: string, options: TrainOptions) => runTrain(recipe, options, session));
}

async function runTrain(recipe: string, options: TrainOptions, session: Session): Promise<void> {
  const { out, err } = session.terminal;
  const config = resolveConfig({
    recipe,
    overrides: { ...shortFields(options), ...session.fields },
  });
  const directory = options.out ?? join("runs", `${config.recipe}-seed${config.run.seed}`);
  const channel = options.json ? err : out;
  let headed = false;
  const head = () => {
    if (!headed) channel.line(heading(config, directory, channel));
    headed = true;
  };
  const view = (channel.live ? liveProgress : plainProgress)(channel, seconds);
  const interrupt = onInterrupt(channel);
  let summary: Summary;
  try {
    summary = await train(config, {
      out: directory,
      onEvent: (event) => {
        head();
        view.event(event);
      },
      signal: interrupt.signal,
    });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    view.close();
    channel.line(stopped(directory, channel));
    return session.exit(EXIT.interrupted);
  } finally {
    view.close();
    interrupt.dispose();
  }
  head();
  const report = writeReport(directory);
  if (options.json) out.line(JSON.stringify(summary));
  else out.line(result(summary, { config, directory, report }, out));
}

function shortFields(options: TrainOptions): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(SHORT).flatMap(([option, field]) => {
      const value = options[option as keyof TrainOptions];
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

function heading(config: Config, directory: string, { paint }: Channel): string {
  const facts = [`seed ${config.run.seed}`, config.world.name, directory];
  return `${paint("bold", `bowline train ${config.recipe}`)}  ${paint("dim", facts.join(" · "))}`;
}

function stopped(directory: string, { paint }: Channel): string {
  return `stopped; nothing is lost. To continue ${directory}, run the same command again:\n  ${paint("bold", `${ownName()} ${shellLine(process.argv.slice(2))}`)}`;
}

function result(
  summary: Summary,
  { config, directory, report }: { config: Config; directory: string; report: string },
  channel: Channel,
): string {
  const { paint } = channel;
  const pair = beforeAfterPair(directory);
  const facts = [
    `${duration(summary.seconds)}, ${summary.rollouts.toLocaleString("en")} rollouts, training reward ${summary.reward.first.toFixed(2)} → ${summary.reward.last.toFixed(2)}`,
    ...(summary.usage?.cost === undefined ? [] : [usageLine(summary.usage)]),
    ...(summary.stoppedEarly ? [`stopped early: ${summary.stoppedEarly}`] : []),
  ];
  const elsewhere = config.world.name === DEFAULT_WORLD ? [] : ["--world", config.world.name];
  const next = [
    [["play", ...elsewhere], "solve a task yourself"],
    [
      ["eval", directory, "--split", "dev", "--examples", "3"],
      "score the trained policy on any split",
    ],
    [["world", "show", ...elsewhere], "look into a task: its solution and its checks"],
  ].map(
    ([words, why]) => [`${ownName()} ${shellLine(words as string[])}`, why] as [string, string],
  );
  const width = Math.max(...next.map(([command]) => command.length));
  return [
    "",
    ...(pair ? [beforeAfterBlock(pair.before, pair.after, channel), ""] : []),
    `  ${paint("bold", "Result")}  ${paint("dim", facts.join("; "))}`,
    "",
    renderScores(summary, channel),
    "",
    renderBehaviour(scoreRows(summary), paint),
    "",
    `  ${paint("bold", "Report")}  ${report}`,
    "",
    `  ${paint("bold", "Try next")}`,
    ...next.map(
      ([command, why]) => `    ${paint("cyan", command.padEnd(width))}   ${paint("dim", why)}`,
    ),
    "",
  ].join("\n");
}

function helpAfter(columns: number): string {
  const width = Math.min(columns, 100);
  const names = Object.entries(recipes).map(
    ([name, { summary }]) => `  ${name.padEnd(18)}  ${summary}`,
  );
  const fields = configFields().flatMap(({ path, expected, description, default: fallback }) => {
    const text = `${description} (${expected}; ${JSON.stringify(fallback)})`;
    return wrap(text, width - 32).map(
      (line, i) => `  ${(i === 0 ? `--${path}` : "").padEnd(28)}  ${line}`,
    );
  });
  return `
Recipes:
${names.join("\n")}

Example:
  bowline train starter --seed 2 --minutes 5 --algo.group-size 8

Config fields, in camelCase or kebab-case; a recipe changes some of these defaults:
${fields.join("\n")}`;
}

/** `--groupSize 8` is not an option, but there is a field of that name. */
export function fieldHint(error: CommanderError): string {
  const name = /unknown option '--([^'=]+)/.exec(error.message)?.[1];
  if (error.code !== "commander.unknownOption" || name === undefined) return "";
  const camel = name.replace(/-+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const field = configFields().find(({ path }) => path.endsWith(`.${camel}`));
  return field ? ` (did you mean --${field.path}?)` : "";
}
