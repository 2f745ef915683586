/**
 * The options for a hosted model. Its key comes from the environment, because other users of the machine can read a
 * command line.
 */
import type { Command } from "commander";
import { BowlineError } from "../core/index.ts";
import type { HostedOptions } from "../train/index.ts";
import { integerParser, numberParser, readKeyVariable } from "./shared-options.ts";

/** The options of a hosted model, as commander parses them. */
export interface HostedModelFlags {
  readonly baseUrl?: string;
  readonly keyFrom?: string;
  readonly concurrency?: number;
  readonly requestsPerMinute?: number;
  readonly maxTurns?: number;
  readonly attempts?: number;
  readonly priceIn?: number;
  readonly priceCached?: number;
  readonly priceOut?: number;
  readonly ceiling?: number;
  readonly out?: string;
}

const DEFAULT_KEY_VARIABLE = "OPENAI_API_KEY";

/** Adds the options of a hosted model to a command, as a group of its help. */
export function addHostedModelOptions(command: Command): void {
  command
    .optionsGroup("A hosted model:")
    .option("--base-url <url>", "OpenAI-compatible server, such as http://127.0.0.1:8080/v1")
    .option(
      "--key-from <variable>",
      `environment variable with the key (default: ${DEFAULT_KEY_VARIABLE}, if set)`,
    )
    .option(
      "--concurrency <count>",
      "number of rollouts that run at the same time (default: 8)",
      integerParser(1, 1000),
    )
    .option("--requests-per-minute <count>", "limit on requests per minute", numberParser(0))
    .option("--max-turns <count>", "limit on the policy's turns per task", integerParser(1, 1000))
    .option(
      "--attempts <count>",
      "number of attempts at one answer (default: 6)",
      integerParser(1, 100),
    )
    .option("--price-in <price>", "price of a million prompt tokens", numberParser(0))
    .option("--price-cached <price>", "price of a million cached prompt tokens", numberParser(0))
    .option("--price-out <price>", "price of a million answer tokens", numberParser(0))
    .option(
      "--ceiling <money>",
      "cost at which the evaluation stops; a higher ceiling continues it",
      numberParser(0),
    )
    .option(
      "--out <folder>",
      "folder for finished rollouts; with it, the same command continues after them",
    );
}

/** Separates the options of a hosted model, in the form that the library takes, from all other options. */
export function separateHostedModelOptions<T extends HostedModelFlags>(flags: T) {
  const {
    baseUrl,
    keyFrom,
    concurrency,
    requestsPerMinute,
    maxTurns,
    attempts,
    priceIn,
    priceCached,
    priceOut,
    ceiling,
    out,
    ...rest
  } = flags;
  const apiKey = readApiKey(keyFrom, baseUrl !== undefined);
  const hosted: HostedOptions = {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiKey !== undefined && { apiKey }),
    ...(concurrency !== undefined && { concurrency }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(attempts !== undefined && { attempts }),
    ...readPrices(priceIn, priceCached, priceOut),
    ...(ceiling !== undefined && { ceiling }),
    ...(out !== undefined && { out }),
  };
  return { hosted, rest };
}

function readApiKey(variable: string | undefined, hasServerUrl: boolean): string | undefined {
  if (variable !== undefined) return readKeyVariable(variable);
  return hasServerUrl ? process.env[DEFAULT_KEY_VARIABLE] : undefined;
}

function readPrices(priceIn?: number, priceCached?: number, priceOut?: number) {
  if (priceIn === undefined && priceCached === undefined && priceOut === undefined) return {};
  if (priceIn !== undefined && priceOut !== undefined) {
    const cached = priceCached !== undefined && { cached: priceCached };
    return { prices: { input: priceIn, output: priceOut, ...cached } };
  }
  throw new BowlineError("config", "--price-in and --price-out: give both, or neither");
}
