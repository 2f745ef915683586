/** Shows the report of `bowline doctor` on this machine as text. */
import type { Machine } from "../../core/index.ts";
import type { OnnxRuntimeStatus } from "../../engine/index.ts";
import type { Channel } from "../terminal.ts";
import { wrapText } from "./text.ts";

export interface MachineReport extends Machine {
  readonly bowline: string;
  readonly kernels: OnnxRuntimeStatus;
}

export function renderMachineReport(report: MachineReport, { paint, columns }: Channel): string {
  const { kernels } = report;
  const mark = kernels.installed ? paint("green", "✓") : paint("yellow", "!");
  const status = kernels.installed
    ? `onnxruntime-node ${kernels.version}: ${kernels.providers.join(", ")}`
    : kernels.problem;
  const [first = "", ...more] = wrapText(status, Math.max(30, Math.min(columns, 100) - 14));
  return [
    paint("bold", `bowline ${report.bowline}`),
    "",
    `  ${paint("green", "✓")} Node      ${report.node} on ${report.platform}`,
    `  ${paint("green", "✓")} machine   ${report.cores} cores (${report.cpu}), ${report.memoryMb} MiB`,
    `  ${mark} kernels   ${first}`,
    ...more.map((line) => `              ${line}`),
    "",
    kernels.installed
      ? "  This machine can train; try: bowline train smoke"
      : "  Without kernels you can still use worlds, play, world check, config, report and --engine tinker.",
  ].join("\n");
}
