/**
 * Bowline's engine against PyTorch and transformers on this machine, by turns in one run:
 *
 *   npx tsx bench/peers/compare.ts --python ~/venv/bin/python            everything, some twenty minutes
 *   npx tsx bench/peers/compare.ts decode --python ... --json            one part: training, decode, rollouts
 *
 * README.md beside this file says what is compared and how.
 */
import { parseArgs } from "node:util";
import { SIZES, type Size } from "../../src/bench/shapes.ts";
import { describeMachine } from "../../src/core/index.ts";
import { compareDecode, type DecodeComparison } from "./decode.ts";
import type { PeerContext } from "./peer-context.ts";
import { Peer } from "./peer-process.ts";
import { compareRollouts, type RolloutComparison } from "./rollouts.ts";
import { compareTraining, type TrainingComparison } from "./training.ts";

const PARTS = ["training", "decode", "rollouts"] as const;
type Part = (typeof PARTS)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: "string", default: "python3" },
    threads: { type: "string", default: "2" },
    world: { type: "string", default: "everyday/starter" },
    /** Hidden sizes out of those of `bowline bench rollout`: "128,256". */
    sizes: { type: "string" },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

function wanted(): readonly Part[] {
  const unknown = positionals.find((name) => !(PARTS as readonly string[]).includes(name));
  if (unknown) stop(2, `unknown part ${unknown}: expected ${PARTS.join(", ")}`);
  return positionals.length > 0 ? (positionals as Part[]) : PARTS;
}

function sizes(): readonly Size[] | undefined {
  if (!values.sizes) return undefined;
  return values.sizes.split(",").map((text) => {
    const known = SIZES.find(([hiddenSize]) => hiddenSize === Number(text));
    return known ?? stop(2, `--sizes: ${text} is none of ${SIZES.map(([d]) => d).join(", ")}`);
  });
}

function stop(code: number, message: string): never {
  console.error(`error: ${message}`);
  process.exit(code);
}

const show = (ratio: number, target: number) =>
  `${ratio} times${ratio >= target ? "" : ` (target ${target})`}`;
const model = ({
  params,
  hiddenSize,
  layers,
}: {
  params: number;
  hiddenSize: number;
  layers: number;
}) => `${(params / 1e6).toPrecision(3)}M (d ${hiddenSize}, ${layers} layers)`;

function trainingLine(row: TrainingComparison): string {
  return `training ${model(row)}: ${show(row.step.ratio, 1.5)}, ${row.step.ours} against ${row.step.theirs} ms a step (gradients alone ${row.gradients.ratio} times; raw matrix product ${row.productRatio} times)`;
}

function decodeLine(row: DecodeComparison): string {
  return `decoding ${model(row)}, batch ${row.batch}, context ${row.context}: ${show(row.step.ratio, 2.5)}, ${row.step.ours} against ${row.step.theirs} ms a step (raw matrix product ${row.productRatio} times; ${row.greedyAgreement * 100}% of greedy tokens agree)`;
}

function rolloutLine(row: RolloutComparison): string {
  return `rollouts ${model(row)}, ${row.rollouts} of ${row.world}: ${show(row.plain.ratio, 5)}, ${row.plain.ours} against ${row.plain.theirs} s (${row.cached.ratio} times a loop that keeps the KV cache; raw matrix product ${row.productRatio} times)`;
}

async function main(): Promise<void> {
  const parts = wanted();
  const chosen = sizes();
  const threads = Number(values.threads);
  const { peer, hello } = await Peer.start(values.python, threads);
  const { quick } = values;
  const setting: PeerContext = { peer, threads, quick, onPhase: (what) => console.error(what) };
  const training = parts.includes("training") ? await compareTraining(setting, chosen) : [];
  const decode = parts.includes("decode") ? await compareDecode(setting, chosen) : [];
  const rollouts = parts.includes("rollouts")
    ? await compareRollouts(setting, values.world, chosen)
    : [];
  peer.close();
  const result = {
    machine: describeMachine(),
    threads,
    peer: hello,
    quick,
    training,
    decode,
    rollouts,
  };
  const lines = [
    ...training.map(trainingLine),
    ...decode.map(decodeLine),
    ...rollouts.map(rolloutLine),
  ];
  console.log(values.json ? JSON.stringify(result) : lines.join("\n"));
}

await main().catch((error: unknown) =>
  stop(1, error instanceof Error ? error.message : String(error)),
);
