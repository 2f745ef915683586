/**
 * The whole configuration as one strict tree: sections of fields, each with a default, bounds and a description.
 *
 * Everything derives from it: the type, `--help`, the checks of a recipe or a flag, `run.json`. The defaults are the
 * paper's where the paper states a number (arXiv 2502.01600, sections 4.2 and 5.2, appendix D); a recipe states what it
 * changes. A field that nothing reads does not belong here.
 */
import { z } from "zod";
import { dialsSchema } from "../spec/index.ts";
import { budget } from "./config-budget.ts";
import {
  buffer,
  credit,
  filter,
  imitation,
  rewards,
  schedule,
  tasks,
} from "./config-mechanisms.ts";
import { memory, participants, shapes } from "./config-shapes.ts";

const integer = (low: number, high: number) => z.number().int().min(low).max(high);
const number = (low: number, high: number) => z.number().min(low).max(high);
const share = () => number(0, 1);

const run = z.strictObject({
  seed: integer(0, 2 ** 32 - 1)
    .default(1)
    .describe("Seed of the run: weights, demonstrations, task order, sampling"),
  minutes: number(0.01, 100_000)
    .nullable()
    .default(null)
    .describe(
      "Ceiling on wall time, checked between iterations and recorded when it ended the run; null: none",
    ),
});

const world = z.strictObject({
  name: z
    .string()
    .min(1)
    .default("everyday/starter")
    .describe("A built-in world, or the path of a world module"),
  seed: integer(0, 2 ** 32 - 1)
    .default(1)
    .describe("Seed of the world: population and tasks"),
  trainScenarios: integer(1, 1_000_000)
    .default(400)
    .describe("Scenarios (three tasks each) to train on"),
  workers: integer(1, 256).default(2).describe("Threads that run episodes"),
  episodes: integer(1, 100_000).default(256).describe("Episodes that are live at once"),
  dials: dialsSchema.prefault({}),
});

const model = z.strictObject({
  hiddenSize: integer(8, 8192).default(128).describe("Width of the residual stream"),
  layers: integer(1, 128).default(4).describe("Decoder blocks"),
  heads: integer(1, 128).default(4).describe("Query heads"),
  kvHeads: integer(1, 128).default(2).describe("Key and value heads; divides `heads`"),
  headSize: integer(2, 256).default(32).describe("Width of a head; even"),
  intermediateSize: integer(8, 65_536).default(352).describe("Width of the SwiGLU layer"),
  contextLength: integer(16, 131_072).default(32_768).describe("Longest row in tokens"),
  ropeTheta: number(10, 1e8).default(10_000).describe("Base of the rotary position frequencies"),
  rmsNormEpsilon: number(1e-12, 1e-2).default(1e-6).describe("Added to the mean square in RMSNorm"),
  tieEmbeddings: z.boolean().default(true).describe("The output head is the embedding table"),
  qkNorm: z.boolean().default(false).describe("RMSNorm on queries and keys (as Qwen3)"),
  qkvBias: z.boolean().default(true).describe("Biases on queries, keys and values (as Qwen2)"),
});

const tokenizer = z.strictObject({
  vocabularySize: integer(260, 65_536)
    .default(512)
    .describe("Upper bound on tokens, the four special ones included"),
  minimumCount: integer(2, 1_000_000)
    .default(100)
    .describe(
      "A merge must occur this often in the text of the demonstrations, so that no token is rare",
    ),
});

const warm = z.strictObject({
  demonstrations: integer(0, 10_000_000)
    .default(0)
    .describe("Solution programs to imitate before reinforcement; 0: no warm start"),
  hastyShare: share()
    .default(0.6)
    .describe("Share of demonstrations by the hasty solver, whose habits LOOP unlearns"),
  epochs: integer(1, 1000).default(1).describe("Passes over the demonstrations"),
  rows: integer(1, 4096).default(32).describe("Demonstrations in an optimizer step"),
  learningRate: number(0, 1).default(2e-3).describe("Peak learning rate of imitation"),
  rampShare: share()
    .default(0.05)
    .describe("Share of the steps over which the rate rises from zero"),
  finalRate: share()
    .default(0.1)
    .describe("The rate falls along a cosine to this share of its peak"),
  checkpointEvery: integer(1, 1_000_000)
    .default(100)
    .describe("Steps between checkpoints of the warm start"),
});

