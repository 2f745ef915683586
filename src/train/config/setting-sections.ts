/**
 * The sections of a setting: everything that a run needs beside its method. World, model, scaffold, warm start, budget,
 * evaluation. Each field has a default, bounds and a description, and exists only where something reads it.
 */
import { z } from "zod";
import { choiceOrModulePath, offByDefault, section, withDescription } from "../../core/index.ts";
import { integer, number, optimizer, share } from "../../methods/index.ts";
import { dialsSchema } from "../../spec/index.ts";
import { SCORE_NAMES } from "./score-names.ts";
import { WARM_PARTS } from "./warm-parts.ts";

const run = withDescription(
  "The run itself",
  section({
    seed: integer(0, 2 ** 32 - 1)
      .default(1)
      .describe("Seed of the run: weights, demonstrations, task order, sampling"),
    minutes: number(0.01, 100_000)
      .nullable()
      .default(null)
      .describe(
        "Ceiling on wall time, checked between iterations and recorded when it ended the run; null: none",
      ),
  }),
);

const world = withDescription(
  "Where the agent acts, and on which tasks",
  section({
    name: z
      .string()
      .min(1)
      .default("everyday/starter")
      .describe("A built-in world, or the path of a world module"),
    seed: integer(0, 2 ** 32 - 1)
      .default(1)
      .describe("Seed of the world: population and tasks"),
    trainScenarios: integer(1, 100_000)
      .default(400)
      .describe("Scenarios (three tasks each) to train on"),
    difficulties: z
      .array(integer(1, 3))
      .min(1)
      .default([1, 2, 3])
      .describe("Declared difficulties that are trained on")
      .meta({ expected: "a list of some of 1, 2, 3" }),
    workers: integer(1, 256).default(2).describe("Threads that run episodes"),
    episodes: integer(1, 100_000).default(256).describe("Episodes that are live at once"),
    dials: offByDefault(
      "How the world looks, not what its tasks mean; off: as it is written",
      section(dialsSchema.shape),
    ),
  }),
);

const model = withDescription(
  "Shape of a model that is made from random weights",
  section({
    hiddenSize: integer(8, 8192)
      .default(128)
      .describe("Width of the residual stream; a multiple of twice the heads"),
    layers: integer(1, 128).default(4).describe("Decoder blocks"),
    heads: integer(1, 128).default(4).describe("Query heads; two share keys and values"),
    contextLength: integer(16, 131_072)
      .default(32_768)
      .describe("Longest row in tokens; of a published model too"),
  }),
);

const tokenizer = withDescription(
  "Tokenizer of a model that is made from random weights",
  section({
    vocabularySize: integer(260, 65_536)
      .default(512)
      .describe("Upper bound on tokens, the four special ones included"),
    minimumCount: integer(2, 1_000_000)
      .default(100)
      .describe(
        "A merge must occur this often in the text of the demonstrations, so that no token is rare",
      ),
  }),
);

const warm = withDescription(
  "Imitation before reinforcement",
  section({
    demonstrations: integer(0, 10_000_000)
      .default(0)
      .describe("Solution programs to imitate before reinforcement; 0: no warm start"),
    hastyShare: share()
      .default(0.6)
      .describe("Share of demonstrations by the hasty solver, whose habits LOOP unlearns"),
    parts: z
      .array(z.enum(WARM_PARTS))
      .default([])
      .describe(
        "What more than half of the demonstrations show beside acting, in turns: writing a plan, marks, a user's answers, a state, a summary, a note or texts; acting on what others said (heard), on memory, or again after a failed attempt",
      )
      .meta({ expected: `a list of some of ${WARM_PARTS.join(", ")}` }),
    epochs: integer(1, 1000).default(1).describe("Passes over the demonstrations"),
    rows: integer(1, 4096).default(32).describe("Demonstrations in an optimizer step"),
    learningRate: number(0, 1).default(2e-3).describe("Peak learning rate of imitation"),
  }),
);

const scaffold = withDescription(
  "How the agent is talked to, and how much it may say",
  section(
    {
      maxTurns: integer(1, 1000).default(40).describe("Turns of an episode in training"),
      evaluationTurns: integer(1, 1000).default(50).describe("Turns of an episode in evaluation"),
      maxTurnTokens: integer(1, 131_072)
        .default(1500)
        .describe("Tokens that the agent may sample in a turn"),
      maxTokens: integer(16, 131_072)
        .default(32_000)
        .describe("Tokens of a whole row: prompt, turns and observations"),
    },
    choiceOrModulePath(
      "name",
      "compact: bare code between markers, for models made here; compact-tools: function calls there; fenced: a short prompt, for small instruction-tuned ones (engine.model); react: the paper's ReAct prompt, for large ones; tools: function calls in JSON, for those that were trained to write them; agent: one of your own, which trainAgent() is handed",
      {
        compact: section({
          maxObservationCharacters: integer(16, 10_000_000)
            .default(9000)
            .describe("Characters of an observation that the agent sees"),
          maxObservationLines: integer(1, 1_000_000)
            .default(1000)
            .describe("Lines of an observation that the agent sees"),
        }),
        "compact-tools": section({
          maxObservationCharacters: integer(16, 10_000_000)
            .default(600)
            .describe("Characters of an observation that the agent sees"),
          maxObservationLines: integer(1, 1_000_000)
            .default(60)
            .describe("Lines of an observation that the agent sees"),
        }),
        fenced: section({
          maxObservationTokens: integer(16, 131_072)
            .default(300)
            .describe("Tokens of an observation that the agent sees"),
        }),
        react: section({
          thinking: z
            .boolean()
            .default(false)
            .describe("A model that can think before it answers (Qwen3) does"),
          maxObservationTokens: integer(16, 131_072)
            .default(3000)
            .describe("Tokens of an observation that the agent sees"),
        }),
        tools: section({
          thinking: z
            .boolean()
            .default(false)
            .describe("A model that can think before it answers (Qwen3) does"),
          maxObservationTokens: integer(16, 131_072)
            .default(600)
            .describe("Tokens of an observation that the agent sees"),
        }),
        agent: section({
          episodeSeconds: number(0.1, 1e6)
            .default(600)
            .describe("Seconds that an episode may take; one that takes longer has failed"),
          episodeTokens: integer(1, 1e9)
            .nullable()
            .default(null)
            .describe(
              "Tokens that an episode may sample over all its conversations; null: no ceiling",
            ),
          episodeCost: number(0, 1e9)
            .nullable()
            .default(null)
            .describe("What an episode may cost at the prices of section budget; null: no ceiling"),
          maxFailed: share()
            .default(0.1)
            .describe(
              "Share of the rollouts of an iteration or evaluation that may fail by an error of the agent's; more stop the run",
            ),
        }),
      },
      section({}),
    ),
  ),
);

