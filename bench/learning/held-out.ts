/**
 * Of what a split of `everyday/starter` holds out, what does a trained policy master: pairs of a selector and an action that
 * no training task has, and names that no training task tells? And are its failures spread, or in a few signatures?
 *
 *   npx tsx bench/learning/held-out.ts runs/laptop-seed1 runs/starter-seed1 [--split dev] [--when before|after] [--greedy]
 *
 * It reads the rollouts of the runs' evaluations, which a run directory keeps; nothing is sampled again.
 */
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { readRollouts } from "../../src/train/index.ts";
import { signaturesOf } from "../../worlds/everyday/goals/signatures.ts";
import { type HeldOut, heldOut, pairsOf, type Share } from "./held-out-measures.ts";

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
const trained = new Set(signaturesOf("train").flatMap(({ name }) => pairsOf(name)));
const all = positionals.map((directory): [string, HeldOut] => {
  const rollouts = readRollouts(directory, evaluation);
  if (rollouts.length === 0) throw new Error(`${directory} has no rollouts of ${evaluation}`);
  return [basename(directory), heldOut(rollouts, trained)];
});

const of = ({ count, all }: Share) => `${count} of ${all}`;
console.log(
  `${evaluation}: passed, of tasks with trained pairs alone and of others; miscopied a name; failed in signatures of which at most a third pass`,
);
for (const [name, { trainedPairs, newPairs, miscopied, unmastered, signatures }] of all) {
  console.log(
    `${name}: ${of(trainedPairs)}, ${of(newPairs)}; ${of(miscopied)} that write one; ${of(unmastered)} failures`,
  );
  for (const signature of signatures) console.log(`  ${signature}`);
}
