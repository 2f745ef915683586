/** Rules on answers that are cut or cannot be read, and on episodes that run out of turns or tokens. */

import type { ObservedAnswer, ObservedRollout } from "./observe-rollout.ts";
import { areAllAlike, groupRollouts, type IsCut } from "./observed-groups.ts";
import { note, type Rule } from "./picture.ts";
import { formatShare, isAbove, MOST, type Share, SOME, shareOf } from "./shares.ts";

/** An answer with the task in which it was given. */
type AnswerOfTask = ObservedAnswer & { readonly task: string };

const listAnswers = (rollouts: readonly ObservedRollout[]): AnswerOfTask[] =>
  rollouts.flatMap(({ task, answers }) => answers.map((answer) => ({ ...answer, task })));

/** A sampler that stops at the right token never returns this token within an answer. */
export const findStopNotHeard: Rule = ({ recent, isCut }) => {
  const cut = listAnswers(recent).filter(isCut);
  const followed = cut.filter(({ next }) => next !== undefined);
  const heard = followed.length > 0 ? followed : cut;
  const holds = shareOf(heard, ({ holdsNext, holdsOpening, next }) =>
    next === undefined ? holdsOpening : holdsNext,
  );
  if (!isAbove(holds, MOST)) return undefined;
  return note(
    "stop-not-heard",
    `${formatShare(holds)} of the answers that reach the limit on tokens already hold the token that ends a message, and the sampler went on after it`,
    "the sampler waits for another token or text than the one that the model was taught: make the stop tokens of the model's tokenizer, its chat template and the agent's requests agree",
  );
};

/** In most rollouts of the stuck tasks, the first thing that goes wrong is that an answer is cut. */
export const findCutAnswers: Rule = ({ stuck, isCut }) => {
  const cut = shareOf(stuck, (rollout) => findFirstFault(rollout, isCut).some(isCut));
  const answers = stuck.flatMap((rollout) => findFirstFault(rollout, isCut)).filter(isCut);
  if (!isAbove(cut, MOST) || isUnsure(answers)) return undefined;
  const limit = Math.max(...answers.map(({ length }) => length));
  return note(
    "answers-cut",
    `in ${formatShare(cut)} of the rollouts of tasks that no rollout solves, an answer is cut at ${limit} tokens before anything else goes wrong`,
    "allow longer answers, or warm-start on demonstrations with shorter ones",
    `--scaffold.max-turn-tokens ${2 * limit}`,
  );
};

/**
 * Returns the first answer of a rollout that cannot be read or is cut; an empty list if all are well. Later faults
 * follow from it: a policy does not know how to go on in a conversation that it never saw.
 */
function findFirstFault({ answers }: ObservedRollout, isCut: IsCut): ObservedAnswer[] {
  const first = answers.find((answer) => answer.isIllFormed || isCut(answer));
  return first === undefined ? [] : [first];
}

/**
 * Whether the policy is less sure of a token of most of these answers than of a coin (log 2 nats). A policy that does
 * not know how to go on may run on to the limit; one that knows what it writes is cut there.
 */
const isUnsure = (answers: readonly ObservedAnswer[]) => estimateEntropy(answers) > Math.LN2;

const illFormedShare = (answers: readonly AnswerOfTask[]): Share =>
  shareOf(answers, ({ isIllFormed }) => isIllFormed);

/**
 * Estimates the policy's entropy at its own tokens, in nats: minus the mean log-prob of an answer's tokens, and of all
 * answers the median. A few long answers that wander off would decide a mean.
 */
function estimateEntropy(answers: readonly ObservedAnswer[]): number {
  const perToken = answers.map(({ surprise, length }) => surprise / length).sort((a, b) => a - b);
  return perToken[Math.floor(perToken.length / 2)] ?? 0;
}