const evaluation = withDescription(
  "When and on how many tasks the policy is scored",
  section({
    scenarios: integer(1, 100_000)
      .default(60)
      .describe("Scenarios (three tasks each) scored in each split, before and after"),
    every: integer(0, 1_000_000)
      .default(10)
      .describe("Iterations between greedy evaluations on dev; 0: none"),
    everyScenarios: integer(1, 100_000).default(20).describe("Scenarios of those evaluations"),
    scores: z
      .array(z.enum(SCORE_NAMES))
      .min(1)
      .default([...SCORE_NAMES])
      .describe(
        "What is scored before and after: a split greedily, or sampled at temperature 1 (@T1); without test-normal while numbers are being chosen, which dev is for",
      )
      .meta({ expected: `a list of some of ${SCORE_NAMES.join(", ")}` }),
  }),
);

const publishedModel = z
  .string()
  .min(1)
  .nullable()
  .default(null)
  .describe(
    "Folder of a Hugging Face model or GGUF file (Qwen2, Qwen3, Llama) to start from (tinker: of its tokenizer); null: random weights in the shape of section model",
  );

const engine = withDescription(
  "What holds the weights",
  section(
    { model: publishedModel },
    choiceOrModulePath(
      "name",
      "In this process, or on a server of the Tinker protocol",
      {
        onnx: section({
          threads: integer(1, 256)
            .default(2)
            .describe("Threads of the engine; another number gives other roundings"),
          provider: z
            .enum(["cpu", "cuda", "webgpu", "coreml"])
            .default("cpu")
            .describe("Where operations run; refused at start where the runtime does not offer it"),
          lora: offByDefault(
            "LoRA: small updates are trained on frozen weights; off: all weights train",
            section({
              rank: integer(1, 4096).default(16).describe("Rank of the updates"),
              alpha: number(1e-3, 1e6).default(16).describe("Updates are scaled by alpha / rank"),
              targetModules: z
                .string()
                .default("all-linear")
                .describe(
                  "Projections that get updates, as in PEFT: all-linear, or some of q_proj,k_proj,v_proj,o_proj,gate_proj,up_proj,down_proj",
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
              "Where the server is, such as http://127.0.0.1:8000; the key goes into TINKER_API_KEY",
            ),
          baseModel: z
            .string()
            .min(1)
            .nullable()
            .default(null)
            .describe(
              "The model that is trained, as the server names it; null: the only one there",
            ),
          dialect: z
            .enum(["auto", "json", "proto"])
            .default("auto")
            .describe("Encoding of gradient passes; auto: what the server takes"),
          lora: offByDefault(
            "LoRA, with the server's own alpha; off: all weights are asked for (rank 0)",
            section({ rank: integer(1, 4096).default(16).describe("Rank of the updates") }),
          ),
        }),
      },
      section({
        options: z
          .record(z.string(), z.unknown())
          .default({})
          .describe("Handed to the engine's module as they are")
          .meta({ expected: "a JSON object" }),
      }),
    ),
  ),
);

const priceField = () => number(0, 1e6);
const describePrice = (what: string) => `Price of a million tokens ${what}, in any currency`;

const budget = offByDefault(
  "What tokens cost, and how much may be spent",
  section({
    prefillPrice: priceField()
      .default(0)
      .describe(describePrice("of prompts, and of rows that are only evaluated")),
    cachedPrice: priceField()
      .nullable()
      .default(null)
      .describe(
        describePrice(
          "of prompts that an earlier turn of the rollout already showed; null: as others",
        ),
      ),
    samplePrice: priceField().default(0).describe(describePrice("that are sampled")),
    trainPrice: priceField().default(0).describe(describePrice("of rows that are trained on")),
    ceiling: number(0, 1e9)
      .nullable()
      .default(null)
      .describe(
        "The run stops, and can be continued under a higher one, before it costs more than this; null: no ceiling",
      ),
  }),
);

const modulePaths = (what: string) =>
  z
    .array(z.string().min(1))
    .max(32)
    .default([])
    .describe(what)
    .meta({ expected: "a list of paths of modules, such as ./cost.ts,./turns.ts" });

const extensions = withDescription(
  "Modules of your own that any method works with",
  section({
    rewards: modulePaths("Reward terms: functions of a rollout, added to its outcome"),
    filters: modulePaths(
      "Filters: functions of a graded rollout that say whether it is learned from",
    ),
  }),
);

export const SETTING_SECTIONS = {
  run,
  world,
  engine,
  model,
  tokenizer,
  warm,
  scaffold,
  optimizer: withDescription("AdamW", optimizer),
  evaluation,
  budget,
  extensions,
};
