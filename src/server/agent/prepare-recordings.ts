/** Prepares the recordings of `trainAgent`: the method that learns from them, and the warm start of a new model. */
import { BowlineError } from "../../core/index.ts";
import { type Method, recordedMethod } from "../../methods/index.ts";
import { type ChatRecording, readRecordings } from "./chat-recordings.ts";
import type { RecordingsOptions } from "./options.ts";
import { type RatedRecordings, rateRecordings } from "./recorded-rollouts.ts";

export interface PreparedRecordings {
  readonly method: Method;
  readonly recordings: RatedRecordings;
  /** What the customers or users said first in each task, as tasks when no others are given. */
  readonly instructions: readonly { readonly id: string; readonly instruction: string }[];
  /** The warm start when none is given; undefined for a model that was trained before. */
  readonly warmStart: { readonly conversations: readonly ChatRecording[] } | undefined;
}

/** The options of `trainAgent` that concern recordings. */
type RecordingChoices = Partial<
  Pick<RecordingsOptions, "recordings" | "method" | "passAt" | "onEvent" | "engine" | "overrides">
>;

/** The method that learns from recordings when none is named: it imitates the good ones. */
const DEFAULT_METHOD = "rft";

/**
 * Reads the recordings and chooses those from which the method can learn. Returns undefined when there are none. Throws
 * a `config` error for a wrong conversation, or when there is nothing to learn.
 */
export function prepareRecordings(options: RecordingChoices): PreparedRecordings | undefined {
  const { recordings: list, method: named = DEFAULT_METHOD, passAt = 1, onEvent } = options;
  if (list === undefined) return undefined;
  if (typeof named !== "string") {
    throw new BowlineError(
      "config",
      "method: expected the name of a method for recordings, dmpo, rft or ei, got a method of your own",
    );
  }
  const onNote = (text: string) => onEvent?.({ type: "note", text });
  // The method is looked up first, so that a wrong name is reported before anything is read.
  const method = recordedMethod(named, () => recordings.rollouts());
  const conversations = readRecordings(list, onNote, "recordings");
  const recordings = rateRecordings(conversations, { method: named, passAt, onNote });
  return {
    method,
    recordings,
    instructions: recordings.tasks.map(({ scenario, instruction }) => ({
      id: scenario,
      instruction,
    })),
    warmStart: isTrainedModel(options) ? undefined : { conversations: list },
  };
}

/** Returns true if training starts from a model that was trained before. */
function isTrainedModel({ engine, overrides = {} }: RecordingChoices): boolean {
  const names = ["engine.model", "engine.baseModel", "warm.policy"] as const;
  return engine !== undefined || names.some((name) => overrides[name] != null);
}