const algo = z.strictObject({
  collect: z
    .enum(["groups", "tree", "solutions"])
    .default("groups")
    .describe(
      "K rollouts of each task; a search tree of K rollouts of each task; the tasks' own solutions",
    ),
  learner: z
    .enum(["surrogate", "imitation", "preference"])
    .default("surrogate")
    .describe(
      "The clipped objective of LOOP; cross-entropy on passed rollouts; preference pairs of rollouts or turns",
    ),
  groupSize: integer(2, 1024).default(6).describe("K: rollouts of one task in an iteration"),
  tasksPerIteration: integer(1, 100_000).default(40).describe("Tasks drawn for an iteration"),
  iterations: integer(0, 1_000_000).default(200).describe("Iterations of LOOP"),
  epochs: integer(1, 100).default(2).describe("Passes over the rollouts of an iteration"),
  minibatch: integer(0, 100_000)
    .default(32)
    .describe("Rollouts (or pairs) in an optimizer step; 0: all of an iteration, in one step"),
  clip: number(0, 10).default(0.1).describe("Epsilon of the clipped objective"),
  lowerClip: z
    .enum(["paper", "code"])
    .default("paper")
    .describe(
      "Lower bound of the ratio: 1 - clip in the paper, 1 / (1 + clip) in its released code",
    ),
  upperClip: number(0, 10)
    .nullable()
    .default(null)
    .describe("Epsilon of the clip where the advantage is positive; null: algo.clip"),
  keptShare: number(1e-4, 1)
    .nullable()
    .default(null)
    .describe(
      "Share of a minibatch's tokens, those of highest entropy, that keep a gradient above the clip; null: none",
    ),
  samplerCap: number(1e-3, 1000)
    .nullable()
    .default(null)
    .describe(
      "Tokens are weighted by the learner's probability over the sampler's, at most this; null: not at all",
    ),
  ratio: z
    .enum(["token", "turn", "trajectory", "trajectory-mean", "none"])
    .default("token")
    .describe(
      "Span over which the importance ratio is taken; trajectory-mean: geometric mean; none: no ratio, no clip",
    ),
  aggregate: z
    .enum(["row-mean", "token-mean", "row-sum"])
    .default("row-mean")
    .describe(
      "A rollout counts by the mean over its own tokens (paper); tokens of a minibatch pooled; by the sum of its tokens",
    ),
  klCoefficient: number(0, 100)
    .default(0)
    .describe("Weight of the KL term that holds the policy to the warm-started one; 0: none"),
  klEstimator: z
    .enum(["k2", "k3"])
    .default("k3")
    .describe("Estimator of that KL term: squared log-ratio / 2, or r - 1 - log r"),
  klTurns: integer(1, 1000)
    .nullable()
    .default(null)
    .describe("Only this many first turns of a rollout are held by the KL term; null: all"),
  entropyCoefficient: number(0, 100).default(0).describe("Weight of the entropy bonus; 0: none"),
  entropyBandCoefficient: number(0, 100)
    .default(0)
    .describe("Weight of the distance of entropies to a band around their past mean; 0: none"),
  entropyBandLow: number(0, 100).default(0).describe("Lower end of that band, times the mean"),
  entropyBandHigh: number(0, 100).default(2).describe("Upper end of that band, times the mean"),
  reward: z
    .enum(["fraction", "strict", "progress"])
    .default("fraction")
    .describe("Share of checks passed; all or nothing; progress checks gated by the guards"),
  unfinished: z
    .enum(["fail", "score"])
    .default("fail")
    .describe(
      "An episode that the agent did not finish earns nothing (paper), or what its state earns (code)",
    ),
  baseline: z
    .enum(["leave-one-out", "mean", "running", "none", "value"])
    .default("leave-one-out")
    .describe(
      "What is subtracted from a return; running: an average of past ones; value: a learned value of every token (section critic)",
    ),
  scale: z
    .enum(["none", "group", "batch"])
    .default("none")
    .describe(
      "What a rollout's advantage is divided by: nothing (paper), the standard deviation of its group, or of the iteration",
    ),
  advantageThreshold: number(0, 10)
    .default(0.01)
    .describe("Rollouts with a smaller |advantage| are not learned from"),
  stragglers: z
    .boolean()
    .default(true)
    .describe("Stop collecting once enough rollouts of every task are in"),
  stragglerShare: share()
    .default(0.9)
    .describe("Share of all rollouts that must be in before collecting stops"),
  stragglerGroupShare: share()
    .default(0.75)
    .describe("Share of each group that must be in; rounds half to even"),
  temperature: number(0.05, 10).default(1).describe("Sampling temperature in training"),
  staleness: integer(0, 16)
    .default(0)
    .describe(
      "Policy versions that rollouts may lag behind the learner; 0: none, as in the paper. Above: iterations are collected ahead while earlier ones are learned from, each by one version throughout, and the sampler's log-probs are the old ones. Equal runs stay equal; after a crash lost rollouts are sampled by the newest version",
    ),
  lowestTemperature: number(0.05, 10)
    .nullable()
    .default(null)
    .describe(
      "Rollouts of a group are sampled at even steps from this temperature to algo.temperature; null: all at the latter",
    ),
  maxTrajectoryKl: number(0, 1e6)
    .default(20)
    .describe("An iteration ends when the estimated trajectory KL passes this (nats)"),
  taskSampling: z
    .enum(["uniform", "mixed-outcomes", "near-half", "variance"])
    .default("uniform")
    .describe(
      "Draw tasks uniformly (paper), rather from signatures whose recent groups both failed and succeeded, rather tasks passed half of the time, or whose returns vary",
    ),
});

