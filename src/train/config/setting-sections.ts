/**
 * The sections of a setting, which is everything that a run needs besides its method: world, model, scaffold, warm
 * start, budget, evaluation. Each field has a default, bounds and a description, and exists only where something reads
 * it.
 */
import { z } from "zod";
import { choiceOrModulePath, offByDefault, section, withDescription } from "../../core/index.ts";
import { integer, number, optimizer, share } from "../../methods/index.ts";
import { dialsSchema } from "../../spec/index.ts";
import { FITTED_LIMITS } from "./limits.ts";
import { DEFAULT_SCORES, SCORE_NAMES } from "./score-names.ts";
import { WARM_PARTS } from "./warm-parts.ts";

const runSection = withDescription(
  "Seed, limits and gates of the run",
  section({
    seed: integer(0, 2 ** 32 - 1)
      .default(1)
      .describe("Seed of the run: weights, demonstrations, task order, sampling"),
    minutes: number(0.01, 100_000)
      .nullable()
      .default(null)
      .describe(
        "Maximum number of minutes of the run, checked between iterations. null: no limit. If the limit ends the run, its files say so",
      ),
    memory: integer(1, 1_000_000_000)
      .nullable()
      .default(null)
      .describe(
        "Memory, in MB, that worlds and rollouts of the run may use; the weights of an engine in this process are not counted. If world.episodes need more, fewer run at once. A run that cannot fit is refused before it starts. null: 80% of the machine's memory",
      ),
    gates: z
      .enum(["stop", "note", "off"])
      .default("stop")
      .describe(
        "What happens when the first measurements show that nothing can be learned: stop, the run ends with the reason and its usual cure; note, the reason is reported and the run goes on; off, nobody looks",
      ),
  }),
);

const worldSection = withDescription(
  "The world in which the agent acts, and the tasks that it trains on",
  section({
    name: z
      .string()
      .min(1)
      .default("everyday/starter")
      .describe(
        "Name of a built-in world, the path of a world module, or openenv:URL,URL for the hosts that serve a world",
      ),
    seed: integer(0, 2 ** 32 - 1)
      .default(1)
      .describe("Seed of the world, from which its population and tasks are generated"),
    trainScenarios: integer(1, 100_000)
      .default(400)
      .describe("Number of scenarios to train on; a scenario has three tasks"),
    difficulties: z
      .array(integer(1, 3))
      .min(1)
      .default([1, 2, 3])
      .describe("Difficulties of the tasks to train on, as the world declares them")
      .meta({ expected: "a list of some of 1, 2, 3" }),
    workers: integer(1, 256).default(2).describe("Number of threads that run episodes"),
    episodes: integer(1, 100_000)
      .default(256)
      .describe("Maximum number of episodes that run at the same time"),
    dials: offByDefault(
      "Changes to how the world looks, which do not change the meaning of its tasks; off: the world as it is written",
      section(dialsSchema.shape),
    ),
  }),
);

const modelSection = withDescription(
  "Shape of a new model with random weights",
  section({
    hiddenSize: integer(8, 8192)
      .default(128)
      .describe("Width of the residual stream; it must be a multiple of twice the number of heads"),
    layers: integer(1, 128).default(4).describe("Number of decoder blocks"),
    heads: integer(1, 128)
      .default(4)
      .describe("Number of query heads; two query heads share one key and value head"),
    contextLength: integer(16, 131_072)
      .default(32_768)
      .describe("Maximum number of tokens in a conversation, also for a published model"),
  }),
);

const tokenizerSection = withDescription(
  "Tokenizer of a new model with random weights",
  section({
    vocabularySize: integer(260, 65_536)
      .default(512)
      .describe("Maximum number of tokens in the vocabulary, including the four special ones"),
    minimumCount: integer(2, 1_000_000)
      .default(100)
      .describe(
        "Least number of times that a merge must occur in the text of the demonstrations to become a token, so that no token is rare",
      ),
  }),
);

