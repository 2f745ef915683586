/** The options of `evaluate()`: which policy to evaluate, in which world, on which tasks. */
import {
  BowlineError,
  formatValue,
  requireKnownFields,
  requireNonEmptyText,
  requireOneOf,
} from "../../core/index.ts";
import { type Dials, SPLITS, type Split } from "../../spec/index.ts";
import type { MakeScaffold } from "../parts/agent.ts";
import type { OwnAgent } from "../parts/own-agent.ts";
import type { OwnParts } from "../parts/own-parts.ts";
import { recognisePolicy } from "../policy/recognise-policy.ts";
import type { OnEvent } from "../run/events.ts";
import { createHostedModel, type HostedOptions, isHosted } from "./hosted/hosted-options.ts";
import type { LanguageModelLike } from "./hosted/language-model.ts";

/** Limits with which a policy is evaluated instead of those of its training. */
export interface EvaluationLimits {
  /** The number of turns of an episode. */
  readonly evaluationTurns?: number;
  /** The number of tokens that the agent may sample in a turn. */
  readonly maxTurnTokens?: number;
  /** The number of tokens of a conversation: prompt, turns and observations. */
  readonly maxTokens?: number;
}

const LIMIT_NAMES = ["evaluationTurns", "maxTurnTokens", "maxTokens"] as const;

/** The options of `evaluate()`. */
export interface EvaluateOptions extends Pick<OwnParts, "engine" | "method"> {
  /**
   * A run directory, a checkpoint, a Hugging Face folder, a PEFT folder or a GGUF file; `solution`, `noop`, `random` or
   * `nearest`; `hosted:<model>` for a model on a server, or a language model object of the AI SDK.
   */
  readonly policy: string | LanguageModelLike;
  /** The folder or GGUF file of an adapter's base. The default is what the adapter names, if it is on this machine. */
  readonly base?: string | undefined;
  /** Options of a hosted model: its address, what it may cost, and the folder for finished rollouts. */
  readonly hosted?: HostedOptions;
  /**
   * The world in which the policy is evaluated. The default is the world of the checkpoint's training, or else
   * `everyday/starter`.
   */
  readonly world?: string;
  /** Dials of the world. A dial that is not given is as in the checkpoint's run, or off. */
  readonly dials?: Partial<Dials>;
  readonly split: Split;
  /**
   * The number of scenarios, three tasks each. The default for a run in the world of its training is the number that
   * the run scored, for other policies the number that the world lists.
   */
  readonly scenarios?: number;
  /** The seed of world and sampling. The default is the seed of the checkpoint's run. */
  readonly seed?: number;
  /** The sampling temperature; 0 is greedy. The default is 0, or that of a model's `generation_config.json`. */
  readonly temperature?: number;
  /**
   * A scaffold's name, a module's path, or a function. The default is the scaffold of training, or one that suits the
   * model.
   */
  readonly scaffold?: MakeScaffold | string;
  /** Limits of the episodes. A limit that is not given is the one of the policy's training. */
  readonly limits?: EvaluationLimits;
  /** A user's own agent, which plays its own tasks instead of the scaffold. `evaluateAgent` makes one. */
  readonly agent?: OwnAgent;
  readonly onEvent?: OnEvent;
  readonly signal?: AbortSignal;
}

const OPTION_NAMES = [
  "policy",
  "base",
  "world",
  "dials",
  "split",
  "scenarios",
  "seed",
  "temperature",
  "onEvent",
  "signal",
  "engine",
  "method",
  "scaffold",
  "limits",
  "hosted",
  "agent",
] as const satisfies (keyof EvaluateOptions)[];

/** Throws a `config` error when an option is wrong. The world checks its own options itself. */
export function requireEvaluateOptions(options: EvaluateOptions): void {
  requireKnownFields("the options of evaluate()", options, OPTION_NAMES);
  const { policy } = options;
  if (isHosted(policy)) createHostedModel(policy, options.hosted ?? {});
  else {
    recognisePolicy(policy);
    requireNoHostedOptions(policy, options.hosted);
  }
  requireOneOf("split", options.split, SPLITS);
  requireLimits(options);
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

function requireLimits({ policy, limits = {} }: EvaluateOptions): void {
  requireKnownFields("limits", limits, LIMIT_NAMES);
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new BowlineError(
      "config",
      `limits.${name}: expected an integer of at least 1, got ${formatValue(value)}`,
    );
  }
  if (policy !== "solution" || Object.keys(limits).length === 0) return;
  throw new BowlineError(
    "config",
    "limits: solutions are run as they are written, so limits on turns and tokens would change nothing; leave them out",
  );
}

function requireNoHostedOptions(policy: string, hosted: HostedOptions | undefined): void {
  const [name] = Object.keys(hosted ?? {});
  if (name === undefined) return;
  throw new BowlineError(
    "config",
    `hosted.${name}: ${policy} is not a hosted model; expected hosted:<model>, or a language model object`,
  );
}