const preference = z.strictObject({
  loss: z
    .enum(["logistic", "squared"])
    .default("logistic")
    .describe(
      "Pairs are told apart (DPO), or differences of log-ratios are fitted to differences of returns",
    ),
  eta: number(1e-3, 1000)
    .default(1)
    .describe("Of the squared loss: nats of log-ratio that a return of 1 is worth"),
  segmentTurns: integer(1, 1000)
    .nullable()
    .default(null)
    .describe(
      "Only this many turns of two rollouts are compared, from the first that differs; null: all, discounted",
    ),
  beta: number(1e-6, 100)
    .default(0.1)
    .describe("Strength of the hold on the reference: log-ratios are multiplied by it"),
  minimumGap: number(0, 1)
    .default(0.5)
    .describe(
      "Two rollouts of a task, or two turns of a tree, are a pair when returns differ more",
    ),
  discount: number(0.01, 1)
    .default(0.95)
    .describe("Weight of a turn's log-ratio relative to the turn before, of whole-rollout pairs"),
  buffer: integer(0, 1_000_000)
    .default(0)
    .describe("Pairs kept from earlier iterations and learned from again; 0: none"),
});

const tree = z.strictObject({
  exploration: number(0, 100)
    .default(1)
    .describe("Weight of a node's uncertainty against its mean return when a branch is chosen"),
});

const critic = z.strictObject({
  learningRate: number(0, 1).default(1e-3).describe("Learning rate of the value head"),
  warmIterations: integer(0, 1_000_000)
    .default(10)
    .describe("Iterations that only fit the value head, before the policy learns"),
  discount: share().default(1).describe("Gamma: weight of what comes a token later"),
  lambda: share().default(1).describe("Lambda of generalised advantage estimation"),
  adaptiveLambda: number(0, 100)
    .default(0)
    .describe("Above 0: lambda is 1 - 1 / (this x the rollout's steps), so it grows with length"),
  unit: z
    .enum(["token", "turn"])
    .default("token")
    .describe(
      "A step of the estimation: an action token, or a turn, valued before its first token",
    ),
  whiten: z
    .boolean()
    .default(false)
    .describe("Advantages of an iteration's tokens are brought to mean 0 and standard deviation 1"),
  valueClip: number(1e-3, 100)
    .nullable()
    .default(null)
    .describe("A value may not gain by moving further than this in an iteration; null: no bound"),
  weightDecay: number(0, 10).default(0.1).describe("AdamW: decay of the value head at first"),
  finalWeightDecay: number(0, 10)
    .default(0.001)
    .describe("It moves linearly to this in the last iteration"),
});

const optimizer = z.strictObject({
  learningRate: number(0, 1).default(5e-5).describe("Learning rate of LOOP in the first iteration"),
  finalRate: share()
    .default(1)
    .describe(
      "The rate moves linearly to this share of itself in the last iteration; 1: constant (paper)",
    ),
  beta1: number(0, 0.9999).default(0.9).describe("AdamW: decay of the first moment"),
  beta2: number(0, 0.999999).default(0.999).describe("AdamW: decay of the second moment"),
  epsilon: number(1e-16, 1).default(1e-8).describe("AdamW: added to the denominator"),
  weightDecay: number(0, 1).default(0.01).describe("AdamW: decoupled weight decay"),
  maxGradientNorm: number(1e-6, 1e9)
    .default(1)
    .describe("The global gradient norm is clipped to this"),
});

const scaffold = z.strictObject({
  name: z
    .enum(["compact", "react"])
    .default("compact")
    .describe(
      "How the agent is talked to: bare code between markers, for small models; or the paper's ReAct prompt in the model's own chat template, for instruction-tuned ones (engine.model)",
    ),
  thinking: z
    .boolean()
    .default(false)
    .describe("react: a model that can think before it answers (Qwen3) does"),
  maxTurns: integer(1, 1000).default(40).describe("Turns of an episode in training"),
  evaluationTurns: integer(1, 1000).default(50).describe("Turns of an episode in evaluation"),
  maxTurnTokens: integer(1, 131_072)
    .default(1500)
    .describe("Tokens that the agent may sample in a turn"),
  maxTokens: integer(16, 131_072)
    .default(32_000)
    .describe("Tokens of a whole row: prompt, turns and observations"),
  maxObservationCharacters: integer(16, 10_000_000)
    .default(9000)
    .describe("compact: characters of an observation that the agent sees"),
  maxObservationLines: integer(1, 1_000_000)
    .default(1000)
    .describe("compact: lines of an observation that the agent sees"),
  maxObservationTokens: integer(16, 131_072)
    .default(3000)
    .describe("react: tokens of an observation that the agent sees"),
});