const warmSection = withDescription(
  "Warm start: the model imitates demonstrations before reinforcement learning starts",
  section({
    policy: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        "Path of the policy to start from: a run, a checkpoint, a PEFT folder, a Hugging Face folder or a GGUF file. engine.model, engine.lora and the shape of the model are those of the policy. null: start from engine.model, or from random weights",
      ),
    demonstrations: integer(0, 10_000_000)
      .default(0)
      .describe("Number of demonstrations (solution programs) to imitate; 0: no warm start"),
    hastyShare: share()
      .default(0.6)
      .describe(
        "Share of demonstrations that come from a hasty solver. Reinforcement learning then has to remove its bad habits",
      ),
    parts: z
      .array(z.enum(WARM_PARTS))
      .default([])
      .describe(
        "What demonstrations show besides acting: writing a plan, mark, user's answer, state, summary, note or texts, or acting on others' answers (heard), on memory, or again after a failed attempt. More than half of the demonstrations show one of these",
      )
      .meta({ expected: `a list of some of ${WARM_PARTS.join(", ")}` }),
    epochs: integer(1, 1000).default(1).describe("Number of passes over the demonstrations"),
    auto: offByDefault(
      "Repeats the warm start, warm.epochs at a time, until the policy solves something at temperature 1 or its loss on held-out demonstrations stops falling",
      section({
        share: share()
          .default(0.2)
          .describe("Share of rollouts at temperature 1 that must pass before the warm start ends"),
        maxEpochs: integer(1, 1000).default(12).describe("Maximum number of passes altogether"),
      }),
    ),
    rows: integer(1, 4096).default(32).describe("Number of demonstrations in an optimizer step"),
    learningRate: number(0, 1).default(2e-3).describe("Largest learning rate of the imitation"),
  }),
);

/** The field of the scaffolds that use a model's chat template. */
const dateField = {
  date: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, "expected a day such as 2026-03-01")
    .nullable()
    .default(null)
    .describe(
      "Day that chat templates which ask for the date are given, such as 2026-03-01; null: the day on which the run began, as recorded in run.json",
    )
    .meta({ expected: "a day such as 2026-03-01" }),
};

const scaffoldSection = withDescription(
  "How tasks and observations become prompts, and how much the agent may write",
  section(
    {
      maxTurns: integer(1, 1000)
        .default(40)
        .describe("Maximum number of turns of an episode in training"),
      evaluationTurns: integer(1, 1000)
        .default(50)
        .describe("Maximum number of turns of an episode in evaluation"),
      maxTurnTokens: integer(1, 131_072)
        .default(1500)
        .describe("Maximum number of tokens that the agent may sample in a turn"),
      maxTokens: integer(16, 131_072)
        .default(32_000)
        .describe("Maximum number of tokens of a conversation: prompt, turns and observations"),
    },
    choiceOrModulePath(
      "name",
      "Prompt format. For new models with random weights: compact (bare code between markers) or compact-tools (function calls between markers). For published models (engine.model): fenced (a short prompt, for small ones), react (the paper's ReAct prompt, for large ones) or tools (function calls in JSON). agent (only with trainAgent()): your own agent writes the prompts",
      {
        compact: section({
          maxObservationCharacters: integer(16, 10_000_000)
            .default(9000)
            .describe("Maximum number of characters of an observation that the agent sees"),
          maxObservationLines: integer(1, 1_000_000)
            .default(1000)
            .describe("Maximum number of lines of an observation that the agent sees"),
        }),
        "compact-tools": section({
          maxObservationCharacters: integer(16, 10_000_000)
            .default(600)
            .describe("Maximum number of characters of an observation that the agent sees"),
          maxObservationLines: integer(1, 1_000_000)
            .default(60)
            .describe("Maximum number of lines of an observation that the agent sees"),
        }),
        fenced: section({
          ...dateField,
          maxObservationTokens: integer(16, 131_072)
            .default(300)
            .describe("Maximum number of tokens of an observation that the agent sees"),
        }),
        react: section({
          ...dateField,
          thinking: z
            .boolean()
            .default(false)
            .describe("Whether a model that can think before it answers, such as Qwen3, does so"),
          maxObservationTokens: integer(16, 131_072)
            .default(3000)
            .describe("Maximum number of tokens of an observation that the agent sees"),
        }),
        tools: section({
          ...dateField,
          thinking: z
            .boolean()
            .default(false)
            .describe("Whether a model that can think before it answers, such as Qwen3, does so"),
          maxObservationTokens: integer(16, 131_072)
            .default(600)
            .describe("Maximum number of tokens of an observation that the agent sees"),
        }),
        agent: section({
          ...dateField,
          episodeSeconds: number(0.1, 1e6)
            .default(600)
            .describe(
              "Maximum number of seconds of an episode; an episode that takes longer counts as failed",
            ),
          episodeTokens: integer(1, 1e9)
            .nullable()
            .default(null)
            .describe(
              "Maximum number of tokens that an episode may sample in all its conversations; null: no limit",
            ),
          episodeCost: number(0, 1e9)
            .nullable()
            .default(null)
            .describe("Maximum cost of an episode at the prices in section budget; null: no limit"),
          maxFailed: share()
            .default(0.1)
            .describe(
              "Largest share of the rollouts of an iteration or evaluation that may fail by an error of the agent. If more fail, the run stops",
            ),
        }),
      },
      section(dateField),
    ),
  ),
);

