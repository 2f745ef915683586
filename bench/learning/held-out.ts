/**
 * Measures how trained policies handle what a split of `everyday/starter` keeps from training: pairs of a selector and
 * an action that no training task has, and names that no training task mentions. Also shows whether failures are in a
 * few signatures.
 *
 * npx tsx bench/learning/held-out.ts runs/laptop-seed1 runs/starter-seed1 [--split dev] [--when before|after]
 * [--greedy]
 *
 * It reads the rollouts of evaluations from the run directories and samples nothing.
 */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { readRollouts } from "../../src/train/index.ts";
import { signaturesOf } from "../../worlds/everyday/goals/signatures.ts";
import {
  type CountOfTotal,
  type HeldOutMeasures,
  listPairs,
  measureHeldOut,
} from "./held-out-measures.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: "string", default: "test-normal" },
    when: { type: "string", default: "after" },
    greedy: { type: "boolean", default: false },
  },
});
if (positionals.length === 0) throw new Error("expected run directories");

const evaluation = `eval-${values.when}-${values.split}-${values.greedy ? "greedy" : "T1"}`;
const pairsInTraining = new Set(signaturesOf("train").flatMap(({ name }) => listPairs(name)));
const all = positionals.map((directory): [string, HeldOutMeasures] => {
  const rollouts = readRollouts(directory, evaluation);
  if (rollouts.length === 0) throw new Error(`${directory} has no rollouts of ${evaluation}`);
  return [basename(directory), measureHeldOut(rollouts, pairsInTraining)];
});

const formatShare = ({ count, all }: CountOfTotal) => `${count} of ${all}`;
console.log(
  `${evaluation}: tasks passed, with trained pairs only and with new pairs; rollouts with a miscopied name; failures in signatures of which at most a third pass`,
);
for (const [name, { trainedPairs, newPairs, miscopied, unmastered, signatures }] of all) {
  console.log(
    `${name}: ${formatShare(trainedPairs)}, ${formatShare(newPairs)}; ${formatShare(miscopied)} that write one; ${formatShare(unmastered)} failures`,
  );
  for (const signature of signatures) console.log(`  ${signature}`);
}
