/** Shows the report of `bowline doctor` on this machine as text. */
import type { Machine } from "../../core/index.ts";
import type { GraphicsAdapter, OnnxRuntimeStatus } from "../../engine/index.ts";
import type { Channel } from "../terminal.ts";
import { wrapText } from "./text.ts";

export interface MachineReport extends Machine {
  readonly bowline: string;
  /** The kernels and the providers that work here. */
  readonly kernels: OnnxRuntimeStatus;
  readonly gpus: readonly GraphicsAdapter[];
}

export function renderMachineReport(report: MachineReport, channel: Channel): string {
  const { kernels, gpus } = report;
  const { paint } = channel;
  const tick = paint("green", "✓");
  const warning = paint("yellow", "!");
  const status = kernels.installed ? `onnxruntime-node ${kernels.version}` : kernels.problem;
  const isTrusted = ({ check }: GraphicsAdapter) => check === "agrees";
  const trusted = gpus.find(isTrusted);
  return [
    paint("bold", `bowline ${report.bowline}`),
    "",
    `  ${tick} Node      ${report.node} on ${report.platform}`,
    `  ${tick} machine   ${report.cores} cores (${report.cpu}), ${report.memoryMb} MiB`,
    ...renderLine(kernels.installed ? tick : warning, "kernels", status, channel),
    ...(kernels.installed && gpus.length === 0
      ? renderLine("-", "GPU", "none that the kernels can use; the CPU computes", channel)
      : []),
    ...gpus.flatMap((gpu) =>
      renderLine(isTrusted(gpu) ? tick : warning, "GPU", describeAdapter(gpu), channel),
    ),
    "",
    kernels.installed
      ? `  This machine can train; try: bowline train smoke${trusted ? `, or on the GPU: bowline train laptop-gpu --engine.model PATH` : ""}`
      : "  Without kernels you can still use worlds, play, world check, config, report and --engine tinker.",
  ].join("\n");
}

function renderLine(mark: string, label: string, text: string, { columns }: Channel): string[] {
  const [first = "", ...more] = wrapText(text, Math.max(30, Math.min(columns, 100) - 14));
  return [`  ${mark} ${label.padEnd(9)} ${first}`, ...more.map((line) => `              ${line}`)];
}

/** Says in a sentence which adapter there is and whether it computes what the CPU computes. */
export function describeAdapter(gpu: GraphicsAdapter): string {
  const memory = gpu.memoryMb === null ? "memory unknown" : `${gpu.memoryMb} MiB`;
  const what = `${gpu.name}, ${memory}, by ${gpu.provider}`;
  if (gpu.check === "none") return `${what}; not compared with the CPU yet: bowline doctor --gpu`;
  if (gpu.check === "deviates")
    return `${what}; it does not compute what the CPU does: ${gpu.problem}`;
  const bits = [
    gpu.repeatsItsBits ? "repeats its bits" : "does not repeat its bits",
    gpu.keepsBitsInBatch ? "a row keeps its bits in any batch" : "a row's bits depend on its batch",
  ];
  return `${what}; it agrees with the CPU, ${bits.join(", ")}`;
}
