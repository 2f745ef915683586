/** `bowline plan` computes what a run needs before it is started, and says how it computed each number. */
import type { Command } from "commander";
import {
  type MeasuredCost,
  type PlanLine,
  PUBLISHED_PRICES,
  type PublishedPrices,
  planRunCosts,
  type RunPlan,
  type RunSizes,
} from "../../bench/index.ts";
import { BowlineError, didYouMean, groupBy, toVisibleJson } from "../../core/index.ts";
import { type Config, configLeaves, resolveConfig } from "../../train/index.ts";
import type { CommandContext } from "../command-context.ts";
import { wrapText } from "../render/text.ts";
import { integerParser, jsonOption, numberParser } from "../shared-options.ts";
import type { Channel } from "../terminal.ts";

interface PlanFlags {
  readonly setting: string;
  readonly rollouts?: number;
  readonly atOnce?: number;
  readonly iterations?: number;
  readonly turns?: number;
  readonly context?: number;
  readonly prompt: number;
  readonly sampled: number;
  readonly latency: number;
  readonly kept: number;
  readonly priceModel?: string;
  readonly pricePrefill?: number;
  readonly priceCached?: number;
  readonly priceSample?: number;
  readonly priceTrain?: number;
  readonly priceSource?: string;
  readonly json?: boolean;
}

/** Numbers that nobody measured, which a person may know better. */
const ASSUMED = { prompt: 2400, sampled: 150, latency: 5, kept: 1 } as const;

export function definePlanCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Compute what a run needs before it is started: tokens, requests a second, controller cores, world memory, network, storage, and money at stated prices. Every number says how it was computed. Nothing is started, and no server is asked.",
    )
    .option("--setting <setting>", "setting or recipe whose sizes are planned", "qwen3-32b")
    .option("--rollouts <n>", "rollouts of an iteration (default: the setting's)", integerParser(1))
    .option("--at-once <n>", "rollouts at the same time (default: all)", integerParser(1))
    .option("--iterations <n>", "iterations (default: the setting's)", integerParser(1))
    .option("--turns <n>", "turns of a rollout (default: the setting's limit)", integerParser(1))
    .option(
      "--context <tokens>",
      "tokens of a row (default: the setting's limit)",
      integerParser(1),
    )
    .option(
      "--prompt <tokens>",
      "tokens of the prompt (default: about those of react)",
      integerParser(1),
      ASSUMED.prompt,
    )
    .option("--sampled <tokens>", "tokens that a turn samples", numberParser(1), ASSUMED.sampled)
    .option("--latency <seconds>", "time that a sample takes", numberParser(0.001), ASSUMED.latency)
    .option("--kept <share>", "share of rollouts that is trained on", numberParser(0), ASSUMED.kept)
    .option(
      "--price-model <name>",
      "model whose published prices are used (default: the setting's)",
    )
    .option("--price-prefill <price>", "price of a million tokens that are read", numberParser(0))
    .option(
      "--price-cached <price>",
      "price of a million tokens that are read again (default: as prefill)",
      numberParser(0),
    )
    .option("--price-sample <price>", "price of a million sampled tokens", numberParser(0))
    .option("--price-train <price>", "price of a million trained tokens", numberParser(0))
    .option("--price-source <text>", "where and when these prices were published")
    .addOption(jsonOption())
    .addHelpText("after", EXAMPLES)
    .action(async (flags: PlanFlags) => printPlan(flags, context));
}

const EXAMPLES = `
Examples:
  bowline plan --setting qwen3-32b
  bowline plan --setting qwen3-32b --rollouts 10000 --latency 10 --json
  bowline plan --setting qwen3-8b --price-prefill 0.2 --price-sample 0.6 --price-train 0.5 \\
    --price-source "our contract, May 2026"`;

function printPlan(flags: PlanFlags, { terminal: { out }, fields }: CommandContext): void {
  const config = resolveConfig({ recipe: flags.setting, overrides: fields });
  const plan = planRunCosts(readSizes(flags, config), findPrices(flags, config));
  if (flags.json) out.writeLine(toVisibleJson({ setting: config.setting, ...plan }, 2));
  else out.writeLine(formatPlan(plan, config, out));
}

/** Takes the sizes from the options, and what they leave out from the setting. */
function readSizes(flags: PlanFlags, config: Config): RunSizes {
  const leaves = configLeaves(config);
  const field = (path: string) => Number(leaves.get(path) ?? 1);
  const rollouts = flags.rollouts ?? field("algo.tasksPerIteration") * field("algo.groupSize");
  return {
    rollouts,
    atOnce: flags.atOnce ?? rollouts,
    iterations: flags.iterations ?? Math.max(1, field("algo.iterations")),
    turns: flags.turns ?? config.scaffold.maxTurns,
    contextTokens: flags.context ?? config.scaffold.maxTokens,
    promptTokens: flags.prompt,
    sampledTokensPerTurn: flags.sampled,
    latencySeconds: flags.latency,
    epochs: field("algo.epochs"),
    keptShare: flags.kept,
    evaluatesRows: (leaves.get("algo.staleness") ?? 0) === 0,
  };
}

