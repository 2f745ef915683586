/** Reports what this machine has and what it lacks for training. */
import { describeMachine, toVisibleJson } from "../../core/index.ts";
import { checkOnnxRuntime, findGraphicsAdapters } from "../../engine/index.ts";
import { type MachineReport, renderMachineReport } from "../render/machine-report.ts";
import type { Channel } from "../terminal.ts";
import { packageVersion } from "../version.ts";

/**
 * Prints what this machine has and what it lacks. It never fails, because any finding is a result. With `gpu`, every
 * adapter is compared with the CPU.
 */
export async function examineMachine(
  { json, gpu }: { readonly json?: boolean; readonly gpu?: boolean },
  out: Channel,
): Promise<void> {
  const runtime = checkOnnxRuntime();
  const adapters = await findGraphicsAdapters(gpu ?? false);
  const report: MachineReport = {
    bowline: packageVersion(),
    ...describeMachine(),
    kernels: runtime.installed
      ? { ...runtime, providers: ["cpu", ...adapters.map(({ provider }) => provider)] }
      : runtime,
    gpus: adapters,
  };
  out.writeLine(json ? toVisibleJson(report) : renderMachineReport(report, out));
}
