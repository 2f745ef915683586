/** `bowline bench engine`: share of the machine's peak in training, speed of decoding, memory. */
import { type Command, InvalidArgumentError } from "commander";
import { benchEngine, type EngineBench } from "../../train/index.ts";
import { seconds } from "../interrupt.ts";
import { jsonOption } from "../options.ts";
import { renderTable } from "../render/table.ts";
import { compact, count, duration } from "../render/text.ts";
import type { Session } from "../session.ts";
import type { Paint } from "../terminal.ts";

interface BenchOptions {
  readonly threads: number;
  readonly quick?: boolean;
  readonly memory?: boolean;
  readonly json?: boolean;
}

export function addBenchEngine(bench: Command, session: Session): void {
  bench
    .command("engine")
    .summary("training and decoding of the embedded engine")
    .description(
      "Measure the embedded engine: training as a share of the machine's own matrix-product peak, and tokens a second when decoding, for several model sizes. A few minutes.",
    )
    .option("--threads <n>", "threads of every operation", wholeNumber, 2)
    .option("--memory", "also the resident memory of sampling alone and of sampling and training")
    .option("--quick", "two small models, a few seconds; the numbers are rough")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline bench engine --quick\n  bowline bench engine --memory --json",
    )
    .action(async ({ json, ...wanted }: BenchOptions) => {
      const { out, err } = session.terminal;
      const channel = json ? err : out;
      const start = seconds();
      const onPhase = (what: string) => channel.line(channel.paint("dim", what));
      const result = await benchEngine({ ...wanted, onPhase });
      out.line(json ? JSON.stringify(result) : text(result, seconds() - start, out.paint));
    });
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected an integer from 1 to 999.");
}

function text(result: EngineBench, took: number, paint: Paint): string {
  const dim = (value: string) => paint("dim", value);
  const { machine } = result;
  return [
    "",
    `  ${paint("bold", `${compact(result.peakGflops)} GFLOP/s`)} is the peak: a 1024 x 1024 matrix product on ${result.threads} threads  ${dim(`${machine.cpu}, ${machine.cores} cores, node ${machine.node}`)}`,
    "",
    trainingTable(result, dim),
    "",
    decodeTable(result, dim),
    ...result.memory.map(
      ({ weightsMb, baseRssMb, samplingRssMb, trainingRssMb }) =>
        `\n  memory: weights ${weightsMb} MB; resident ${baseRssMb} MB before, ${samplingRssMb} MB sampling, ${trainingRssMb} MB sampling and training`,
    ),
    "",
    `  ${dim(`measured in ${duration(took)}; --json prints all of it`)}`,
    "",
  ].join("\n");
}

const right = { align: "right" } as const;

function trainingTable({ training }: EngineBench, dim: (text: string) => string): string {
  return renderTable(
    ["training", "d", "layers", "GFLOP/s", "of peak", "tokens/s"].map((title) => ({
      title,
      ...right,
    })),
    training.map((row) => [
      `${compact(row.params / 1e6)}M`,
      String(row.hiddenSize),
      String(row.layers),
      compact(row.gflops),
      `${Math.round(100 * row.shareOfPeak)}%`,
      count(row.tokensPerSecond),
    ]),
    dim,
  );
}

function decodeTable({ decode }: EngineBench, dim: (text: string) => string): string {
  return renderTable(
    ["decoding", "batch", "context", "ms a step", "tokens/s"].map((title) => ({ title, ...right })),
    decode.map((row) => [
      `${compact(row.params / 1e6)}M`,
      String(row.batch),
      String(row.context),
      compact(row.msPerStep),
      count(row.tokensPerSecond),
    ]),
    dim,
  );
}
