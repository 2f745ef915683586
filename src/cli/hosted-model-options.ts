/** Options of a model that runs elsewhere. Its key comes from the environment: a command line can be read by others. */
import type { Command } from "commander";
import { BowlineError } from "../core/index.ts";
import type { HostedOptions } from "../train/index.ts";
import { integerParser, numberParser } from "./shared-options.ts";

/** As commander hands them over. */
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

export function addHostedModelOptions(command: Command): void {
  command
    .optionsGroup("A hosted model:")
    .option("--base-url <url>", "of its OpenAI-compatible server, such as http://127.0.0.1:8080/v1")
    .option(
      "--key-from <variable>",
      `environment variable that holds the key (default: ${DEFAULT_KEY_VARIABLE}, if set)`,
    )
    .option("--concurrency <count>", "rollouts at once (default: 8)", integerParser(1, 1000))
    .option("--requests-per-minute <count>", "at most", numberParser(0))
    .option("--max-turns <count>", "of its answers to a task", integerParser(1, 1000))
    .option(
      "--attempts <count>",
      "at one answer, the first included (default: 6)",
      integerParser(1, 100),
    )
    .option("--price-in <price>", "of a million tokens of prompts", numberParser(0))
    .option(
      "--price-cached <price>",
      "of those that the provider has in its cache",
      numberParser(0),
    )
    .option("--price-out <price>", "of a million tokens of answers", numberParser(0))
    .option("--ceiling <money>", "stops when so much is spent; more lets it go on", numberParser(0))
    .option("--out <folder>", "keeps what is finished: the same command goes on there");
}

/** The flags as the library takes them, and the others. */
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

function readApiKey(name: string | undefined, isAsked: boolean): string | undefined {
  const key = process.env[name ?? DEFAULT_KEY_VARIABLE];
  if (name === undefined) return isAsked ? key : undefined;
  if (key) return key;
  throw new BowlineError("config", `--key-from: the environment variable ${name} is not set`);
}

function readPrices(priceIn?: number, priceCached?: number, priceOut?: number) {
  if (priceIn === undefined && priceCached === undefined && priceOut === undefined) return {};
  if (priceIn !== undefined && priceOut !== undefined) {
    const cached = priceCached !== undefined && { cached: priceCached };
    return { prices: { input: priceIn, output: priceOut, ...cached } };
  }
  throw new BowlineError("config", "--price-in and --price-out: give both, or neither");
}