const fittingSection = withDescription(
  "Fitting: limits that are too small for the demonstrations are raised before training",
  section({
    share: number(0.5, 1)
      .nullable()
      .default(0.95)
      .describe(
        "Share of the demonstrations that must fit into the limits of a rollout. If fewer fit, limits that nobody set are raised before training starts. null: all limits stay as they are",
      ),
    keep: z
      .array(z.enum(FITTED_LIMITS))
      .default([])
      .describe("Limits that fitting must not change. A limit that you set is always among them")
      .meta({ expected: `a list of some of ${FITTED_LIMITS.join(", ")}` }),
  }),
);

const evaluationSection = withDescription(
  "When the policy is evaluated, and on how many tasks",
  section({
    scenarios: integer(1, 100_000)
      .default(60)
      .describe(
        "Number of scenarios of each split to evaluate before and after training; a scenario has three tasks",
      ),
    every: integer(0, 1_000_000)
      .default(10)
      .describe("Number of iterations between greedy evaluations on dev; 0: no such evaluations"),
    everyScenarios: integer(1, 100_000)
      .default(20)
      .describe(
        "Number of scenarios in each evaluation on dev during training (see evaluation.every)",
      ),
    scores: z
      .array(z.enum(SCORE_NAMES))
      .default(DEFAULT_SCORES)
      .describe(
        "Splits to evaluate before and after training: greedily, or sampled at temperature 1 (@T1). While you choose settings, use dev alone and leave the test splits out. An empty list evaluates nothing",
      )
      .meta({ expected: `a list of some of ${SCORE_NAMES.join(", ")}` }),
  }),
);

const publishedModelField = z
  .string()
  .min(1)
  .nullable()
  .default(null)
  .describe(
    "Path of the model to start from: a Hugging Face folder or a GGUF file (Qwen2, Qwen3, Llama). null: random weights in the shape that section model gives. With engine tinker, only the model's tokenizer is read",
  );