/** Most answers in the stuck tasks cannot be read. What the warm start measured says why. */
export const findIllFormedAnswers: Rule = ({ stuck, warmLosses, isCut }) => {
  const answers = listAnswers(stuck);
  const illFormed = illFormedShare(answers);
  if (!isAbove(illFormed, MOST)) return undefined;
  const faults = stuck.flatMap((rollout) => findFirstFault(rollout, isCut));
  const surprise = estimateEntropy(faults).toFixed(2);
  const seen = `${formatShare(illFormed)} of the answers in tasks that no rollout solves are ill-formed (they fail before any call), and the policy's entropy in the first of them is about ${surprise} nats per token`;
  if (warmLosses.length === 0) {
    const cure =
      "imitate demonstrations first, or start from a policy that knows the form of the answers";
    return note("answers-ill-formed", seen, cure, "--warm.demonstrations 1000 --warm.auto");
  }
  const losses = `the loss of the warm start went from ${warmLosses[0]!.toFixed(2)} to ${average(warmLosses.slice(-Math.max(1, windowSize(warmLosses)))).toFixed(2)} nats per token`;
  if (roseAgain(warmLosses)) {
    return note(
      "warm-start-diverged",
      `${seen}; ${losses}, and rose again in between`,
      "the learning rate of the warm start is too high: divide it by 10 or more",
    );
  }
  if (!isUnsure(faults) && !fellToTheEnd(warmLosses)) {
    return note(
      "answers-ill-formed",
      `${seen}; ${losses}, and had stopped falling`,
      "the policy writes what it imitated, and the world does not accept it: compare an answer of a rollout with a solution (`bowline world show`), and the scaffold with the one of the demonstrations",
    );
  }
  return note(
    "warm-start-too-short",
    `${seen}; ${losses}`,
    "imitate for longer: more epochs, or more demonstrations; --warm.auto adds epochs until the policy solves something",
    "--warm.auto",
  );
};

/**
 * Whether the loss was still falling when the warm start ended: its last quarter is lower than its third by more than a
 * tenth. Less than that is what the falling learning rate gives to a policy that has learned what it can.
 */
function fellToTheEnd(losses: readonly number[]): boolean {
  const size = Math.max(1, Math.floor(losses.length / 4));
  const last = average(losses.slice(-size));
  const before = average(losses.slice(-2 * size, -size));
  return losses.length < WINDOWS || last < 0.9 * before;
}

/** The number of windows into which the losses of a warm start are cut, so that each window averages over noise. */
const WINDOWS = 8;

const windowSize = (losses: readonly number[]) => Math.floor(losses.length / WINDOWS);

/**
 * Whether the loss of some window is higher than that of an earlier one, by more than three standard errors of the
 * difference. With 28 pairs of windows, two standard errors would be exceeded by chance.
 */
function roseAgain(losses: readonly number[]): boolean {
  const size = windowSize(losses);
  if (size < 2) return false;
  const windows = Array.from({ length: WINDOWS }, (_, i) => {
    const values = losses.slice(i * size, (i + 1) * size);
    const mean = average(values);
    const variance = average(values.map((value) => (value - mean) ** 2)) / values.length;
    return { mean, variance };
  });
  return windows.some((later, j) =>
    windows
      .slice(0, j)
      .some(
        (earlier) => later.mean - earlier.mean > 3 * Math.sqrt(later.variance + earlier.variance),
      ),
  );
}

const average = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);

/** Most rollouts of the stuck tasks use up their turns, although their answers can be read. */
export const findTurnsRunOut: Rule = ({ stuck }) => {
  const out = shareOf(stuck, ({ outcome }) => outcome === "turn-limit");
  if (!isAbove(out, MOST)) return undefined;
  const ended = stuck.filter(({ outcome }) => outcome === "turn-limit");
  if (isAbove(illFormedShare(listAnswers(ended)), MOST)) return undefined;
  const turns = Math.max(...ended.map((rollout) => rollout.turns));
  return note(
    "turns-run-out",
    `${formatShare(out)} of the rollouts of tasks that no rollout solves end at the limit of ${turns} turns, most of them with answers that can be read`,
    "allow more turns, in training and in evaluation",
    `--scaffold.max-turns ${2 * turns} --scaffold.evaluation-turns ${2 * turns}`,
  );
};

