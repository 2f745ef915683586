/** What `bowline doctor` finds on this machine, for people. */
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
  const state = kernels.installed
    ? `onnxruntime-node ${kernels.version}: ${kernels.providers.join(", ")}`
    : kernels.problem;
  const [first = "", ...more] = wrapText(state, Math.max(30, Math.min(columns, 100) - 14));
  return [
    paint("bold", `bowline ${report.bowline}`),
    "",
    `  ${paint("green", "✓")} Node      ${report.node} on ${report.platform}`,
    `  ${paint("green", "✓")} machine   ${report.cores} cores (${report.cpu}), ${report.memoryMb} MiB`,
    `  ${mark} kernels   ${first}`,
    ...more.map((line) => `              ${line}`),
    "",
    kernels.installed
      ? "  Everything runs here: bowline train smoke"
      : "  Worlds, play, world check, config, report and --engine tinker run without kernels.",
  ].join("\n");
}
