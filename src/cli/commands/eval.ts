/** `bowline eval` scores a policy: a checkpoint, a hosted model, or a scripted policy to compare with. */

import type { Command } from "commander";
import { isPassed } from "../../algo/index.ts";
import { toVisibleJson, withoutUndefined } from "../../core/index.ts";
import {
  behaviourTable,
  describeScore,
  findLastRun,
  formatCompact,
  pluralize,
  scoreTable,
} from "../../report/index.ts";
import { writeEvaluationReport } from "../../server/index.ts";
import type { Dials, Rollout, Score, Split } from "../../spec/index.ts";
import {
  type EvaluateOptions,
  type EvaluateResult,
  type EvaluationLimits,
  evaluate,
  type HostedTotals,
  type TrainEvent,
} from "../../train/index.ts";
import type { CommandContext } from "../command-context.ts";
import { evaluateInEnvironment, requireNoContradiction } from "../environment-option.ts";
import {
  addHostedModelOptions,
  type HostedModelFlags,
  separateHostedModelOptions,
} from "../hosted-model-options.ts";
import { listenForInterrupt, monotonicSeconds } from "../interrupt.ts";
import { renderHandlerExceptions } from "../render/handler-exceptions.ts";
import { createLiveProgress, createPlainProgress } from "../render/progress.ts";
import { instructionLines, rolloutLines } from "../render/rollout-lines.ts";
import { renderTable } from "../render/table.ts";
import {
  BASE_HELP,
  changedDials,
  dialsHelpText,
  integerParser,
  jsonOption,
  numberParser,
  POLICY_KINDS,
  readDialFields,
  resolveBaseField,
  resolveLimitFields,
  resolveScaffoldOption,
  scaffoldOption,
  seedOption,
  splitOption,
} from "../shared-options.ts";
import { stoppedMessage } from "../suggested-commands.ts";
import type { Channel, Paint } from "../terminal.ts";

const EXAMPLES = [
  "  bowline eval runs/starter-seed1 --split dev --scenarios 60",
  "  bowline eval runs/starter-seed1 --scaffold.evaluation-turns 16",
  "  bowline eval solution --world ./my-world.ts --json",
  "  bowline eval hosted:qwen3:8b --base-url http://127.0.0.1:11434/v1 --scenarios 5 --out evals/qwen3",
];

interface EvalOptions extends HostedModelFlags {
  readonly world?: string;
  readonly environment?: string;
  readonly split: Split;
  readonly scenarios?: number;
  readonly seed?: number;
  readonly temperature?: number;
  readonly scaffold?: string;
  readonly examples: number;
  readonly json?: boolean;
}

export function defineEvalCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Score a policy by task goal completion (TGC) and scenario goal completion (SGC), and show its behaviour.",
    )
    .argument(
      "[policy]",
      `${POLICY_KINDS} | hosted:<model> | solution | noop | random | nearest (default: the last run)`,
    )
    .option(
      "--world <world>",
      "a built-in world, or the path of a world module (default: the world of the policy's training)",
    )
    .option(
      "--environment <file>",
      "somebody else's environment, whose program or server plays the tasks (default: the environment of the policy's training)",
    )
    .addOption(splitOption("test-normal"))
    .option(
      "--scenarios <count>",
      "scenarios of three tasks each (default: as many as the run scored; else what the world lists)",
      integerParser(1, 1_000_000),
    )
    .addOption(seedOption("seed of the world and of sampling"))
    .option(
      "--temperature <t>",
      "sampling temperature, 0 is greedy (default: 0; for a model or an adapter, that of its generation_config.json)",
      numberParser(0),
    )
    .addOption(scaffoldOption())
    .option(
      "--examples <count>",
      "number of rollouts to show, failed ones first",
      integerParser(0),
      0,
    )
    .addOption(jsonOption());
  addHostedModelOptions(command);
  command
    .addHelpText("after", () => `\nExamples:\n${EXAMPLES.join("\n")}${BASE_HELP}${dialsHelpText()}`)
    .action((policy: string | undefined, options: EvalOptions, command: Command) => {
      const { base, context: others } = resolveBaseField(context);
      const { scaffold, context: rest } = resolveScaffoldOption(options.scaffold, others);
      const { limits, context: dialFields } = resolveLimitFields(rest);
      const dials = readDialFields(command, dialFields);
      const named = scaffold === undefined ? {} : { scaffold };
      return runEval(
        policy ?? findLastRun(),
        { ...options, ...named, ...base, dials, limits },
        context,
      );
    });
}