const engineSection = withDescription(
  "The engine, which holds the weights, samples and trains",
  section(
    { model: publishedModelField },
    choiceOrModulePath(
      "name",
      "onnx: an engine in this process; tinker: an engine on a server that speaks the Tinker protocol",
      {
        onnx: section({
          threads: integer(1, 256)
            .default(2)
            .describe(
              "Number of threads of the engine. Another number changes the rounding of results",
            ),
          provider: z
            .enum(["cpu", "cuda", "webgpu", "coreml"])
            .default("cpu")
            .describe(
              "Device that computes. The run fails at its start if the runtime does not offer this device",
            ),
          base: z
            .enum(["f32", "q8", "q4"])
            .default("f32")
            .describe(
              "How the frozen weights under LoRA are stored: 32-bit floats, or eight or four bits in blocks of 32, which need a third or a sixth of the memory. Only f32 is without LoRA",
            ),
          lora: offByDefault(
            "LoRA trains small updates and leaves the model's weights frozen; off: train all weights",
            section({
              rank: integer(1, 4096).default(16).describe("Rank of the LoRA updates"),
              alpha: number(1e-3, 1e6)
                .default(16)
                .describe("Alpha of the LoRA updates, which are scaled by alpha / rank"),
              targetModules: z
                .string()
                .default("all-linear")
                .describe(
                  "Projections that get LoRA updates, named as in PEFT: all-linear, or some of q_proj,k_proj,v_proj,o_proj,gate_proj,up_proj,down_proj",
                ),
            }),
          ),
        }),
        tinker: section({
          url: z
            .string()
            .min(1)
            .nullable()
            .default(null)
            .describe(
              "Address of the server, such as http://127.0.0.1:8000. The key belongs in the environment variable TINKER_API_KEY",
            ),
          baseModel: z
            .string()
            .min(1)
            .nullable()
            .default(null)
            .describe(
              "Name of the model to train, as the server calls it; null: the only model on the server",
            ),
          dialect: z
            .enum(["auto", "json", "proto"])
            .default("auto")
            .describe(
              "Encoding of requests for gradients; auto: an encoding that the server accepts",
            ),
          lora: offByDefault(
            "LoRA with the alpha that the server chooses; off: ask the server to train all weights (rank 0)",
            section({ rank: integer(1, 4096).default(16).describe("Rank of the LoRA updates") }),
          ),
        }),
      },
      section({
        options: z
          .record(z.string(), z.unknown())
          .default({})
          .describe("Options that are passed unchanged to the engine's module")
          .meta({ expected: "a JSON object" }),
      }),
    ),
  ),
);

const priceField = () => number(0, 1e6);
const describePrice = (tokens: string) => `Price of a million ${tokens}, in any currency`;

const budgetSection = offByDefault(
  "Prices of tokens, and how much a run may cost",
  section({
    prefillPrice: priceField()
      .default(0)
      .describe(
        describePrice(
          "tokens of prompts, and of conversations that are evaluated but not trained on",
        ),
      ),
    cachedPrice: priceField()
      .nullable()
      .default(null)
      .describe(
        `${describePrice("prompt tokens that an earlier turn of the rollout already had")}; null: the price of other prompts`,
      ),
    samplePrice: priceField().default(0).describe(describePrice("sampled tokens")),
    trainPrice: priceField()
      .default(0)
      .describe(describePrice("tokens of conversations that are trained on")),
    ceiling: number(0, 1e9)
      .nullable()
      .default(null)
      .describe(
        "Maximum cost of the run; null: no limit. The run stops before it costs more, and can be continued with a higher ceiling",
      ),
  }),
);

const modulePaths = (description: string) =>
  z
    .array(z.string().min(1))
    .max(32)
    .default([])
    .describe(description)
    .meta({ expected: "a list of paths of modules, such as ./cost.ts,./turns.ts" });

const extensionsSection = withDescription(
  "Your own modules, which work with every method",
  section({
    rewards: modulePaths(
      "Reward terms: functions of a rollout whose results are added to its reward",
    ),
    filters: modulePaths(
      "Filters: functions of a graded rollout that decide whether it is trained on",
    ),
  }),
);

/** The sections of every setting, in the order in which they are shown. */
export const SETTING_SECTIONS = {
  run: runSection,
  world: worldSection,
  engine: engineSection,
  model: modelSection,
  tokenizer: tokenizerSection,
  warm: warmSection,
  scaffold: scaffoldSection,
  fitting: fittingSection,
  optimizer: withDescription("The optimizer AdamW: learning rate, decay and clipping", optimizer),
  evaluation: evaluationSection,
  budget: budgetSection,
  extensions: extensionsSection,
};
