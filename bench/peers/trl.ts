/**
 * Compares iterations of Bowline with iterations of TRL's GRPOTrainer on this machine, by turns in one run.
 *
 * npx tsx bench/peers/trl.ts --python ~/venv/bin/python                both parts
 * npx tsx bench/peers/trl.ts single-turn --sizes 128 --python ...      one part at one size
 *
 * The file README.md in this folder says what is compared and how.
 */
import { parseArgs } from "node:util";
import { SIZES } from "../../src/bench/shapes.ts";
import { describeMachine } from "../../src/core/index.ts";
import { compareEnvironment, type EnvironmentComparison } from "./environment.ts";
import { compareGrpo, type GrpoComparison, type TrlContext } from "./grpo.ts";
import { Peer } from "./peer-process.ts";

const PARTS = ["single-turn", "multi-turn"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: "string", default: "python3" },
    threads: { type: "string", default: "2" },
    /** Hidden sizes of models of `bowline bench rollout`, such as "128,256". */
    sizes: { type: "string", default: "128,256" },
    /** How often each program runs an iteration that counts. */
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const millions = (parameters: number) => `${(parameters / 1e6).toPrecision(2)}M`;

function formatSingleTurn({ hiddenSize, layers, tokens, iteration, ...row }: GrpoComparison) {
  const { processor, rollouts, learning, params } = row;
  return [
    `single-turn ${millions(params)} (d ${hiddenSize}, ${layers} layers), ${tokens.join(" and ")} tokens:`,
    `${iteration.ratio} times TRL (rounds ${iteration.ratioSpread.join(" to ")}), ${iteration.ours} against ${iteration.theirs} s;`,
    `processor time ${processor.ratio} times (${processor.ours} against ${processor.theirs} s);`,
    `rollouts ${rollouts} s, learning ${learning} s`,
  ].join(" ");
}

function formatMultiTurn({ iteration, sampled, tokens, processor, ...row }: EnvironmentComparison) {
  const { perSampledToken, params, hiddenSize, world } = row;
  return [
    `multi-turn ${millions(params)} (d ${hiddenSize}) in ${world}: ${iteration.ratio} times TRL`,
    `(rounds ${iteration.ratioSpread.join(" to ")}), ${iteration.ours} against ${iteration.theirs} s;`,
    `for each sampled token ${perSampledToken.ratio} times (sampled ${sampled.ours} and ${sampled.theirs}, of ${tokens.ours} and ${tokens.theirs} tokens);`,
    `processor time ${processor.ratio} times (${processor.ours} against ${processor.theirs} s)`,
  ].join(" ");
}

async function main(): Promise<void> {
  const threads = Number(values.threads);
  const { quick } = values;
  const parts = positionals.length > 0 ? positionals : PARTS;
  const { peer, hello } = await Peer.start(values.python, threads, "trl_peer.py");
  const context: TrlContext = {
    peer,
    threads,
    quick,
    rounds: Number(values.rounds ?? (quick ? 2 : 9)),
    onPhase: (what) => console.error(what),
  };
  const sizes = SIZES.filter(([hiddenSize]) => values.sizes.split(",").includes(`${hiddenSize}`));
  const singleTurn = parts.includes("single-turn") ? await compareGrpo(context, sizes) : [];
  const hiddenSizes = sizes.map(([hiddenSize]) => hiddenSize);
  const multiTurn = parts.includes("multi-turn")
    ? await compareEnvironment(context, hiddenSizes)
    : [];
  peer.close();
  const machine = describeMachine();
  const result = { machine, threads, peer: hello, quick, singleTurn, multiTurn };
  const lines = [...singleTurn.map(formatSingleTurn), ...multiTurn.map(formatMultiTurn)];
  console.log(values.json ? JSON.stringify(result) : lines.join("\n"));
}

await main();
