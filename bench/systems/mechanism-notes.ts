/**
 * Lists the mechanisms of methods by name. Each has the fields that switch it on, and the test that shows what it does.
 */

export interface MechanismNote {
  readonly fields: string;
  readonly file: string;
  readonly test: string;
}

export const MECHANISM_NOTES: Readonly<Record<string, MechanismNote>> = {
  "warm start": {
    fields: "warm.*",
    file: "src/train/train.test.ts",
    test: "imitates mostly hasty demonstrations first, and then learns from reward alone",
  },
  "group advantage": {
    fields: "algo.baseline, algo.scale",
    file: "src/train/tests/recipes.test.ts",
    test: "grpo equals on-policy LOOP with the group's mean and standard deviation, and with KL on all groups",
  },
  "KL to the start": {
    fields: "algo.kl.coefficient",
    file: "src/train/tests/recipes.test.ts",
    test: "a large KL term keeps the policy close to its starting point",
  },
  "KL on first turns": {
    fields: "algo.kl.turns",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "a KL term on the first turn does not restrain later turns",
  },
  "entropy bonus and band": {
    fields: "algo.entropyCoefficient, algo.entropyBand",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "an entropy band prevents the entropy from falling",
  },
  "wider upper clip": {
    fields: "algo.upperClip",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "a wider upper clip clips fewer tokens",
  },
  "gradient above the clip": {
    fields: "algo.keptShare",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "with keptShare, some clipped tokens still get a gradient",
  },
  "sampler correction": {
    fields: "algo.samplerCap",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "samplerCap weights each token by the learner's probability divided by the sampler's, up to the cap",
  },
  "reward terms": {
    fields: "rewards.terms",
    file: "src/train/tests/rewards.test.ts",
    test: "a positive weight on turns makes rollouts longer, and a negative one makes them shorter",
  },
  gate: {
    fields: "rewards.terms gate",
    file: "src/train/tests/rewards.test.ts",
    test: "a reward term with a gate is added only to rollouts whose outcome reaches the gate",
  },
  decay: {
    fields: "rewards.terms decay",
    file: "src/train/tests/rewards.test.ts",
    test: "a reward term with decay pays more for an early success than for a late one",
  },
  "schedule of a weight": {
    fields: "rewards.terms weight",
    file: "src/train/tests/rewards.test.ts",
    test: "the weight of a reward term follows its schedule over iterations",
  },
  penalty: {
    fields: "rewards.terms how",
    file: "src/train/tests/rewards.test.ts",
    test: "a penalty or a factor never lowers the reward of a failure, while a negative term does",
  },
  "information gain": {
    fields: "rewards.terms information-gain",
    file: "src/train/tests/rewards.test.ts",
    test: "the reward term information-gain pays each turn for what it adds to the probability of the known answer",
  },
  "right decisions": {
    fields: "rewards.terms decision",
    file: "src/methods/on-policy/decisions.test.ts",
    test: "a turn is paid when it makes the calls of the solution's next turn, with the same arguments",
  },
  contributions: {
    fields: "rewards.terms contribution",
    file: "src/train/tests/rewards.test.ts",
    test: "the reward term contribution divides the outcome among the turns, and the parts sum to the outcome",
  },
  "ranking head": {
    fields: "rewards.terms ranking",
    file: "src/train/tests/rewards.test.ts",
    test: "the reward term ranking learns that successful rollouts are short, and rollouts become shorter",
  },
  "pay for attempts": {
    fields: "rewards.terms attempt, improvement",
    file: "src/train/tests/credit.test.ts",
    test: "the reward terms attempt and improvement pay for each attempt and for getting better between attempts",
  },
  "skill reward": {
    fields: "rewards.terms skill",
    file: "src/methods/rollouts/skills.test.ts",
    test: "a skill pays its writer and its user when both of their tasks passed",
  },
  "pay for marks": {
    fields: "rewards.terms judge",
    file: "src/train/tests/credit.test.ts",
    test: "the reward term judge pays the sum of the judge's marks on all turns",
  },
  "credit of turns": {
    fields: "credit.unit, credit.returns, credit.key",
    file: "src/train/tests/credit.test.ts",
    test: "all turns of a rollout share one advantage, and with credit.unit turn each has its own",
  },
  "episode and turn": {
    fields: "credit.unit both",
    file: "src/train/tests/credit.test.ts",
    test: "with credit.unit both, an advantage is a weighted sum of the episode's and the turn's",
  },
  "running baseline": {
    fields: "algo.baseline running",
    file: "src/train/tests/credit.test.ts",
    test: "a running baseline averages a task's returns over iterations",
  },
  "batch gain": {
    fields: "credit.batchGain",
    file: "src/train/tests/credit.test.ts",
    test: "batchGain multiplies the gradient by the number of all groups divided by the number of groups with different returns",
  },
  "entropy factor": {
    fields: "credit.entropyFactor",
    file: "src/train/tests/credit.test.ts",
    test: "with entropyFactor, uncertain tokens get a larger advantage than certain ones",
  },
  "credit in trees": {
    fields: "credit.branches",
    file: "src/train/tests/credit.test.ts",
    test: "with credit.branches %s, the turns of a forked rollout have different advantages, and those of other rollouts have the same",
  },
  "filters of rollouts": {
    fields: "filter.voidTurns, overTurn, overLong",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "the filter %s excludes exactly the rollouts that it is meant for from learning, but not from metrics",
  },
  "high-entropy turns": {
    fields: "filter.entropyTurnShare",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "with entropyTurnShare, only turns of high entropy get a gradient, and each of them as a whole",
  },
  "surprise band": {
    fields: "filter.surprise",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "imitation leaves out turns outside of the surprise band",
  },
  "format protected": {
    fields: "filter.protectFormat",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "protectFormat never lowers the probability of a stop token",
  },
  "covariance clip": {
    fields: "filter.covariance",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "the covariance clip removes the gradient of the configured share of tokens",
  },
  injection: {
    fields: "buffer.inject",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "with buffer.inject, a failed group gets a remembered success and then teaches something",
  },
  replay: {
    fields: "buffer.replay",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "with buffer.replay, remembered successes are learned from in an additional pass",
  },
  "imitated again": {
    fields: "buffer",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "with buffer.keep passed, expert iteration imitates rollouts of earlier iterations again",
  },
  pruning: {
    fields: "tasks.prune",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "with tasks.prune, mastered tasks are no longer drawn",
  },
  difficulty: {
    fields: "world.difficulties, tasks.classes",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "only tasks of world.difficulties are drawn",
  },
  "group size by success": {
    fields: "tasks.minGroupSize",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "with minGroupSize, tasks that always or never succeed get fewer rollouts",
  },
  "tasks that teach": {
    fields: "algo.taskSampling",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "near-half and variance sampling prefer tasks that pass sometimes but not always",
  },
  "growing horizon": {
    fields: "schedule.maxTurns",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "schedule.maxTurns lets rollouts become longer over iterations",
  },
  stages: {
    fields: "schedule.stages",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "one stage may imitate solutions, and the next one reinforce",
  },
  "expert iteration": {
    fields: "method ei",
    file: "src/train/tests/recipes.test.ts",
    test: "expert iteration learns only from passed rollouts",
  },
  "weights by return": {
    fields: "imitation.temperature",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "with imitation.temperature, the weight of a rollout grows exponentially with its return",
  },
  "world model": {
    fields: "imitation.target observations",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "with target observations, all rollouts are learned from, but only tokens of observations",
  },
  "segment of a pair": {
    fields: "preference.turns segment",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "with preference.turns segment, turns before the first difference have no gradient",
  },
  "squared pairs": {
    fields: "preference.loss squared",
    file: "src/train/tests/buffer-and-schedules.test.ts",
    test: "the squared preference loss stops at a margin set by eta, while the logistic one continues",
  },
  "tree search": {
    fields: "method dpo-mcts",
    file: "src/train/tests/recipes.test.ts",
    test: "tree search makes rollouts and pairs for each task and learns from the pairs",
  },
  critic: {
    fields: "method ppo-critic",
    file: "src/train/tests/recipes.test.ts",
    test: "the critic learns alone at first and then together with the policy, and its error falls",
  },
  "critic of turns": {
    fields: "critic.unit turn",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "with critic.unit turn, all tokens of a turn share one advantage",
  },
  "rewards to a critic": {
    fields: "rewards.terms with a critic",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "with a discount of 0, a turn's advantage contains only the turn's own reward",
  },
  "lambda by length": {
    fields: "critic.lambdaBy, critic.valueClip",
    file: "src/train/tests/filters-and-clips.test.ts",
    test: "lambda by length changes advantages, and valueClip removes gradients of values",
  },
  forks: {
    fields: "collect.kind branches, collect.at",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "branches at %s share every token before the fork with their parent, and learn only from their own tokens",
  },
  restarts: {
    fields: "collect.kind restarts",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "a later group continues after stored first turns, whose tokens are not trained on",
  },
  segments: {
    fields: "context.kind",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "with context %s, a rollout has several rows, and the policy learns from them",
  },
  window: {
    fields: "context.kind window, context.drops",
    file: "src/agent/context.test.ts",
    test: "a window that drops observations keeps the agent's messages",
  },
  summaries: {
    fields: "context.kind summary, context.most",
    file: "src/agent/context.test.ts",
    test: "a rollout ends when it needs more summaries than allowed",
  },
  states: {
    fields: "context.kind state",
    file: "src/train/warm/parts/parts.test.ts",
    test: "a state is written after each observation, and the next code follows it in the same row",
  },
  chunks: {
    fields: "context.kind state, context.chunkCharacters",
    file: "src/agent/context.test.ts",
    test: "a long observation is read in pieces, each with the state written after the piece before",
  },
  chains: {
    fields: "collect.kind chains",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "the prompt of a chain's second task has the note on the first, and groups compare rollouts at the same position",
  },
  "carried skills": {
    fields: "collect.carry skills",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "with collect.carry skills, a chain passes the programs of passed tasks on instead of notes",
  },
  attempts: {
    fields: "collect.attempts",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "after a failed attempt, a rollout makes another one and records a grade for each",
  },
  user: {
    fields: "participants.user",
    file: "src/agent/participants.test.ts",
    test: "a participant's words follow the observation, are recorded, and are not trained",
  },
  "trained user": {
    fields: "participants.trainedUser",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "a trained user has rows with a role of its own, and they are learned from",
  },
  "errors repeated": {
    fields: "participants.user errors",
    file: "src/agent/participants.test.ts",
    test: "failedCodeReminder lists each failed code once, and only after a failed turn",
  },
  planner: {
    fields: "participants.planner",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "with planner.trained planner, only the tokens of the plan are trained on",
  },
  judge: {
    fields: "participants.judge",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "training rollouts have the judge's mark on each turn, and evaluations have none",
  },
  "memory of items": {
    fields: "memory.kind q-values, success-counts",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "with memory %s, prompts of later iterations contain items from earlier ones",
  },
  "learned utility": {
    fields: "memory.kind q-values",
    file: "src/methods/rollouts/memory/memory.test.ts",
    test: "updateItems moves the value of used items towards the return: Q + a (R - Q)",
  },
  "success counts": {
    fields: "memory.kind success-counts",
    file: "src/methods/rollouts/memory/memory.test.ts",
    test: "with success counts, memory adds only successes and drops items that helped too rarely",
  },
  "memory of texts": {
    fields: "memory.kind texts",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "with memory texts, the policy writes two texts, and every later prompt contains them",
  },
  notes: {
    fields: "memory.author policy",
    file: "src/train/tests/rollout-shapes.test.ts",
    test: "with memory.author policy, the items are notes that the policy wrote",
  },
};