/** Returns the prices of the options, else those that were published for the model; null when none are known. */
function findPrices(flags: PlanFlags, config: Config): PublishedPrices | null {
  const { pricePrefill, priceCached, priceSample, priceTrain, priceSource, priceModel } = flags;
  const given = [pricePrefill, priceSample, priceTrain];
  if ([...given, priceCached, priceSource].every((value) => value === undefined)) {
    return findPublishedPrices(priceModel, config);
  }
  if (given.some((value) => value === undefined) || priceSource === undefined || priceModel) {
    const expected = "--price-prefill, --price-sample, --price-train and --price-source together";
    throw new BowlineError(
      "config",
      `prices: expected ${expected}, without --price-model; --price-cached may be left out`,
    );
  }
  return {
    ...{ prefillPrice: pricePrefill!, cachedPrice: priceCached ?? null },
    ...{ samplePrice: priceSample!, trainPrice: priceTrain! },
    ...{ currency: "money", source: priceSource },
  };
}

function findPublishedPrices(
  model: string | undefined,
  { engine }: Config,
): PublishedPrices | null {
  if (model !== undefined && !Object.hasOwn(PUBLISHED_PRICES, model)) {
    const known = Object.keys(PUBLISHED_PRICES);
    throw new BowlineError(
      "config",
      `--price-model: expected ${known.join(", ")}, got ${JSON.stringify(model)}${didYouMean(model, known)}`,
    );
  }
  const name = model ?? ("baseModel" in engine ? engine.baseModel : null);
  return (name !== null && PUBLISHED_PRICES[name]) || null;
}

function formatPlan(plan: RunPlan, config: Config, { paint, columns }: Channel): string {
  const { sizes, prices, lines, costs } = plan;
  const width = Math.min(columns, 110);
  const assumed = `a prompt of ${sizes.promptTokens} tokens, ${sizes.sampledTokensPerTurn} sampled tokens a turn, ${sizes.latencySeconds} s a sample, ${sizes.keptShare} of the rollouts trained on`;
  const noPrices =
    "no prices are known for this model; give --price-prefill, --price-sample, --price-train and --price-source";
  const note = (text: string) => wrapText(text, width - 2).map((line) => `  ${paint("dim", line)}`);
  return [
    `${paint("bold", `bowline plan  ${config.setting}`)}  ${paint("dim", `${sizes.rollouts} rollouts an iteration, ${sizes.turns} turns, ${sizes.contextTokens} tokens a row`)}`,
    "",
    ...lines.flatMap((line) => formatLine(line, width, paint)),
    "",
    ...note(`Assumed unless you say otherwise: ${assumed}.`),
    ...note(prices === null ? noPrices : `Prices of a million tokens: ${prices.source}.`),
    "",
    ...describeCosts(costs).flatMap(note),
  ].join("\n");
}

/** Lists the measured numbers below the command that measures them. */
function describeCosts(costs: RunPlan["costs"]): string[] {
  const all: readonly MeasuredCost[] = Object.values(costs);
  return [...groupBy(all, ({ command }) => command)].flatMap(([command, group]) => [
    `Measured by ${command}, ${group[0]!.measured}:`,
    ...group.map(({ value, unit, what }) => `· ${value} ${unit}: ${what}`),
  ]);
}

const LABEL_WIDTH = 24;
const VALUE_WIDTH = 30;

function formatLine(line: PlanLine, width: number, paint: Channel["paint"]): string[] {
  const indent = LABEL_WIDTH + VALUE_WIDTH + 2;
  const how = wrapText(line.how, Math.max(width - indent, 30));
  return how.map((text, i) =>
    i === 0
      ? `  ${line.label.padEnd(LABEL_WIDTH)}${formatAmount(line).padEnd(VALUE_WIDTH)}${paint("dim", text)}`
      : `  ${" ".repeat(LABEL_WIDTH + VALUE_WIDTH)}${paint("dim", text)}`,
  );
}

const SCALES = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/** Writes a value with three digits and its unit, such as `12.8 MB a second` or `2.21G tokens an iteration`. */
function formatAmount({ value, unit }: PlanLine): string {
  const digits = (x: number) => x.toLocaleString("en", { maximumSignificantDigits: 3 });
  const isMoney = !/^(tokens|requests|bytes|MB|cores|s)\b/.test(unit);
  const [scale, letter] = SCALES.find(([least]) => value >= least) ?? [1, ""];
  if (isMoney || /^(s|cores|MB)\b/.test(unit)) return `${digits(value)} ${unit}`;
  if (unit.startsWith("bytes")) return `${digits(value / scale)} ${letter}B${unit.slice(5)}`;
  return `${digits(value / scale)}${letter} ${unit}`;
}