/** Most rollouts of the stuck tasks use up the tokens of their conversation. */
export const findRowsCut: Rule = ({ stuck }) => {
  const out = shareOf(stuck, ({ outcome }) => outcome === "token-limit");
  if (!isAbove(out, MOST)) return undefined;
  return note(
    "rows-cut",
    `${formatShare(out)} of the rollouts of tasks that no rollout solves end at the limit on tokens of a conversation`,
    "allow longer conversations, or cut observations shorter (scaffold.maxTokens, and model.contextLength for a new model)",
  );
};

/**
 * Evaluations end at the limit on turns after fewer turns than rollouts of training that finished. The two policies
 * are the same or nearly so, so training shows what the evaluation would have reached.
 */
export const findEvaluationCut: Rule = ({ evaluations, iterations }) => {
  const training = iterations.flatMap(({ rollouts }) => rollouts);
  const evaluated = evaluations.flatMap(({ rollouts }) => rollouts);
  const cut = evaluated.filter(({ outcome }) => outcome === "turn-limit");
  const turns = cut.reduce((most, rollout) => Math.max(most, rollout.turns), 0);
  const cutShare = shareOf(evaluated, ({ outcome }) => outcome === "turn-limit");
  const longer = shareOf(
    training,
    (rollout) => rollout.outcome === "finished" && rollout.turns > turns,
  );
  if (!isAbove(cutShare, SOME) || !isAbove(longer, SOME)) return undefined;
  const most = training.reduce((highest, rollout) => Math.max(highest, rollout.turns), 0);
  return note(
    "evaluation-cut",
    `${formatShare(cutShare)} of the evaluated rollouts end after ${turns} turns without finishing, and ${formatShare(longer)} of the training rollouts take more turns and finish`,
    "give evaluations at least as many turns as training; scores from before are too low",
    `--scaffold.evaluation-turns ${most}`,
  );
};

/**
 * In most groups that are not solved, all rollouts are the same from the first iteration on, and more often than the
 * warm start leaves room for: a policy that is certain of its answers repeats them at temperature 1, too.
 */
export const findEqualSamples: Rule = ({ first, last, warmLosses }) => {
  if (first === undefined || last === undefined) return undefined;
  const [start, now] = [measureEquality(first.rollouts), measureEquality(last.rollouts)];
  const seen = (share: Share) =>
    `in ${formatShare(share)} of the groups that are not solved, all rollouts say exactly the same`;
  if (isAbove(start, Math.max(MOST, expectedEquality(first.rollouts, warmLosses)))) {
    const cure =
      "the sampling temperature is 0 or close to it, or every rollout gets the same seed: sample at temperature 1";
    return note("samples-equal", seen(start), cure, "--algo.temperature 1");
  }
  if (!isAbove(now, MOST) || now.low < start.high) return undefined;
  return note(
    "policy-collapsed",
    `${seen(now)}; in iteration ${first.number} it was ${formatShare(start)}`,
    "the policy stopped exploring: start again with a lower learning rate, or with an entropy bonus",
  );
};

const listUnsolvedGroups = (rollouts: readonly ObservedRollout[]) =>
  groupRollouts(rollouts).filter(
    (group) => group.rollouts.length > 1 && !group.rollouts.every(({ isPassed }) => isPassed),
  );

/** Returns the share of unsolved groups in which all rollouts say the same. */
const measureEquality = (rollouts: readonly ObservedRollout[]): Share =>
  shareOf(listUnsolvedGroups(rollouts), (group) => areAllAlike(group, ({ said }) => said));

/**
 * Estimates the share of unsolved groups whose rollouts say the same at temperature 1. If a token costs h nats, as the
 * demonstrations do at the end of the warm start, another rollout of n tokens repeats the first with a probability of
 * about exp(-h n). Returns 0 without a warm start.
 */
function expectedEquality(rollouts: readonly ObservedRollout[], losses: readonly number[]): number {
  if (losses.length === 0) return 0;
  const groups = listUnsolvedGroups(rollouts);
  const loss = average(losses.slice(-Math.ceil(losses.length / WINDOWS)));
  const chances = groups.map((group) => {
    const tokens = average(
      group.rollouts.map(({ answers }) => answers.reduce((sum, { length }) => sum + length, 0)),
    );
    return Math.exp(-loss * tokens * (group.rollouts.length - 1));
  });
  return average(chances);
}
