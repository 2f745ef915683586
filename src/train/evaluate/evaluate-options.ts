/** What `evaluate()` is told: whom to score, in which world, on which tasks. */
import {
  BowlineError,
  formatValue,
  requireKnownFields,
  requireNonEmptyText,
  requireOneOf,
} from "../../core/index.ts";
import { type Dials, SPLITS, type Split } from "../../spec/index.ts";
import type { MakeScaffold } from "../parts/agent.ts";
import type { OwnParts } from "../parts/own-parts.ts";
import type { OnEvent } from "../run/events.ts";
import { createHostedModel, type HostedOptions, isHosted } from "./hosted/hosted-options.ts";
import type { LanguageModelLike } from "./hosted/language-model.ts";

export interface EvaluateOptions extends Pick<OwnParts, "engine"> {
  /**
   * A checkpoint or run directory, the folder or GGUF file of a model, `solution`, `noop`, `random` or `nearest`;
   * `hosted:<model>` for one that a server answers for, or a language model object of the AI SDK.
   */
  readonly policy: string | LanguageModelLike;
  /** Of a hosted model: its address, what it may cost, and where what is finished is kept. */
  readonly hosted?: HostedOptions;
  /** Default: the world that a checkpoint was trained on; for the others `everyday/starter`. */
  readonly world?: string;
  /** Of the world; those that are not named are as in the checkpoint's run, or off. */
  readonly dials?: Partial<Dials>;
  readonly split: Split;
  /** Three tasks each; default: as many as the world lists. */
  readonly scenarios?: number;
  /** Of the world and of sampling; default: those of the checkpoint's run. */
  readonly seed?: number;
  /** 0 is greedy. Default: 0, or for a model's folder what its `generation_config.json` asks for. */
  readonly temperature?: number;
  /**
   * How the policy is talked to: a name, the path of a module, or a function. Default: as it was trained; a model's
   * folder by what fits it.
   */
  readonly scaffold?: MakeScaffold | string;
  readonly onEvent?: OnEvent;
  readonly signal?: AbortSignal;
}

const OPTION_NAMES = [
  "policy",
  "world",
  "dials",
  "split",
  "scenarios",
  "seed",
  "temperature",
  "onEvent",
  "signal",
  "engine",
  "scaffold",
  "hosted",
] as const satisfies (keyof EvaluateOptions)[];

/** Throws a `config` error for what is wrong and the world does not look at itself. */
export function requireEvaluateOptions(options: EvaluateOptions): void {
  requireKnownFields("the options of evaluate()", options, OPTION_NAMES);
  const { policy } = options;
  if (isHosted(policy)) createHostedModel(policy, options.hosted ?? {});
  else {
    requireNonEmptyText(
      "policy",
      policy,
      "a checkpoint, a run, a model's folder or file, or a yardstick",
    );
    requireNoHostedOptions(policy, options.hosted);
  }
  requireOneOf("split", options.split, SPLITS);
  const { temperature = 0 } = options;
  const { scaffold } = options;
  if (typeof scaffold !== "function" && scaffold !== undefined) {
    requireNonEmptyText("scaffold", scaffold, "a name, the path of a module, or a function");
  }
  if (Number.isFinite(temperature) && temperature >= 0) return;
  throw new BowlineError(
    "config",
    `temperature: expected a number of at least 0, got ${formatValue(temperature)}`,
  );
}

function requireNoHostedOptions(policy: string, hosted: HostedOptions | undefined): void {
  const [name] = Object.keys(hosted ?? {});
  if (name === undefined) return;
  throw new BowlineError(
    "config",
    `hosted.${name}: ${policy} is no hosted model; expected hosted:<model>, or a language model object`,
  );
}
