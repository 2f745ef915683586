/** `bowline train` trains on a setting, shows progress, and ends with scores before and after. */

import type { Command } from "commander";
import { BowlineError, toCamelCase, toVisibleJson } from "../../core/index.ts";
import { describeUnusedAdapter, findUnusedAdapter } from "../../engine/index.ts";
import { methods } from "../../methods/index.ts";
import { writeReport } from "../../server/index.ts";
import type { Summary } from "../../spec/index.ts";
import {
  type Config,
  type ConfigForModel,
  configSections,
  type TrainOptions as LibraryOptions,
  loadMethod,
  previewRun,
  type RunPreview,
  recipes,
  resolveConfigForRun,
  settings,
  train,
} from "../../train/index.ts";
import type { CommandContext } from "../command-context.ts";
import type { ConfigFieldValues } from "../config-fields.ts";
import { defaultRunDirectory } from "../default-run-directory.ts";
import {
  environmentName,
  planEnvironmentTraining,
  requireNoContradiction,
} from "../environment-option.ts";
import { listenForInterrupt, monotonicSeconds } from "../interrupt.ts";
import { renderFitting } from "../render/fitting-table.ts";
import { renderHandlerExceptions } from "../render/handler-exceptions.ts";
import { createLiveProgress, createPlainProgress } from "../render/progress.ts";
import { wrapText } from "../render/text.ts";
import { renderHeading, renderResult, renderStoppedRun } from "../render/train-result.ts";
import { integerParser, jsonOption, numberParser, seedOption } from "../shared-options.ts";
import { SHORT_OPTIONS } from "../short-options.ts";
import { openStudioForRun } from "../studio-during-training.ts";
import type { Channel } from "../terminal.ts";

interface TrainOptions {
  readonly method?: string;
  readonly recordings?: string;
  readonly environment?: string;
  readonly scaffold?: string;
  readonly sampler?: string;
  readonly reward?: readonly string[];
  readonly filter?: readonly string[];
  readonly warm?: string;
  readonly world?: string;
  readonly engine?: string;
  readonly seed?: number;
  readonly out?: string;
  readonly minutes?: number;
  readonly scenarios?: number;
  readonly studio?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function defineTrainCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Train an agent on a setting (default: starter) by a method (default: loop). If the run was stopped, the same command continues it.",
    )
    .argument("[setting]", "a setting, or the name of a recipe: a setting with a method", "starter")
    .option("--method <method>", "the learning method: a name below, or the path of a module")
    .option(
      "--recordings <file>",
      "learn from recorded conversations with outcomes, by rft, dmpo or ei",
    )
    .option(
      "--environment <file>",
      "program or server that plays the episodes: a JSON file or a module",
    )
    .option("--warm <policy>", "policy to start from: a run, an adapter, or a model")
    .option("--world <world>", "a built-in world, or the path of a module such as ./my-world.ts")
    .option(
      "--engine <engine>",
      "onnx (in this process), tinker (on a server), or the path of a module",
    )
    .option(
      "--scaffold <scaffold>",
      "how tasks become prompts: compact | compact-tools | fenced | react | tools, or the path of a module",
    )
    .option("--reward <module>", "module of an extra reward term; may be repeated", appendValue)
    .option("--filter <module>", "module of an extra filter; may be repeated", appendValue)
    .option("--sampler <module>", "module that chooses the tasks of each iteration")
    .addOption(seedOption("seed of the run: weights, demonstrations, task order, sampling"))
    .option("--out <directory>", "the run directory (default: runs/<recipe>-seed<seed>)")
    .option("--minutes <minutes>", "time limit in minutes", numberParser(0.01))
    .option(
      "--scenarios <count>",
      "number of scenarios to score before and after training, three tasks each",
      integerParser(1),
    )
    .option(
      "--studio",
      "also serve the studio for this run until the run ends (see bowline studio)",
    )
    .option("--dry-run", "show the limits that the run would have, and train nothing")
    .addOption(jsonOption())
    .addHelpText("after", () => helpAfterOptions(context.terminal.out.columns))
    .action((recipe: string, options: TrainOptions) => {
      const asked =
        command.args.length === 0 && (options.recordings ?? options.environment) !== undefined
          ? "agent"
          : recipe;
      return runTrain(asked, options, context);
    });
}

const appendValue = (value: string, before: readonly string[] = []) => [...before, value];