async function runEval(
  policy: string,
  options: EvalOptions & {
    readonly dials: Partial<Dials>;
    readonly limits: EvaluationLimits;
    readonly base?: string;
  },
  context: CommandContext,
): Promise<void> {
  const { out, err } = context.terminal;
  const channel = options.json ? err : out;
  const { limits, maxTurns, environment, ...others } = options;
  if (environment !== undefined) requireNoContradiction(options, ["world", "scaffold"]);
  // A hosted model has options of its own, and every other policy has limits.
  const turns = maxTurns === undefined ? {} : { maxTurns };
  const isHosted = policy.startsWith("hosted:");
  const { hosted, rest } = separateHostedModelOptions({ ...others, ...(isHosted && turns) });
  const { json, examples, ...evaluation } = rest;
  const ownLimits = {
    ...(maxTurns !== undefined && !isHosted && { evaluationTurns: maxTurns }),
    ...limits,
  };
  const view = (channel.canRedraw ? createLiveProgress : createPlainProgress)(
    channel,
    monotonicSeconds,
  );
  const interrupt = listenForInterrupt(channel);
  try {
    const asked = {
      policy,
      ...evaluation,
      ...(Object.keys(ownLimits).length > 0 && { limits: ownLimits }),
      onEvent: (event: TrainEvent) => event.type !== "score" && view.show(event),
      signal: interrupt.signal,
    };
    const result =
      (await evaluateIfEnvironment(environment, asked)) ??
      (await evaluate({ ...asked, ...(Object.keys(hosted).length > 0 && { hosted }) }));
    view.close();
    const { policy: name, split, seed, score } = result;
    const dials = changedDials(result.dials);
    const { handlerExceptions, hosted: used, scaffold, world } = result;
    const about = { policy: name, scaffold, world, split, seed };
    const facts = { ...about, ...score, dials, handlerExceptions, hosted: used };
    if (json) out.writeLine(toVisibleJson(facts));
    else out.writeLine(formatScore(score, formatTitle(name, split, dials), out.paint));
    if (used && !json) out.writeLine(`  scaffold ${scaffold} · ${formatHostedTotals(used)}\n`);
    const report = hosted.out && writeEvaluationReport(hosted.out, result);
    if (report && !json) out.writeLine(`  report  ${report}\n`);
    if (!json) printExampleRollouts(result.rollouts, examples, out);
    const warning = renderHandlerExceptions(handlerExceptions, channel);
    if (warning !== undefined) channel.writeLine(warning);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    view.close();
    if (hosted.out !== undefined) channel.writeLine(stoppedMessage());
    context.setExitCode(interrupt.exitCode);
  } finally {
    view.close();
    interrupt.dispose();
  }
}

/** Evaluates in an environment, if one is named here or by the run and no world takes its place. */
async function evaluateIfEnvironment(
  environment: string | undefined,
  { policy, ...asked }: EvaluateOptions & { readonly policy: string },
): Promise<EvaluateResult | undefined> {
  if (asked.world !== undefined || asked.scaffold !== undefined) return undefined;
  const { base, split, scenarios, seed, temperature, limits, onEvent, signal } = asked;
  const chosen = { base, split, scenarios, seed, temperature, limits, onEvent, signal };
  return evaluateInEnvironment(environment, { policy, ...withoutUndefined(chosen), split });
}

/** Formats the requests, tokens and cost of a hosted model on one line. */
function formatHostedTotals({
  requests,
  retries,
  refused,
  input,
  cached,
  output,
  cost,
}: HostedTotals) {
  const parts = [
    pluralize(requests, "request"),
    ...(retries > 0 ? [`${retries} retried`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
    `${formatCompact(input)} prompt tokens (${formatCompact(cached)} from the provider's cache)`,
    `${formatCompact(output)} answer tokens`,
    ...(cost !== undefined ? [`cost ${Number(cost.toPrecision(4))}`] : []),
  ];
  return parts.join(" · ");
}

/** Returns the title of a result, such as `solution on dev`, followed by the dials that differ from their defaults. */
function formatTitle(policy: string, split: Split, dials: Partial<Dials> | undefined): string {
  const settings = Object.entries(dials ?? {}).map(([name, value]) => `${name} ${value}`);
  return [`${policy} on ${split}`, ...settings].join(", ");
}

function formatScore(score: Score, heading: string, paint: Paint): string {
  const dim = (text: string) => paint("dim", text);
  const scores = scoreTable(score);
  const [[name = "", tasks = "", tgc = "", sgc = ""] = [], ...difficultyRows] = scores.rows;
  const totalRow = [paint("bold", name), tasks, paint("bold", tgc), paint("bold", sgc)];
  const behaviour = behaviourTable(score);
  const isMeasured = Object.values(score.behaviour).some((value) => value !== 0);
  return [
    "",
    `  ${paint("bold", heading)}  ${dim(describeScore(score))}`,
    "",
    renderTable(scores.columns, [totalRow, ...difficultyRows], dim),
    "",
    ...(isMeasured ? [renderTable(behaviour.columns, behaviour.rows, dim), ""] : []),
  ].join("\n");
}

function printExampleRollouts(rollouts: readonly Rollout[], count: number, channel: Channel): void {
  const view = { width: Math.min(channel.columns, 100) - 4, paint: channel.paint };
  const failedFirst = [...rollouts].sort((a, b) => Number(isPassed(a)) - Number(isPassed(b)));
  for (const rollout of failedFirst.slice(0, count)) {
    const lines = [
      channel.paint("dim", rollout.task.id),
      ...instructionLines(rollout, view),
      "",
      ...rolloutLines(rollout, view),
      "",
    ];
    channel.writeLine(lines.map((line) => `  ${line}`.trimEnd()).join("\n"));
  }
}
