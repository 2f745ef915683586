/** Mechanisms by name: the fields that switch them on, and the test that shows what each does. */

export interface MechanismNote {
  readonly fields: string;
  readonly file: string;
  readonly test: string;
}

export const MECHANISM_NOTES: Readonly<Record<string, MechanismNote>> = {
  "warm start": {
    fields: "warm.*",
    file: "src/train/train.test.ts",
    test: "warms up on mostly hasty demonstrations and then learns from reward alone",
  },
  "group advantage": {
    fields: "algo.baseline, algo.scale",
    file: "src/train/tests/recipes.test.ts",
    test: "grpo is LOOP with the group's mean and std, on-policy, with KL on all groups",
  },
  "KL to the start": {
    fields: "algo.kl.coefficient",
    file: "src/train/tests/recipes.test.ts",
    test: "the KL term pulls: with a heavy one the policy stays nearer to its start",
  },
  "KL on first turns": {
    fields: "algo.kl.turns",
    file: "src/train/tests/learning.test.ts",
    test: "KL on the first turn alone leaves later turns free",
  },
  "entropy bonus and band": {
    fields: "algo.entropyCoefficient, algo.entropyBand",
    file: "src/train/tests/learning.test.ts",
    test: "an entropy band around the past keeps entropy from falling",
  },
  "wider upper clip": {
    fields: "algo.upperClip",
    file: "src/train/tests/learning.test.ts",
    test: "a wider upper clip lets good tokens go further",
  },
  "gradient above the clip": {
    fields: "algo.keptShare",
    file: "src/train/tests/learning.test.ts",
    test: "tokens that keep a gradient above the clip move although they are clipped",
  },
  "sampler correction": {
    fields: "algo.samplerCap",
    file: "src/train/tests/learning.test.ts",
    test: "the sampler correction weighs a token by the learner's over the sampler's probability",
  },
  "reward terms": {
    fields: "rewards.terms",
    file: "src/train/tests/rewards.test.ts",
    test: "paying for turns makes rollouts longer, charging for them shorter",
  },
  gate: {
    fields: "rewards.terms gate",
    file: "src/train/tests/rewards.test.ts",
    test: "a gated term is paid to rollouts whose outcome reaches the gate, and to no other",
  },
  decay: {
    fields: "rewards.terms decay",
    file: "src/train/tests/rewards.test.ts",
    test: "a term that decays pays an early success more than a late one",
  },
  "schedule of a weight": {
    fields: "rewards.terms weight",
    file: "src/train/tests/rewards.test.ts",
    test: "a weight follows its schedule over iterations",
  },
  penalty: {
    fields: "rewards.terms how",
    file: "src/train/tests/rewards.test.ts",
    test: "a penalty is floored at nothing earned, a factor takes its share",
  },
  "information gain": {
    fields: "rewards.terms information-gain",
    file: "src/train/tests/rewards.test.ts",
    test: "turns are paid what they add to the policy's belief in the known answer",
  },
  contributions: {
    fields: "rewards.terms contribution",
    file: "src/train/tests/rewards.test.ts",
    test: "contributions of turns sum to the outcome",
  },
  "ranking head": {
    fields: "rewards.terms ranking",
    file: "src/train/tests/rewards.test.ts",
    test: "a head that ranks rollouts finds that successes are short, and shortness is learned",
  },
  "pay for attempts": {
    fields: "rewards.terms attempt, improvement",
    file: "src/train/tests/credit.test.ts",
    test: "attempts are paid by what they earned, and by how much they improved",
  },
  "pay for marks": {
    fields: "rewards.terms judge",
    file: "src/train/tests/credit.test.ts",
    test: "a judge's marks are paid turn by turn",
  },
  "credit of turns": {
    fields: "credit.unit, credit.returns, credit.key",
    file: "src/train/tests/credit.test.ts",
    test: "a rollout's turns share one advantage; with credit of turns each has its own",
  },
  "episode and turn": {
    fields: "credit.unit both",
    file: "src/train/tests/credit.test.ts",
    test: "the mix of both is their weighted sum",
  },
  "running baseline": {
    fields: "algo.baseline running",
    file: "src/train/tests/credit.test.ts",
    test: "a running baseline needs no group: rollouts of uniform groups are learned from",
  },
  "batch gain": {
    fields: "credit.batchGain",
    file: "src/train/tests/credit.test.ts",
    test: "batch gain: the step is larger by groups over groups that teach",
  },
  "entropy factor": {
    fields: "credit.entropyFactor",
    file: "src/train/tests/credit.test.ts",
    test: "entropy factor: uncertain tokens of a rollout get a larger advantage than certain ones",
  },
  "credit in trees": {
    fields: "credit.branches",
    file: "src/train/tests/credit.test.ts",
    test: "%s: turns around a fork get an advantage of their own, other rollouts one for all",
  },
  "filters of rollouts": {
    fields: "filter.voidTurns, overTurn, overLong",
    file: "src/train/tests/learning.test.ts",
    test: "%s leaves out just those rollouts, from learning alone",
  },
  "high-entropy turns": {
    fields: "filter.entropyTurnShare",
    file: "src/train/tests/learning.test.ts",
    test: "high-entropy turns alone: of several turns some have no gradient, none has half a one",
  },
  "surprise band": {
    fields: "filter.surprise",
    file: "src/train/tests/over-iterations.test.ts",
    test: "of turns to imitate, those outside of the surprise band are left out",
  },
  "format protected": {
    fields: "filter.protectFormat",
    file: "src/train/tests/learning.test.ts",
    test: "the end of a turn is never pushed down when the format is protected",
  },
  "covariance clip": {
    fields: "filter.covariance",
    file: "src/train/tests/learning.test.ts",
    test: "covariance clip: the stated share of tokens gets no gradient, others do",
  },
  injection: {
    fields: "buffer.inject",
    file: "src/train/tests/over-iterations.test.ts",
    test: "a group that failed as a whole gets a success, and then teaches",
  },
  replay: {
    fields: "buffer.replay",
    file: "src/train/tests/over-iterations.test.ts",
    test: "a further pass over what beat recent groups, with a weight of its own",
  },
  "imitated again": {
    fields: "buffer",
    file: "src/train/tests/over-iterations.test.ts",
    test: "what passed before is imitated again",
  },
  pruning: {
    fields: "tasks.prune",
    file: "src/train/tests/over-iterations.test.ts",
    test: "mastered tasks are no longer drawn",
  },
  difficulty: {
    fields: "world.difficulties, tasks.classes",
    file: "src/train/tests/over-iterations.test.ts",
    test: "declared difficulty and classes by success narrow the draw",
  },
  "group size by success": {
    fields: "tasks.minGroupSize",
    file: "src/train/tests/over-iterations.test.ts",
    test: "K is smaller where a task always or never succeeds",
  },
  "tasks that teach": {
    fields: "algo.taskSampling",
    file: "src/train/tests/over-iterations.test.ts",
    test: "tasks near one half are drawn rather than decided ones",
  },
  "growing horizon": {
    fields: "schedule.maxTurns",
    file: "src/train/tests/over-iterations.test.ts",
    test: "the horizon grows",
  },
  stages: {
    fields: "schedule.stages",
    file: "src/train/tests/over-iterations.test.ts",
    test: "stages: imitation of solutions first, reinforcement after",
  },
  "expert iteration": {
    fields: "method ei",
    file: "src/train/tests/recipes.test.ts",
    test: "expert iteration learns from passed rollouts only",
  },
  "weights by return": {
    fields: "imitation.temperature",
    file: "src/train/tests/over-iterations.test.ts",
    test: "rollouts are imitated by weights that grow with their return",
  },
  "world model": {
    fields: "imitation.target observations",
    file: "src/train/tests/over-iterations.test.ts",
    test: "a world model: what is learned is the answers, of all rollouts, and no word of the agent",
  },
  "segment of a pair": {
    fields: "preference.turns segment",
    file: "src/train/tests/over-iterations.test.ts",
    test: "only a segment is compared: turns before the first difference have no gradient",
  },
  "squared pairs": {
    fields: "preference.loss squared",
    file: "src/train/tests/over-iterations.test.ts",
    test: "a squared loss stops where log-ratios match returns; a logistic one goes on",
  },
  "tree search": {
    fields: "method dpo-mcts",
    file: "src/train/tests/recipes.test.ts",
    test: "a tree's rollouts share prefixes and its pairs are turns of different worth",
  },
  critic: {
    fields: "method ppo-critic",
    file: "src/train/tests/recipes.test.ts",
    test: "the critic learns alone first, and then explains returns",
  },
  "critic of turns": {
    fields: "critic.unit turn",
    file: "src/train/tests/learning.test.ts",
    test: "steps of turns: all tokens of a turn share one advantage",
  },
  "rewards to a critic": {
    fields: "rewards.terms with a critic",
    file: "src/train/tests/learning.test.ts",
    test: "turn rewards reach the estimate: with gamma 0 only a turn's own reward counts",
  },
  "lambda by length": {
    fields: "critic.lambdaBy, critic.valueClip",
    file: "src/train/tests/learning.test.ts",
    test: "lambda by length shortens the view of short rollouts; a clipped value moves less",
  },
  forks: {
    fields: "collect.kind branches, collect.at",
    file: "src/train/tests/shapes.test.ts",
    test: "at %s: siblings share every token before the fork, and learn from their own alone",
  },
  restarts: {
    fields: "collect.kind restarts",
    file: "src/train/tests/shapes.test.ts",
    test: "a later group goes on from a stored beginning, whose tokens are context",
  },
  segments: {
    fields: "context.kind",
    file: "src/train/tests/shapes.test.ts",
    test: "%s: several rows of one rollout are learned from with one advantage",
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
    test: "a state is written after each observation, and the next code is in the same row",
  },
  chunks: {
    fields: "context.kind state, context.chunkCharacters",
    file: "src/agent/context.test.ts",
    test: "a long observation is read in pieces, each with the state written after the piece before",
  },
  chains: {
    fields: "collect.kind chains",
    file: "src/train/tests/shapes.test.ts",
    test: "what a link leaves is in the prompt of the next one; links are compared by position",
  },
  "carried code": {
    fields: "collect.carry code",
    file: "src/train/tests/shapes.test.ts",
    test: "code is carried instead of notes",
  },
  attempts: {
    fields: "collect.attempts",
    file: "src/train/tests/shapes.test.ts",
    test: "a failed attempt is followed by another in the same rollout; each is in the record",
  },
  user: {
    fields: "participants.user",
    file: "src/agent/participants.test.ts",
    test: "a participant's words follow the observation, are recorded, and are not trained",
  },
  "trained user": {
    fields: "participants.trainedUser",
    file: "src/train/tests/shapes.test.ts",
    test: "a trained user is a rollout of its own: it is learned from by its role, and plays against the agent",
  },
  "errors repeated": {
    fields: "participants.user errors",
    file: "src/agent/participants.test.ts",
    test: "failedCodeReminder lists each failed code once, and only after a failed turn",
  },
  planner: {
    fields: "participants.planner",
    file: "src/train/tests/shapes.test.ts",
    test: "a planner's plan is an action, the actor's turns are not where the planner alone is trained",
  },
  judge: {
    fields: "participants.judge",
    file: "src/train/tests/shapes.test.ts",
    test: "a judge's marks are on the turns of training rollouts",
  },
  "memory of items": {
    fields: "memory.kind q-values, success-counts",
    file: "src/train/tests/shapes.test.ts",
    test: "%s: items of earlier iterations are in later prompts",
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
    file: "src/train/tests/shapes.test.ts",
    test: "two texts are written anew by the policy, and every later prompt holds them",
  },
  notes: {
    fields: "memory.author policy",
    file: "src/train/tests/shapes.test.ts",
    test: "items that the policy writes are its closing notes",
  },
};