async function runTrain(
  recipe: string,
  options: TrainOptions,
  context: CommandContext,
): Promise<void> {
  const { out, err } = context.terminal;
  const { environment } = options;
  const chooseDirectory = (config: Config) =>
    options.out ?? defaultRunDirectory(config, environment && environmentName(environment));
  const overrides = { ...readShortOptions(options, context.fields), ...context.fields };
  const plan = await planChosenTraining(recipe, options, overrides, chooseDirectory);
  const directory = chooseDirectory(plan.config);
  const channel = options.json ? err : out;
  const view = createTrainingView(plan, directory, channel);
  const interrupt = listenForInterrupt(channel);
  const run = { out: directory, onEvent: view.show, signal: interrupt.signal };
  let summary: Summary;
  try {
    await using studio = options.studio ? await openStudioForRun(directory) : undefined;
    if (studio) view.writeLine(`the studio is at ${studio.url} until this run ends`);
    if (options.dryRun) {
      if (plan.preview === undefined) throw noPreviewError();
      view.printHeading();
      const preview = await plan.preview(run);
      view.close();
      return printPreview(preview, out, options.json === true);
    }
    summary = await plan.run(run);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    view.close();
    channel.writeLine(renderStoppedRun(directory, channel));
    return context.setExitCode(interrupt.exitCode);
  } finally {
    view.close();
    interrupt.dispose();
  }
  view.printHeading();
  await printSummary(summary, plan.config, directory, context, options);
}

/** Creates what shows the progress of a training. It prints the heading before anything else, once. */
function createTrainingView(
  { config, note }: PlannedTraining,
  directory: string,
  channel: Channel,
) {
  const view = (channel.canRedraw ? createLiveProgress : createPlainProgress)(
    channel,
    monotonicSeconds,
  );
  let hasHeading = false;
  const printHeading = () => {
    if (hasHeading) return;
    hasHeading = true;
    channel.writeLine(renderHeading(config, directory, channel));
    const unused = onProcessor(config) ? findUnusedAdapter() : undefined;
    for (const text of [note, unused && describeUnusedAdapter(unused)]) {
      if (text !== undefined) view.show({ type: "note", text });
    }
  };
  return {
    printHeading,
    writeLine(text: string) {
      printHeading();
      channel.writeLine(text);
    },
    show(event: Parameters<RunOptions["onEvent"]>[0]) {
      printHeading();
      view.show(event);
    },
    close: () => view.close(),
  };
}

/** Writes the report of a finished run, and prints its summary and a warning about errors of the world. */
async function printSummary(
  summary: Summary,
  config: Config,
  directory: string,
  { terminal: { out, err } }: CommandContext,
  { json }: TrainOptions,
): Promise<void> {
  const report = await writeReport(directory);
  if (json) out.writeLine(toVisibleJson(summary));
  else out.writeLine(renderResult(summary, { config, directory, report }, out));
  const warning = renderHandlerExceptions(summary.handlerExceptions, json ? err : out);
  if (warning !== undefined) (json ? err : out).writeLine(warning);
}

/** Returns whether the embedded engine computes on the processor. */
const onProcessor = ({ engine }: Config) => engine.name === "onnx" && engine.provider === "cpu";

const noPreviewError = () =>
  new BowlineError(
    "config",
    "--dry-run shows the limits of a training in a world; leave it out with --recordings",
  );

/** Prints the limits that a run would have. */
function printPreview({ config, fitting }: RunPreview, out: Channel, isJson: boolean): void {
  if (isJson) {
    out.writeLine(toVisibleJson({ config, fitting }));
    return;
  }
  const nothing = "  No limit depends on demonstrations: the limits are those of the setting.";
  out.writeLine(fitting === undefined ? nothing : renderFitting(fitting, out));
  out.writeLine("  Nothing was trained or written.");
}

/** A training that can start: its configuration, what was chosen for the user, and the function that trains. */
interface PlannedTraining extends ConfigForModel {
  readonly run: (options: RunOptions) => Promise<Summary>;
  /** Shows what the training would do; undefined if that cannot be shown without training. */
  readonly preview?: (options: RunOptions) => Promise<RunPreview>;
}
type RunOptions = Required<Pick<LibraryOptions, "out" | "onEvent" | "signal">>;
type Fields = Readonly<Record<string, unknown>>;

/** Plans the training that the options choose: on recordings, in an environment, or in a world. */
async function planChosenTraining(
  recipe: string,
  options: TrainOptions,
  overrides: Fields,
  chooseDirectory: (config: Config) => string,
): Promise<PlannedTraining> {
  const { environment, recordings, method } = options;
  if (environment !== undefined) {
    requireNoContradiction(options);
    return planEnvironmentTraining(environment, { recipe, method, overrides });
  }
  if (recordings !== undefined) return planRecordedTraining(recipe, options, overrides);
  return planTraining(recipe, method, overrides, chooseDirectory);
}

