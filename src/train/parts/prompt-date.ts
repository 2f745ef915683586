/**
 * Decides which day chat templates are given as today's. A run records its day once, when it begins, so that resuming
 * it or evaluating its policies on another day changes no prompt.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ChatTemplate } from "../../spec/index.ts";
import { formatDay, type ModelText, withDate } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import { readRunRecord } from "../run/run-record.ts";
import { type ModelSource, publishedModelText } from "./model-source.ts";

/** The day for a policy that no run trained, such as a published model that is evaluated. */
export const DAY_WITHOUT_RUN = "2026-01-01";

/** Returns the chat template of a policy's model, with the day of the configuration. */
export function datedChatTemplate(
  { chatTemplate }: Pick<ModelText, "chatTemplate">,
  { scaffold }: Pick<Config, "scaffold">,
): ChatTemplate {
  return withDate(chatTemplate(), findDate(scaffold) ?? DAY_WITHOUT_RUN);
}

/**
 * Returns the configuration of a run with its day, if the model's chat template asks for the date and nobody set it:
 * the day that `run.json` in the directory records, or else the day of `now`.
 */
export function withRunDate(
  config: Config,
  source: ModelSource,
  directory: string,
  now: Date,
): Config {
  const text = publishedModelText(source);
  const { scaffold } = config;
  const asks =
    "date" in scaffold &&
    scaffold.date === null &&
    text?.hasChatTemplate === true &&
    text.chatTemplate().readsDate === true;
  if (!asks) return config;
  const date = readRecordedDate(directory) ?? formatDay(now);
  return { ...config, scaffold: { ...scaffold, date } };
}

function readRecordedDate(directory: string): string | undefined {
  if (!existsSync(join(directory, "run.json"))) return undefined;
  const { config } = readRunRecord(directory) as { config: Partial<Pick<Config, "scaffold">> };
  return config.scaffold && findDate(config.scaffold);
}

/** Returns the day of a scaffold; undefined when nobody has set it, and for a scaffold without a chat template. */
function findDate(scaffold: Config["scaffold"]): string | undefined {
  return "date" in scaffold ? (scaffold.date ?? undefined) : undefined;
}
