/**
 * Fields of the configuration by their paths, for `resolveConfig({ overrides })`. Written from the schema by
 * `npx vitest run src/train/config/overrides.test.ts -u`; not edited by hand.
 */
export type Overrides = {
  /** Seed of the run: weights, demonstrations, task order, sampling. An integer from 0 to 4294967295; default 1. */
  readonly "run.seed"?: number;
  /** Ceiling on wall time, checked between iterations and recorded when it ended the run; null: none. A number from 0.01 to 100000 or null; default null. */
  readonly "run.minutes"?: number | null;
  /** A built-in world, or the path of a world module. A name; default "everyday/starter". */
  readonly "world.name"?: string;
  /** Seed of the world: population and tasks. An integer from 0 to 4294967295; default 1. */
  readonly "world.seed"?: number;
  /** Scenarios (three tasks each) to train on. An integer from 1 to 100000; default 400. */
  readonly "world.trainScenarios"?: number;
  /** Declared difficulties that are trained on. A list of some of 1, 2, 3; default [1,2,3]. */
  readonly "world.difficulties"?: readonly unknown[];
  /** Threads that run episodes. An integer from 1 to 256; default 2. */
  readonly "world.workers"?: number;
  /** Episodes that are live at once. An integer from 1 to 100000; default 256. */
  readonly "world.episodes"?: number;
  /** How the world looks, not what its tasks mean; off: as it is written. null (off), true (on, with its defaults), or its fields; default off. */
  readonly "world.dials"?: boolean | object | null;
  /** Apps with accounts need a session, opened by `login`; false: none does. True or false; default true. exists where world.dials is on. */
  readonly "world.dials.logins"?: boolean;
  /** Seed that draws the words of instructions anew; 0: as the world draws them. An integer from 0 to 4294967295; default 0. exists where world.dials is on. */
  readonly "world.dials.paraphrase"?: number;
  /** Density of background rows and near-misses; 1: as the world is written. A number from 0 to 10; default 1. exists where world.dials is on. */
  readonly "world.dials.distractors"?: number;
  /** Share of calls answered with status 503; an API never fails twice in a row. A number from 0 to 1; default 0. exists where world.dials is on. */
  readonly "world.dials.apiErrors"?: number;
  /** Seed that gives the parameters of the apps other names; 0: their own names. An integer from 0 to 4294967295; default 0. exists where world.dials is on. */
  readonly "world.dials.renamedParams"?: number;
  /** How much the documentation of an API says. One of normal, terse, verbose; default "normal". exists where world.dials is on. */
  readonly "world.dials.docs"?: "normal" | "terse" | "verbose";
  /** Most extra milliseconds by which a call moves the clock, drawn for each call. An integer from 0 to 60000; default 0. exists where world.dials is on. */
  readonly "world.dials.clockDriftMs"?: number;
  /** In this process, or on a server of the Tinker protocol. One of onnx, tinker, or the path of a module; default "onnx". */
  readonly "engine.name"?: string;
  /** Threads of the engine; another number gives other roundings. An integer from 1 to 256; default 2. exists where engine.name is onnx. */
  readonly "engine.threads"?: number;
  /** Where operations run; refused at start where the runtime does not offer it. One of cpu, cuda, webgpu, coreml; default "cpu". exists where engine.name is onnx. */
  readonly "engine.provider"?: "cpu" | "cuda" | "webgpu" | "coreml";
  /** LoRA: small updates are trained on frozen weights; off: all weights train. null (off), true (on, with its defaults), or its fields; default off. exists where engine.name is onnx or tinker. */
  readonly "engine.lora"?: boolean | object | null;
  /** Rank of the updates. An integer from 1 to 4096; default 16. exists where engine.name is onnx or tinker and engine.lora is on. */
  readonly "engine.lora.rank"?: number;
  /** Updates are scaled by alpha / rank. A number from 0.001 to 1000000; default 16. exists where engine.name is onnx and engine.lora is on. */
  readonly "engine.lora.alpha"?: number;
  /** Projections that get updates, as in PEFT: all-linear, or some of q_proj,k_proj,v_proj,o_proj,gate_proj,up_proj,down_proj. A name; default "all-linear". exists where engine.name is onnx and engine.lora is on. */
  readonly "engine.lora.targetModules"?: string;
  /** Where the server is, such as http://127.0.0.1:8000; the key goes into TINKER_API_KEY. A name or null; default null. exists where engine.name is tinker. */
  readonly "engine.url"?: string | null;
  /** The model that is trained, as the server names it; null: the only one there. A name or null; default null. exists where engine.name is tinker. */
  readonly "engine.baseModel"?: string | null;
  /** Encoding of gradient passes; auto: what the server takes. One of auto, json, proto; default "auto". exists where engine.name is tinker. */
  readonly "engine.dialect"?: "auto" | "json" | "proto";
  /** Handed to the engine's module as they are. A JSON object; default {}. exists where engine.name is a module's path. */
  readonly "engine.options"?: object;
  /** Folder of a Hugging Face model or GGUF file (Qwen2, Qwen3, Llama) to start from (tinker: of its tokenizer); null: random weights in the shape of section model. A name or null; default null. */
  readonly "engine.model"?: string | null;
  /** Width of the residual stream; a multiple of twice the heads. An integer from 8 to 8192; default 128. */
  readonly "model.hiddenSize"?: number;
  /** Decoder blocks. An integer from 1 to 128; default 4. */
  readonly "model.layers"?: number;
  /** Query heads; two share keys and values. An integer from 1 to 128; default 4. */
  readonly "model.heads"?: number;
  /** Longest row in tokens; of a published model too. An integer from 16 to 131072; default 32768. */
  readonly "model.contextLength"?: number;
  /** Upper bound on tokens, the four special ones included. An integer from 260 to 65536; default 512. */
  readonly "tokenizer.vocabularySize"?: number;
  /** A merge must occur this often in the text of the demonstrations, so that no token is rare. An integer from 2 to 1000000; default 100. */
  readonly "tokenizer.minimumCount"?: number;
  /** Solution programs to imitate before reinforcement; 0: no warm start. An integer from 0 to 10000000; default 0. */
  readonly "warm.demonstrations"?: number;
  /** Share of demonstrations by the hasty solver, whose habits LOOP unlearns. A number from 0 to 1; default 0.6. */
  readonly "warm.hastyShare"?: number;
  /** What more than half of the demonstrations show beside acting, in turns: writing a plan, marks, a user's answers, a state, a summary, a note or texts; acting on what others said (heard), on memory, or again after a failed attempt. A list of some of plan, mark, user, heard, state, summary, note, memory, texts, again; default []. */
  readonly "warm.parts"?: readonly unknown[];
  /** Passes over the demonstrations. An integer from 1 to 1000; default 1. */
  readonly "warm.epochs"?: number;
  /** Demonstrations in an optimizer step. An integer from 1 to 4096; default 32. */
  readonly "warm.rows"?: number;
  /** Peak learning rate of imitation. A number from 0 to 1; default 0.002. */
  readonly "warm.learningRate"?: number;
  /** compact: bare code between markers, for models made here; compact-tools: function calls there; fenced: a short prompt, for small instruction-tuned ones (engine.model); react: the paper's ReAct prompt, for large ones; tools: function calls in JSON, for those that were trained to write them; agent: one of your own, which trainAgent() is handed. One of compact, compact-tools, fenced, react, tools, agent, or the path of a module; default "compact". */
  readonly "scaffold.name"?: string;
  /** Characters of an observation that the agent sees. An integer from 16 to 10000000; default 9000. exists where scaffold.name is compact or compact-tools. */
  readonly "scaffold.maxObservationCharacters"?: number;
  /** Lines of an observation that the agent sees. An integer from 1 to 1000000; default 1000. exists where scaffold.name is compact or compact-tools. */
  readonly "scaffold.maxObservationLines"?: number;
  /** Tokens of an observation that the agent sees. An integer from 16 to 131072; default 300. exists where scaffold.name is fenced or react or tools. */
  readonly "scaffold.maxObservationTokens"?: number;
  /** A model that can think before it answers (Qwen3) does. True or false; default false. exists where scaffold.name is react or tools. */
  readonly "scaffold.thinking"?: boolean;
  /** Seconds that an episode may take; one that takes longer has failed. A number from 0.1 to 1000000; default 600. exists where scaffold.name is agent. */
  readonly "scaffold.episodeSeconds"?: number;
  /** Tokens that an episode may sample over all its conversations; null: no ceiling. An integer from 1 to 1000000000 or null; default null. exists where scaffold.name is agent. */
  readonly "scaffold.episodeTokens"?: number | null;
  /** What an episode may cost at the prices of section budget; null: no ceiling. A number from 0 to 1000000000 or null; default null. exists where scaffold.name is agent. */
  readonly "scaffold.episodeCost"?: number | null;
  /** Share of the rollouts of an iteration or evaluation that may fail by an error of the agent's; more stop the run. A number from 0 to 1; default 0.1. exists where scaffold.name is agent. */
  readonly "scaffold.maxFailed"?: number;
  /** Turns of an episode in training. An integer from 1 to 1000; default 40. */
  readonly "scaffold.maxTurns"?: number;
  /** Turns of an episode in evaluation. An integer from 1 to 1000; default 50. */
  readonly "scaffold.evaluationTurns"?: number;
  /** Tokens that the agent may sample in a turn. An integer from 1 to 131072; default 1500. */
  readonly "scaffold.maxTurnTokens"?: number;
  /** Tokens of a whole row: prompt, turns and observations. An integer from 16 to 131072; default 32000. */
  readonly "scaffold.maxTokens"?: number;
  /** Learning rate in the first iteration. A number from 0 to 1; default 0.00005. */
  readonly "optimizer.learningRate"?: number;
  /** AdamW's moments after a warm start: fresh, as in the paper, whose code begins with none; or kept, those of the warm start. One of fresh, kept; default "fresh". */
  readonly "optimizer.moments"?: "fresh" | "kept";
  /** The rate moves linearly to this share of itself in the last iteration; 1: constant (paper). A number from 0 to 1; default 1. */
  readonly "optimizer.finalRate"?: number;
  /** AdamW: decay of the first and of the second moment. A list of two numbers below 1, such as 0.9,0.999; default [0.9,0.999]. */
  readonly "optimizer.betas"?: readonly unknown[];
  /** AdamW: decoupled weight decay. A number from 0 to 1; default 0.01. */
  readonly "optimizer.weightDecay"?: number;
  /** The global gradient norm is clipped to this. A number from 0.000001 to 1000000000; default 1. */
  readonly "optimizer.maxGradientNorm"?: number;
  /** Scenarios (three tasks each) scored in each split, before and after. An integer from 1 to 100000; default 60. */
  readonly "evaluation.scenarios"?: number;
  /** Iterations between greedy evaluations on dev; 0: none. An integer from 0 to 1000000; default 10. */
  readonly "evaluation.every"?: number;
  /** Scenarios of those evaluations. An integer from 1 to 100000; default 20. */
  readonly "evaluation.everyScenarios"?: number;
  /** What is scored before and after: a split greedily, or sampled at temperature 1 (@T1); without test-normal while numbers are being chosen, which dev is for. A list of some of dev, test-normal, dev@T1, test-normal@T1; default ["dev","test-normal","dev@T1","test-normal@T1"]. */
  readonly "evaluation.scores"?: readonly unknown[];
  /** What tokens cost, and how much may be spent. null (off), true (on, with its defaults), or its fields; default off. */
  readonly "budget"?: boolean | object | null;
  /** Price of a million tokens of prompts, and of rows that are only evaluated, in any currency. A number from 0 to 1000000; default 0. exists where budget is on. */
  readonly "budget.prefillPrice"?: number;
  /** Price of a million tokens of prompts that an earlier turn of the rollout already showed; null: as others, in any currency. A number from 0 to 1000000 or null; default null. exists where budget is on. */
  readonly "budget.cachedPrice"?: number | null;
  /** Price of a million tokens that are sampled, in any currency. A number from 0 to 1000000; default 0. exists where budget is on. */
  readonly "budget.samplePrice"?: number;
  /** Price of a million tokens of rows that are trained on, in any currency. A number from 0 to 1000000; default 0. exists where budget is on. */
  readonly "budget.trainPrice"?: number;
  /** The run stops, and can be continued under a higher one, before it costs more than this; null: no ceiling. A number from 0 to 1000000000 or null; default null. exists where budget is on. */
  readonly "budget.ceiling"?: number | null;
  /** Reward terms: functions of a rollout, added to its outcome. A list of paths of modules, such as ./cost.ts,./turns.ts; default []. */
  readonly "extensions.rewards"?: readonly string[];
  /** Filters: functions of a graded rollout that say whether it is learned from. A list of paths of modules, such as ./cost.ts,./turns.ts; default []. */
  readonly "extensions.filters"?: readonly string[];
  /** Iterations of the method. An integer from 0 to 1000000; default 200. */
  readonly "algo.iterations"?: number;
  /** Tasks drawn for an iteration. An integer from 1 to 100000; default 40. */
  readonly "algo.tasksPerIteration"?: number;
  /** How tasks are drawn: uniform (paper); mixed-outcomes, rather from signatures whose recent groups both failed and succeeded; near-half, rather tasks passed half of the time; variance, rather tasks whose returns vary. One of uniform, mixed-outcomes, near-half, variance, or the path of a module; default "uniform". */
  readonly "algo.taskSampling"?: string;
  /** Share of checks passed; all or nothing; progress checks gated by the guards. One of fraction, strict, progress; default "fraction". */
  readonly "algo.reward"?: "fraction" | "strict" | "progress";
  /** An episode that the agent did not finish earns nothing (paper), or what its state earns (code). One of fail, score; default "fail". */
  readonly "algo.unfinished"?: "fail" | "score";
  /** Passes over the rollouts of an iteration. An integer from 1 to 100; default 2. */
  readonly "algo.epochs"?: number;
  /** Rollouts (or pairs) in an optimizer step; 0: all of an iteration, in one step. An integer from 0 to 100000; default 32. */
  readonly "algo.minibatch"?: number;
  /** K: rollouts of one task in an iteration. An integer from 2 to 1024; default 6. read by loop, loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo, dpo-mcts. */
  readonly "algo.groupSize"?: number;
  /** Sampling temperature in training. A number from 0.05 to 10; default 1. read by loop, loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo, dpo-mcts. */
  readonly "algo.temperature"?: number;
  /** Stop collecting once enough rollouts of every task are in (paper). null (off), true (on, with its defaults), or its fields; default on. read by loop, loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "algo.stragglers"?: boolean | object | null;
  /** Share of all rollouts that must be in before collecting stops. A number from 0 to 1; default 0.9. exists where algo.stragglers is on. read by loop, loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "algo.stragglers.share"?: number;
  /** Share of each group that must be in; rounds half to even. A number from 0 to 1; default 0.75. exists where algo.stragglers is on. read by loop, loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "algo.stragglers.groupShare"?: number;
  /** Rollouts with a smaller |advantage| are not learned from. A number from 0 to 10; default 0.01. read by loop, loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.advantageThreshold"?: number;
  /** Epsilon of the clipped objective. A number from 0 to 10; default 0.1. read by loop, loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic. */
  readonly "algo.clip"?: number;
  /** An iteration ends when the estimated trajectory KL passes this (nats). A number from 0 to 1000000; default 20. read by loop, loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic. */
  readonly "algo.maxTrajectoryKl"?: number;
  /** Policy versions that rollouts may lag behind the learner; 0: none, as in the paper. Above: iterations are collected ahead while earlier ones are learned from, each by one version throughout, and the sampler's log-probs are the old ones. Equal runs stay equal; after a crash lost rollouts are sampled by the newest version. An integer from 0 to 16; default 0. read by loop, loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ei, rft. */
  readonly "algo.staleness"?: number;
  /** Span over which the importance ratio is taken: a token (paper), a turn, the trajectory, or its geometric mean; none: no ratio, no clip. One of token, turn, trajectory, trajectory-mean, none; default "token". read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic. */
  readonly "algo.ratio"?: "token" | "turn" | "trajectory" | "trajectory-mean" | "none";
  /** Lower bound of the ratio: 1 - clip in the paper, 1 / (1 + clip) in its released code. One of paper, code; default "paper". exists where algo.ratio is token or turn or trajectory or trajectory-mean. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic. */
  readonly "algo.lowerClip"?: "paper" | "code";
  /** Epsilon of the clip where the advantage is positive; null: algo.clip. A number from 0 to 10 or null; default null. exists where algo.ratio is token or turn or trajectory or trajectory-mean. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic. */
  readonly "algo.upperClip"?: number | null;
  /** Share of a minibatch's tokens, those of highest entropy, that keep a gradient above the clip; null: none. A number from 0.0001 to 1 or null; default null. exists where algo.ratio is token. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.keptShare"?: number | null;
  /** What is subtracted from a return: the mean of the others of its group (paper), or of all, nothing, or a running average. One of leave-one-out, mean, none, running; default "leave-one-out". read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.baseline"?: "leave-one-out" | "mean" | "none" | "running";
  /** Share of the running baseline that stays at each return. A number from 0 to 1; default 0.95. exists where algo.baseline is running. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.baselineDecay"?: number;
  /** What a rollout's advantage is divided by: nothing (paper), the standard deviation of its group, or of the iteration. One of none, group, batch; default "none". read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.scale"?: "none" | "group" | "batch";
  /** A rollout counts by the mean over its own tokens (paper); tokens of a minibatch pooled; by the sum of its tokens. One of row-mean, token-mean, row-sum; default "row-mean". read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic. */
  readonly "algo.aggregate"?: "row-mean" | "token-mean" | "row-sum";
  /** Tokens are weighted by the learner's probability over the sampler's, at most this; null: not at all. A number from 0.001 to 1000 or null; default null. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic. */
  readonly "algo.samplerCap"?: number | null;
  /** A KL term that holds the policy to the one that the loop started from. null (off), true (on, with its defaults), or its fields; default off. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.kl"?: boolean | object | null;
  /** Weight of the KL term. A number from 0 to 100; default 0.04. exists where algo.kl is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.kl.coefficient"?: number;
  /** Estimator of the KL term: squared log-ratio / 2, or r - 1 - log r. One of k2, k3; default "k3". exists where algo.kl is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.kl.estimator"?: "k2" | "k3";
  /** Only this many first turns of a rollout are held; null: all. An integer from 1 to 1000 or null; default null. exists where algo.kl is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.kl.turns"?: number | null;
  /** Weight of the entropy bonus; 0: none. A number from 0 to 100; default 0. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.entropyCoefficient"?: number;
  /** Charge for entropies outside a band around their past mean. null (off), true (on, with its defaults), or its fields; default off. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.entropyBand"?: boolean | object | null;
  /** Weight of the distance to the band. A number from 0 to 100; default 0.05. exists where algo.entropyBand is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.entropyBand.coefficient"?: number;
  /** Lower end of the band, times the mean. A number from 0 to 100; default 0. exists where algo.entropyBand is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.entropyBand.low"?: number;
  /** Upper end of the band, times the mean. A number from 0 to 100; default 2. exists where algo.entropyBand is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "algo.entropyBand.high"?: number;
  /** What is paid, instead of the outcome alone: the outcome is a term too. A JSON list of {"term": one of outcome, format, executability, call-success, adherence, tool-use, repetition, turns, tokens, attempt, improvement, information-gain, kl, judge, contribution, ranking, "weight": a number or a schedule of it as JSON: {"shape":"linear","from":1,"to":0,"over":100}, "cosine" likewise, or {"shape":"steps","values":[1,2],"every":10}, "how": add, penalty or factor, "gate": the outcome from which it counts, "decay": 0 to 1}; default []. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "rewards.terms"?: readonly unknown[];
  /** A rollout (paper), each turn, or each turn by a mix of both. One of rollout, turn, both; default "rollout". read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "credit.unit"?: "rollout" | "turn" | "both";
  /** What is compared: all of a task, a role, a link of chains. One of task, role, chain-position; default "task". exists where credit.unit is rollout or turn or both. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "credit.key"?: "task" | "role" | "chain-position";
  /** Turns of forked rollouts get the rollout's advantage; the mean over all that hold them; at a fork, what the other choices earned is the baseline. One of own, shared-prefix, counterfactual; default "own". exists where credit.unit is rollout. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "credit.branches"?: "own" | "shared-prefix" | "counterfactual";
  /** A turn is credited with all of its rollout's rewards, or with those from it on. One of broadcast, to-go; default "broadcast". exists where credit.unit is turn or both. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "credit.returns"?: "broadcast" | "to-go";
  /** Weight of what a later turn earns. A number from 0 to 1; default 1. exists where credit.unit is turn or both and credit.returns is to-go. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "credit.discount"?: number;
  /** Behind a turn that failed, returns to go begin anew. One of never, errors; default "never". exists where credit.unit is turn or both and credit.returns is to-go. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "credit.restart"?: "never" | "errors";
  /** Weight of the rollout's advantage in the mix. A number from 0 to 100; default 1. exists where credit.unit is both. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "credit.episodeWeight"?: number;
  /** Weight of the turn's advantage in the mix. A number from 0 to 100; default 1. exists where credit.unit is both. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "credit.turnWeight"?: number;
  /** Advantages grow by groups / groups that teach, so that a thin batch takes a full step. True or false; default false. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "credit.batchGain"?: boolean;
  /** Advantages of a rollout's tokens grow by this for each standard deviation of entropy. A number from 0 to 10; default 0. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "credit.entropyFactor"?: number;
  /** Rollouts with a turn that neither ran code nor ended the episode are left out. True or false; default false. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.voidTurns"?: boolean;
  /** Rollouts that ran out of turns are left out. True or false; default false. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.overTurn"?: boolean;
  /** Rollouts that ran out of tokens are left out. True or false; default false. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.overLong"?: boolean;
  /** Only rollouts with a positive advantage are learned from. True or false; default false. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.positiveOnly"?: boolean;
  /** Groups in which every return is at least this are left out; null: none. A number from -1000 to 1000 or null; default null. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.saturatedAbove"?: number | null;
  /** Share of each rollout's turns, those of highest entropy, that is learned from. A number from 0.01 to 1; default 1. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.entropyTurnShare"?: number;
  /** Share of a minibatch's tokens, those of highest entropy, that is learned from. A number from 0.01 to 1; default 1. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.entropyTokenShare"?: number;
  /** Turns whose mean negative log-prob lies outside of a band are not learned from. null (off), true (on, with its defaults), or its fields; default off. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ei, rft, sft-gt. */
  readonly "filter.surprise"?: boolean | object | null;
  /** What the ends of the band are: nats, or quantiles of the minibatch's turns. One of nats, quantiles; default "nats". exists where filter.surprise is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ei, rft, sft-gt. */
  readonly "filter.surprise.by"?: "nats" | "quantiles";
  /** Lower end of the band (nats). A number from 0 to 1000; default 0. exists where filter.surprise is on and filter.surprise.by is nats or quantiles. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ei, rft, sft-gt. */
  readonly "filter.surprise.low"?: number;
  /** Upper end of the band (nats); null: no bound. A number from 0 to 1000 or null; default null. exists where filter.surprise is on and filter.surprise.by is nats or quantiles. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ei, rft, sft-gt. */
  readonly "filter.surprise.high"?: number | null;
  /** Tokens around the code, such as the end of a turn, are never pushed down. True or false; default false. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.protectFormat"?: boolean;
  /** Some tokens get no gradient, drawn where log-prob and advantage vary together. null (off), true (on, with its defaults), or its fields; default off. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.covariance"?: boolean | object | null;
  /** Share of tokens without a gradient. A number from 0 to 1; default 0.0002. exists where filter.covariance is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.covariance.share"?: number;
  /** Least covariance of those tokens. A number from -1000 to 1000; default 1. exists where filter.covariance is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.covariance.low"?: number;
  /** Largest covariance of those tokens. A number from -1000 to 1000; default 5. exists where filter.covariance is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "filter.covariance.high"?: number;
  /** Earlier rollouts are remembered and used again. null (off), true (on, with its defaults), or its fields; default off. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ei, rft. */
  readonly "buffer"?: boolean | object | null;
  /** Rollouts remembered of a task. An integer from 1 to 10000; default 8. exists where buffer is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ei, rft. */
  readonly "buffer.perTask"?: number;
  /** Rollouts remembered of all tasks. An integer from 1 to 1000000; default 2048. exists where buffer is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ei, rft. */
  readonly "buffer.capacity"?: number;
  /** Iterations after which a rollout is forgotten. An integer from 1 to 1000000; default 10. exists where buffer is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ei, rft. */
  readonly "buffer.maxAge"?: number;
  /** What is worth remembering: passed rollouts, or those with a positive advantage. One of passed, positive; default "passed". exists where buffer is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ei, rft. */
  readonly "buffer.keep"?: "passed" | "positive";
  /** A remembered success takes the last place in a group that failed as a whole. null (off), true (on, with its defaults), or its fields; default off. exists where buffer is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "buffer.inject"?: boolean | object | null;
  /** A group has failed when its mean return is below this. A number from -1000 to 1000; default 0.2. exists where buffer is on and buffer.inject is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "buffer.inject.below"?: number;
  /** and the standard deviation of its returns is below this. A number from 0 to 1000; default 0.05. exists where buffer is on and buffer.inject is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "buffer.inject.spread"?: number;
  /** What a remembered rollout must have earned to be injected. A number from -1000 to 1000; default 0.1. exists where buffer is on and buffer.inject is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "buffer.inject.reward"?: number;
  /** Where nothing is remembered of a task, its own solution is injected. True or false; default false. exists where buffer is on and buffer.inject is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "buffer.inject.solutions"?: boolean;
  /** A further pass over remembered rollouts that beat what groups earn now. null (off), true (on, with its defaults), or its fields; default off. exists where buffer is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "buffer.replay"?: boolean | object | null;
  /** Weight of the further pass. A number from 0 to 100, or a schedule of it as JSON: {"shape":"linear","from":1,"to":0,"over":100}, "cosine" likewise, or {"shape":"steps","values":[1,2],"every":10}; default 1. exists where buffer is on and buffer.replay is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "buffer.replay.weight"?: number | object;
  /** Remembered returns are measured against this quantile of recent group means. A number from 0 to 1; default 0.5. exists where buffer is on and buffer.replay is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "buffer.replay.quantile"?: number;
  /** Recent groups of that measure. An integer from 1 to 1000000; default 1024. exists where buffer is on and buffer.replay is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "buffer.replay.groups"?: number;
  /** Weight of imitating the solutions of the iteration's tasks beside the surrogate; 0: none. A number from 0 to 100, or a schedule of it as JSON: {"shape":"linear","from":1,"to":0,"over":100}, "cosine" likewise, or {"shape":"steps","values":[1,2],"every":10}; default 0. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict. */
  readonly "imitation.mixWeight"?: number | object;
  /** Tasks that are drawn, by how often they were passed lately. A list of some of unseen, hard, medium, easy; default ["unseen","hard","medium","easy"]. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, sft-gt, dmpo, dpo-mcts. */
  readonly "tasks.classes"?: readonly unknown[];
  /** Tasks that are mastered are no longer drawn. null (off), true (on, with its defaults), or its fields; default off. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, sft-gt, dmpo, dpo-mcts. */
  readonly "tasks.prune"?: boolean | object | null;
  /** Share of passed rollouts from which a task is mastered. A number from 0 to 1; default 0.9. exists where tasks.prune is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, sft-gt, dmpo, dpo-mcts. */
  readonly "tasks.prune.above"?: number;
  /** Groups of a task that must have been seen before it may be left out. An integer from 1 to 1000000; default 2. exists where tasks.prune is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, sft-gt, dmpo, dpo-mcts. */
  readonly "tasks.prune.after"?: number;
  /** Training tasks that are drawn from, chosen at random once, so that what is known of a task is used again; null: all. An integer from 1 to 10000000 or null; default null. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, sft-gt, dmpo, dpo-mcts. */
  readonly "tasks.pool"?: number | null;
  /** K falls from algo.groupSize to this where a task nearly always or never succeeds; null: always algo.groupSize. An integer from 2 to 1024 or null; default null. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, sft-gt, dmpo, dpo-mcts. */
  readonly "tasks.minGroupSize"?: number | null;
  /** Share of a task's averages that stays at a new group. A number from 0 to 1; default 0.7. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, sft-gt, dmpo, dpo-mcts. */
  readonly "tasks.memory"?: number;
  /** scaffold.maxTurns over iterations, rounded down; null: constant. A number from 1 to 1000, or a schedule of it as JSON: {"shape":"linear","from":1,"to":0,"over":100}, "cosine" likewise, or {"shape":"steps","values":[1,2],"every":10}, or null; default null. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, sft-gt, dmpo, dpo-mcts. */
  readonly "schedule.maxTurns"?: number | object | null;
  /** Stretches of training with fields, or a method, of their own; the last one stays. A JSON list of {"iterations": 10, "patch": {"algo.clip": 0.2}, "method": "ei"}; default []. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, sft-gt, dmpo, dpo-mcts. */
  readonly "schedule.stages"?: readonly unknown[];
  /** What the rollouts of a task are to each other. One of groups, branches, restarts, chains; default "groups". read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.kind"?: "groups" | "branches" | "restarts" | "chains";
  /** A failed training task may be tried again in one dialogue, with feedback. null (off), true (on, with its defaults), or its fields; default off. exists where collect.kind is groups or chains. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.attempts"?: boolean | object | null;
  /** Times that a task may be tried. An integer from 2 to 16; default 2. exists where collect.kind is groups or chains and collect.attempts is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.attempts.most"?: number;
  /** What a failed attempt is told: that it failed, or also which checks did. One of try-again, checks; default "try-again". exists where collect.kind is groups or chains and collect.attempts is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.attempts.feedback"?: "try-again" | "checks";
  /** Where to fork: at the turn whose first tokens were least certain, at the least likely turn, every few turns, anywhere. One of entropy, logprob, every, random; default "entropy". exists where collect.kind is branches. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.at"?: "entropy" | "logprob" | "every" | "random";
  /** First tokens of a turn whose mean surprise is looked at. An integer from 1 to 1000; default 8. exists where collect.kind is branches and collect.at is entropy. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.tokens"?: number;
  /** Turns between forks. An integer from 1 to 1000; default 2. exists where collect.kind is branches and collect.at is every. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.every"?: number;
  /** Rollouts of a group that are forked from its other, linear ones. An integer from 1 to 1023; default 2. exists where collect.kind is branches. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.count"?: number;
  /** Turns before a fork: context for the forked rollout, or actions of every rollout that holds them. One of masked, attributed; default "masked". exists where collect.kind is branches. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.sharedPrefix"?: "masked" | "attributed";
  /** Share of an iteration's tasks that begin with a stored piece of an earlier rollout. A number from 0.000001 to 1; default 0.5. exists where collect.kind is restarts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.share"?: number;
  /** Beginnings that are kept, those of groups whose returns differed most. An integer from 1 to 100000; default 256. exists where collect.kind is restarts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.pool"?: number;
  /** Tasks of one scenario that a rollout solves in sequence, with what it carries along. An integer from 2 to 3; default 2. exists where collect.kind is chains. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.length"?: number;
  /** What later tasks of a chain see of earlier ones: a note of the policy, or its code. One of notes, code; default "notes". exists where collect.kind is chains. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.carry"?: "notes" | "code";
  /** Length of what is carried. An integer from 16 to 1000000; default 300. exists where collect.kind is chains. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "collect.characters"?: number;
  /** All that was said (paper); the last turns; all, summed up when it grows long; a state that it rewrites each turn. One of growing, window, summary, state; default "growing". read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "context.kind"?: "growing" | "window" | "summary" | "state";
  /** Turns that the window holds. An integer from 1 to 1000; default 2. exists where context.kind is window. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "context.turns"?: number;
  /** What leaves the window: whole turns, or their observations. One of turns, observations; default "turns". exists where context.kind is window. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "context.drops"?: "turns" | "observations";
  /** A row that would be longer is summed up by the policy. An integer from 16 to 131072; default 256. exists where context.kind is summary. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "context.tokens"?: number;
  /** Summaries of a rollout; one more ends it. An integer from 0 to 1000; default 4. exists where context.kind is summary. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "context.most"?: number;
  /** Longer observations are read in pieces, the state rewritten after each; null: whole. An integer from 1 to 10000000 or null; default null. exists where context.kind is state. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "context.chunkCharacters"?: number | null;
  /** Who speaks behind observations: none, reminder (the task again), errors (what failed so far), policy, or a module's path. A name; default "none". read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "participants.user"?: string;
  /** The user that the policy plays is learned from too, as a role of its own. null (off), true (on, with its defaults), or its fields; default off. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "participants.trainedUser"?: boolean | object | null;
  /** The trained user's return is 1 - R, not R. True or false; default false. exists where participants.trainedUser is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "participants.trainedUser.opposed"?: boolean;
  /** The policy writes a plan before it acts. null (off), true (on, with its defaults), or its fields; default off. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "participants.planner"?: boolean | object | null;
  /** Turns after which it plans again; 0: only at the start. An integer from 0 to 1000; default 0. exists where participants.planner is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "participants.planner.every"?: number;
  /** Whose tokens are learned from. One of all, actor, planner; default "all". exists where participants.planner is on. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "participants.planner.trained"?: "all" | "actor" | "planner";
  /** Who marks every turn from 0 to 1 in the record: none, policy, or a module's path. A name; default "none". read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "participants.judge"?: string;
  /** None (paper); items by learned value; items by their success; two texts that the policy rewrites. One of none, q-values, success-counts, texts; default "none". read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.kind"?: "none" | "q-values" | "success-counts" | "texts";
  /** Who writes an item: the code that ran, or the policy when the episode has ended. One of record, policy; default "record". exists where memory.kind is q-values or success-counts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.author"?: "record" | "policy";
  /** Items in a prompt. An integer from 1 to 100; default 2. exists where memory.kind is q-values or success-counts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.items"?: number;
  /** Items nearest to a task by their words, of which the most useful are taken. An integer from 1 to 1000; default 5. exists where memory.kind is q-values or success-counts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.candidates"?: number;
  /** An item's score for a task, as a share of the task's own, below which it is no candidate. A number from 0 to 1; default 0. exists where memory.kind is q-values or success-counts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.minimumSimilarity"?: number;
  /** Items kept; the oldest leave. An integer from 1 to 1000000; default 500. exists where memory.kind is q-values or success-counts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.capacity"?: number;
  /** Share of items that are drawn at random from the candidates. A number from 0 to 1; default 0. exists where memory.kind is q-values or success-counts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.exploration"?: number;
  /** Length of an item. An integer from 16 to 1000000; default 300. exists where memory.kind is q-values or success-counts or texts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.characters"?: number;
  /** Step of an item's value towards what it earned. A number from 0 to 1; default 0.3. exists where memory.kind is q-values. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.learningRate"?: number;
  /** An item used this often is forgotten when it helped too rarely. An integer from 1 to 1000000; default 5. exists where memory.kind is success-counts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.minimumUses"?: number;
  /** Share of its uses that must have succeeded. A number from 0 to 1; default 0.3. exists where memory.kind is success-counts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.minimumShare"?: number;
  /** Rollouts of an iteration that texts are rewritten from. An integer from 1 to 10000; default 2. exists where memory.kind is texts. read by loop-turn, loop-trajectory, loop-trajectory-mean, loop-rwnorm, rloo, on-policy, grpo, grpo-no-kl, many-strict, ppo-critic, ei, rft, dmpo. */
  readonly "memory.rewrites"?: number;
  /** Lambda of generalised advantage estimation: a constant, or by a rollout's length. One of constant, length; default "constant". read by ppo-critic. */
  readonly "critic.lambdaBy"?: "constant" | "length";
  /** Lambda of the estimation. A number from 0 to 1; default 1. exists where critic.lambdaBy is constant. read by ppo-critic. */
  readonly "critic.lambda"?: number;
  /** Lambda is 1 - 1 / (this x the rollout's steps), so it grows with length. A number from 0.000001 to 100; default 0.05. exists where critic.lambdaBy is length. read by ppo-critic. */
  readonly "critic.adaptiveLambda"?: number;
  /** Learning rate of the value head. A number from 0 to 1; default 0.001. read by ppo-critic. */
  readonly "critic.learningRate"?: number;
  /** Iterations that only fit the value head, before the policy learns. An integer from 0 to 1000000; default 10. read by ppo-critic. */
  readonly "critic.warmIterations"?: number;
  /** Gamma: weight of what comes a token later. A number from 0 to 1; default 1. read by ppo-critic. */
  readonly "critic.discount"?: number;
  /** A step of the estimation: an action token, or a turn, valued before its first token. One of token, turn; default "token". read by ppo-critic. */
  readonly "critic.unit"?: "token" | "turn";
  /** Advantages of an iteration's tokens are brought to mean 0 and standard deviation 1. True or false; default false. read by ppo-critic. */
  readonly "critic.whiten"?: boolean;
  /** A value may not gain by moving further than this in an iteration; null: no bound. A number from 0.001 to 100 or null; default null. read by ppo-critic. */
  readonly "critic.valueClip"?: number | null;
  /** AdamW: decay of the value head at first. A number from 0 to 10; default 0.1. read by ppo-critic. */
  readonly "critic.weightDecay"?: number;
  /** It moves linearly to this in the last iteration. A number from 0 to 10; default 0.001. read by ppo-critic. */
  readonly "critic.finalWeightDecay"?: number;
  /** Rollouts of a group are sampled at even steps from this temperature to algo.temperature; null: all at the latter. A number from 0.05 to 10 or null; default null. read by ei, rft, dmpo. */
  readonly "algo.lowestTemperature"?: number | null;
  /** The agent's words in passed rollouts, or what the world answered in all of them. One of actions, observations; default "actions". read by ei, rft. */
  readonly "imitation.target"?: "actions" | "observations";
  /** Rollouts are imitated by weights exp(return / this); null: the passed ones, equally. A number from 0.001 to 1000 or null; default null. exists where imitation.target is actions. read by ei, rft. */
  readonly "imitation.temperature"?: number | null;
  /** Where the answers come from: the policy's own rollouts, or its actions in the states of the tasks' solutions. One of own, expert; default "own". exists where imitation.target is observations. read by ei, rft. */
  readonly "imitation.states"?: "own" | "expert";
  /** Pairs are told apart (DPO), or differences of log-ratios are fitted to differences of returns. One of logistic, squared; default "logistic". read by dmpo, dpo-mcts. */
  readonly "preference.loss"?: "logistic" | "squared";
  /** Strength of the hold on the reference: log-ratios are multiplied by it. A number from 0.000001 to 100; default 0.1. exists where preference.loss is logistic. read by dmpo, dpo-mcts. */
  readonly "preference.beta"?: number;
  /** Nats of log-ratio that a return of 1 is worth. A number from 0.001 to 1000; default 1. exists where preference.loss is squared. read by dmpo, dpo-mcts. */
  readonly "preference.eta"?: number;
  /** What of two rollouts is compared: all turns, discounted, or a few from the first that differs. One of all, segment; default "all". read by dmpo. */
  readonly "preference.turns"?: "all" | "segment";
  /** Weight of a turn's log-ratio relative to the turn before. A number from 0.01 to 1; default 0.95. exists where preference.turns is all. read by dmpo. */
  readonly "preference.discount"?: number;
  /** Turns that are compared, from the first that differs. An integer from 1 to 1000; default 1. exists where preference.turns is segment. read by dmpo. */
  readonly "preference.segmentTurns"?: number;
  /** Two rollouts of a task, or two turns of a tree, are a pair when returns differ more. A number from 0 to 1; default 0.5. read by dmpo, dpo-mcts. */
  readonly "preference.minimumGap"?: number;
  /** Pairs kept from earlier iterations and learned from again; 0: none. An integer from 0 to 1000000; default 0. read by dmpo, dpo-mcts. */
  readonly "preference.buffer"?: number;
  /** Weight of a node's uncertainty against its mean return when a branch is chosen. A number from 0 to 100; default 1. read by dpo-mcts. */
  readonly "tree.exploration"?: number;
};