/** Plans a training by rollouts of the policy. */
async function planTraining(
  recipe: string,
  method: string | undefined,
  overrides: Fields,
  chooseDirectory: (config: Config) => string,
): Promise<PlannedTraining> {
  const chosen = method === undefined ? undefined : await loadMethod(method);
  const input = chosen ? { recipe, method: chosen, overrides } : { recipe, overrides };
  const own = chosen && { method: chosen.method };
  const plan = await resolveConfigForRun(input, (config) => ({
    out: chooseDirectory(config),
    ...own,
  }));
  return {
    ...plan,
    run: (options) => train(plan.config, { ...options, ...own }),
    preview: (options) => previewRun(plan.config, { ...options, ...own }),
  };
}

/** Options that concern rollouts of the policy, which recordings replace. */
const ROLLOUT_OPTIONS = ["world", "scaffold", "sampler", "reward", "filter", "scenarios"] as const;

/** Plans a training on recorded conversations. */
async function planRecordedTraining(
  recipe: string,
  options: TrainOptions,
  overrides: Fields,
): Promise<PlannedTraining> {
  const { method, recordings: file = "" } = options;
  const given = ROLLOUT_OPTIONS.find((name) => options[name] !== undefined);
  if (given !== undefined || recipe !== "agent") {
    const got = given === undefined ? `the setting ${recipe}` : `--${given}`;
    throw new BowlineError(
      "config",
      `--recordings: expected the setting agent and no options about rollouts of the policy, got ${got}; recordings are learned from as they are`,
    );
  }
  const { readRecordingFile, resolveRecordingsConfig, trainAgent } = await import(
    "../../server/index.ts"
  );
  const request = {
    recordings: readRecordingFile(file),
    ...(method !== undefined && { method }),
    overrides,
  };
  return {
    config: await resolveRecordingsConfig({ ...request, out: "" }),
    run: (chosen) => trainAgent({ ...request, ...chosen }),
  };
}

/** Returns the short options as config fields. Throws a `config` error when a field is also given by its full name. */
function readShortOptions(
  options: TrainOptions,
  fields: ConfigFieldValues,
): Record<string, unknown> {
  const { reward, filter } = options;
  const named = new Set(Object.keys(fields).map(toCamelCase));
  const short = Object.entries(SHORT_OPTIONS).flatMap(([option, field]) => {
    const value = options[option as keyof TrainOptions];
    if (value === undefined) return [];
    if (!named.has(field)) return [[field, value]];
    throw new BowlineError("config", `--${option} and --${field} are the same; give one of them`);
  });
  return {
    ...Object.fromEntries(short),
    ...(reward && { "extensions.rewards": reward }),
    ...(filter && { "extensions.filters": filter }),
  };
}

function helpAfterOptions(columns: number): string {
  const width = Math.min(columns, 100);
  const alignInColumns = (entries: readonly (readonly [string, string])[]) => {
    const first = Math.max(...entries.map(([name]) => name.length));
    return entries.flatMap(([name, text]) =>
      wrapText(text, width - first - 4).map(
        (line, i) => `  ${(i === 0 ? name : "").padEnd(first)}  ${line}`,
      ),
    );
  };
  const otherRecipes = Object.keys(recipes).filter(
    (name) => !Object.hasOwn(settings, name) && !Object.hasOwn(methods, name),
  );
  const sections = new Map<string, string>();
  for (const { name, description } of Object.values(methods).flatMap(configSections)) {
    if (!sections.has(name))
      sections.set(name, name === "algo" ? "How the method learns" : description);
  }
  return `
Settings:
${alignInColumns(Object.entries(settings).map(([name, { summary }]) => [name, summary])).join("\n")}

Methods (--method):
${alignInColumns(Object.entries(methods).map(([name, { summary }]) => [name, summary])).join("\n")}

Recipes: the name of a setting (with LOOP) or of a method (on starter; loop is on paper);
  ${otherRecipes.join(", ")}

Sections of config fields, which are given as --section.field VALUE in camelCase or kebab-case:
${alignInColumns([...sections]).join("\n")}

bowline config [section|field] explains them: type, default, and the methods that read them.

Examples:
  bowline train starter --seed 2 --minutes 5 --algo.group-size 8
  bowline train --recordings logs.jsonl --method dmpo --engine.model models/Qwen3-0.6B
  bowline train --environment ./env.json --engine.model models/Qwen3-0.6B
  bowline train smoke --method ./my-method.ts --reward ./cost.ts`;
}