const evaluation = z.strictObject({
  scenarios: integer(1, 100_000)
    .default(60)
    .describe("Scenarios (three tasks each) scored in each split, before and after"),
  every: integer(0, 1_000_000)
    .default(10)
    .describe("Iterations between greedy evaluations on dev; 0: none"),
  everyScenarios: integer(1, 100_000).default(20).describe("Scenarios of those evaluations"),
  sampled: z.boolean().default(true).describe("Also score at temperature 1, before and after"),
});

const lora = z.strictObject({
  rank: integer(0, 4096)
    .default(0)
    .describe("LoRA: rank of the updates that are trained on frozen weights; 0: all weights train"),
  alpha: number(1e-3, 1e6).default(16).describe("LoRA: updates are scaled by alpha / rank"),
  targetModules: z
    .string()
    .default("all-linear")
    .describe(
      "LoRA: projections that get updates, as in PEFT: all-linear, or some of q_proj,k_proj,v_proj,o_proj,gate_proj,up_proj,down_proj",
    ),
});

const engine = z.strictObject({
  name: z
    .enum(["onnx", "tinker"])
    .default("onnx")
    .describe("Where the weights live: in this process, or on a server of the Tinker protocol"),
  url: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      "tinker: where the server is, such as http://127.0.0.1:8000; the key goes into TINKER_API_KEY",
    ),
  baseModel: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      "tinker: the model that is trained, as the server names it; null: the only one there",
    ),
  dialect: z
    .enum(["auto", "json", "proto"])
    .default("auto")
    .describe("tinker: encoding of gradient passes; auto: what the server takes"),
  model: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      "Folder of a Hugging Face model (Qwen2, Qwen3, Llama) to start from (tinker: of its tokenizer); null: random weights in the shape of section model",
    ),
  threads: integer(1, 256)
    .default(2)
    .describe("Threads of the engine; another number gives other roundings"),
  provider: z
    .enum(["cpu", "cuda", "webgpu", "coreml"])
    .default("cpu")
    .describe("Where operations run; refused at start where the runtime does not offer it"),
  lora: lora.prefault({}),
});

/** Sections of fields. Parsing `{}` gives the defaults. */
export const configSchema = z.strictObject({
  recipe: z.string().default("loop").describe("The named configuration that this one started from"),
  run: run.prefault({}),
  world: world.prefault({}),
  model: model.prefault({}),
  tokenizer: tokenizer.prefault({}),
  warm: warm.prefault({}),
  algo: algo.prefault({}),
  preference: preference.prefault({}),
  tree: tree.prefault({}),
  critic: critic.prefault({}),
  shapes: shapes.prefault({}),
  participants: participants.prefault({}),
  memory: memory.prefault({}),
  rewards: rewards.prefault({}),
  credit: credit.prefault({}),
  filter: filter.prefault({}),
  buffer: buffer.prefault({}),
  tasks: tasks.prefault({}),
  schedule: schedule.prefault({}),
  imitation: imitation.prefault({}),
  optimizer: optimizer.prefault({}),
  scaffold: scaffold.prefault({}),
  budget: budget.prefault({}),
  evaluation: evaluation.prefault({}),
  engine: engine.prefault({}),
});

export type Config = z.output<typeof configSchema>;

/** A recipe names what it changes, section by section. */
export type ConfigPatch = {
  readonly [S in Exclude<keyof Config, "recipe">]?: Partial<Config[S]>;
};

/** Every field by its path, `algo.groupSize`. A list, or the course of a number, is one field: its JSON. */
export function configLeaves(config: Config): Map<string, unknown> {
  return leaves(config, STANDARD, "");
}

const STANDARD = configSchema.parse({});

/** Sections are what is an object by default too; any other object is a value. */
function leaves(value: unknown, standard: unknown, prefix: string): Map<string, unknown> {
  if (!isSection(standard) || !isSection(value)) {
    const isPlain = typeof value !== "object" || value === null;
    return new Map([[prefix, isPlain ? value : JSON.stringify(value)]]);
  }
  return new Map(
    Object.entries(value).flatMap(([name, child]) => [
      ...leaves(child, standard[name], prefix === "" ? name : `${prefix}.${name}`),
    ]),
  );
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
