/**
 * The protocol's built-in losses of a token, and their closed-form derivatives with respect to its log-prob.
 *
 * With lp the trainer's log-prob of the target, q the sampler's (`logprobs`), A its advantage, w its weight and
 * r = exp(lp - q):
 *
 *   cross_entropy        -w lp
 *   importance_sampling  -w r A
 *   ppo                  -w min(r A, clip(r, low, high) A)
 *   cispo                -w sg(clip(r, low, high)) lp A          (sg: treated as constant)
 *   dro                  -w (lp A - beta/2 (lp - q)^2)
 *
 * A batch's loss is the sum over tokens and datums. The bound of `ppo` is LOOP's g(A) with a lower and an upper
 * epsilon. Weights are 1 for a datum without `weights`; the protocol defines them for cross_entropy only.
 */
import { clipBound } from "../../algo/index.ts";

export const LOSS_NAMES = ["cross_entropy", "importance_sampling", "ppo", "cispo", "dro"] as const;
export type LossName = (typeof LOSS_NAMES)[number];

/** The tensors of a datum besides its targets. Each has one entry per target token. */
export const LOSS_INPUTS = {
  cross_entropy: ["weights"],
  importance_sampling: ["logprobs", "advantages"],
  ppo: ["logprobs", "advantages"],
  cispo: ["logprobs", "advantages"],
  dro: ["logprobs", "advantages"],
} as const satisfies Record<LossName, readonly (keyof LossTensors)[]>;

/** The parameters of each loss with their defaults. A parameter whose default is undefined is required. */
export const LOSS_CONFIG: Readonly<Record<LossName, Readonly<Record<string, number | undefined>>>> =
  {
    cross_entropy: {},
    importance_sampling: {},
    ppo: { clip_low_threshold: 0.8, clip_high_threshold: 1.2 },
    cispo: { clip_low_threshold: 0, clip_high_threshold: 4 },
    dro: { beta: undefined },
  };

interface LossTensors {
  readonly weights?: ArrayLike<number> | undefined;
  readonly logprobs?: ArrayLike<number> | undefined;
  readonly advantages?: ArrayLike<number> | undefined;
}

export interface LossDatum extends LossTensors {
  /** The model's input x_0 ... x_{N-1}. */
  readonly tokens: ArrayLike<number>;
  /** The target token after each input token. */
  readonly targets: ArrayLike<number>;
}

export interface LossBatch {
  readonly loss: LossName;
  /** The loss's parameters, with defaults filled in. */
  readonly config: Readonly<Record<string, number>>;
  readonly data: readonly LossDatum[];
}

export interface TokenLoss {
  readonly loss: number;
  /** The derivative d(loss)/d(lp). */
  readonly slope: number;
}

/** Returns the loss of the target at index `t`, whose log-prob is `lp`, and its derivative. */
export function computeTokenLoss(
  { loss, config }: Omit<LossBatch, "data">,
  datum: LossDatum,
  t: number,
  lp: number,
): TokenLoss {
  const w = datum.weights?.[t] ?? 1;
  if (loss === "cross_entropy") return { loss: -w * lp, slope: -w };
  const A = datum.advantages?.[t] ?? 0;
  const q = datum.logprobs?.[t] ?? 0;
  if (w === 0 || (A === 0 && loss !== "dro")) return { loss: 0, slope: 0 };
  const ratio = Math.exp(lp - q);
  const [low, high] = [config["clip_low_threshold"]!, config["clip_high_threshold"]!];
  switch (loss) {
    case "importance_sampling":
      return { loss: -w * ratio * A, slope: -w * ratio * A };
    case "ppo": {
      const bound = clipBound(A, { clip: 1 - low, upperClip: high - 1, lowerClip: "paper" });
      if (ratio * A > bound) return { loss: -w * bound, slope: 0 };
      return { loss: -w * ratio * A, slope: -w * ratio * A };
    }
    case "cispo": {
      const held = Math.min(Math.max(ratio, low), high);
      return { loss: -w * held * lp * A, slope: -w * held * A };
    }
    case "dro": {
      const beta = config["beta"]!;
      const gap = lp - q;
      return { loss: -w * (lp * A - (beta / 2) * gap * gap), slope: -w * (A - beta * gap) };
    }
    default:
      return loss satisfies never;
  }
}

/** Returns whether the target's log-prob can change the loss at all. */
export function canChangeLoss(loss: LossName, datum: LossDatum, t: number): boolean {
  if ((datum.weights?.[t] ?? 1) === 0) return false;
  return loss === "cross_entropy" || loss === "dro" || (datum.advantages?.[t] ?? 0) !== 0;
}
