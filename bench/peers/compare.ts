/**
 * Compares Bowline's engine with PyTorch and transformers on this machine, in turns in one run.
 *
 *   npx tsx bench/peers/compare.ts --python ~/venv/bin/python             everything, in some twenty minutes
 *   npx tsx bench/peers/compare.ts decode --python ~/venv/bin/python --json   training, decode or rollouts
 *
 * The file README.md in this folder says what is compared and how.
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
    /** Hidden sizes of models of `bowline bench rollout`, such as "128,256". */
    sizes: { type: "string" },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

function parseParts(): readonly Part[] {
  const unknown = positionals.find((name) => !(PARTS as readonly string[]).includes(name));
  if (unknown) exitWithError(2, `unknown part ${unknown}: expected ${PARTS.join(", ")}`);
  return positionals.length > 0 ? (positionals as Part[]) : PARTS;
}

function parseSizes(): readonly Size[] | undefined {
  if (!values.sizes) return undefined;
  return values.sizes.split(",").map((text) => {
    const known = SIZES.find(([hiddenSize]) => hiddenSize === Number(text));
    return (
      known ??
      exitWithError(2, `--sizes: expected ${SIZES.map(([d]) => d).join(", ")}, got ${text}`)
    );
  });
}

function exitWithError(code: number, message: string): never {
  console.error(`error: ${message}`);
  process.exit(code);
}

const formatRatio = (ratio: number, target: number) =>
  `${ratio} times${ratio >= target ? "" : ` (target ${target})`}`;
const formatModel = ({
  params,
  hiddenSize,
  layers,
}: {
  params: number;
  hiddenSize: number;
  layers: number;
}) => `${(params / 1e6).toPrecision(3)}M (d ${hiddenSize}, ${layers} layers)`;

function formatTraining(row: TrainingComparison): string {
  return `training ${formatModel(row)}: ${formatRatio(row.step.ratio, 1.5)}, ${row.step.ours} against ${row.step.theirs} ms a step (gradients alone ${row.gradients.ratio} times; raw matrix product ${row.productRatio} times)`;
}

function formatDecode(row: DecodeComparison): string {
  return `decoding ${formatModel(row)}, batch ${row.batch}, context ${row.context}: ${formatRatio(row.step.ratio, 2.5)}, ${row.step.ours} against ${row.step.theirs} ms a step (raw matrix product ${row.productRatio} times; ${row.greedyAgreement * 100}% of greedy tokens agree)`;
}

function formatRollouts(row: RolloutComparison): string {
  return `rollouts ${formatModel(row)}, ${row.rollouts} of ${row.world}: ${formatRatio(row.plain.ratio, 5)}, ${row.plain.ours} against ${row.plain.theirs} s (${row.cached.ratio} times a loop that keeps the KV cache; raw matrix product ${row.productRatio} times)`;
}

async function main(): Promise<void> {
  const parts = parseParts();
  const modelSizes = parseSizes();
  const threads = Number(values.threads);
  const { peer, hello } = await Peer.start(values.python, threads);
  const { quick } = values;
  const context: PeerContext = { peer, threads, quick, onPhase: (what) => console.error(what) };
  const training = parts.includes("training") ? await compareTraining(context, modelSizes) : [];
  const decode = parts.includes("decode") ? await compareDecode(context, modelSizes) : [];
  const rollouts = parts.includes("rollouts")
    ? await compareRollouts(context, values.world, modelSizes)
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
    ...training.map(formatTraining),
    ...decode.map(formatDecode),
    ...rollouts.map(formatRollouts),
  ];
  console.log(values.json ? JSON.stringify(result) : lines.join("\n"));
}

await main().catch((error: unknown) =>
  exitWithError(1, error instanceof Error ? error.message : String(error)),
);
