/**
 * Compares iterations of Bowline with iterations of TRL's GRPOTrainer on this machine, by turns in one run.
 *
 * npx tsx bench/peers/trl.ts --python ~/venv/bin/python
 *
 * The file README.md in this folder says what is compared and how.
 */
import { parseArgs } from "node:util";
import { SIZES } from "../../src/bench/shapes.ts";
import { describeMachine } from "../../src/core/index.ts";
import { compareGrpo, type GrpoComparison, type TrlContext } from "./grpo.ts";
import { Peer } from "./peer-process.ts";

const { values } = parseArgs({
  options: {
    python: { type: "string", default: "python3" },
    threads: { type: "string", default: "2" },
    /** Hidden sizes of models of `bowline bench rollout`, such as "128,256". */
    sizes: { type: "string", default: "128,256" },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

function formatGrpo({ hiddenSize, layers, tokens, iteration, processor, ...row }: GrpoComparison) {
  return [
    `one iteration of ${(row.params / 1e6).toPrecision(2)}M (d ${hiddenSize}, ${layers} layers), ${tokens[0]} tokens against ${tokens[1]}:`,
    `${iteration.ratio} times TRL (rounds ${iteration.ratioSpread.join(" to ")}), ${iteration.ours} against ${iteration.theirs} s;`,
    `processor time ${processor.ratio} times (${processor.ours} against ${processor.theirs} s);`,
    `rollouts ${row.rollouts} s, learning ${row.learning} s`,
  ].join(" ");
}

const threads = Number(values.threads);
const { peer, hello } = await Peer.start(values.python, threads, "trl_peer.py");
const { quick } = values;
const context: TrlContext = { peer, threads, quick, onPhase: (what) => console.error(what) };
const sizes = SIZES.filter(([hiddenSize]) => values.sizes.split(",").includes(`${hiddenSize}`));
const grpo = await compareGrpo(context, quick ? sizes.slice(0, 1) : sizes);
peer.close();
const result = { machine: describeMachine(), threads, peer: hello, quick, grpo };
console.log(values.json ? JSON.stringify(result) : grpo.map(formatGrpo).join("\n"));
