/**
 * The gates of a run: after the warm start and after each of the first iterations, the run is diagnosed as
 * `bowline diagnose` does it. What is merely slow is reported. A run in which nothing can be learned stops.
 *
 * The decision depends only on files of the run directory that belong to its checkpoint. The journal, which may hold
 * rollouts of a later iteration, does not. So a run that stopped stops again when it is continued, unless the field
 * `run.gates` says otherwise.
 */
import { diagnose, type Finding } from "../../algo/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { TrainingRun } from "../run/training-run.ts";
import { READ_ITERATIONS, readMeasurements } from "./read-measurements.ts";

/** The parts of a run that its gates read. */
type GatedRun = Pick<TrainingRun, "config" | "state" | "store" | "onEvent">;

/** The findings that a run has reported already, so that a note is not repeated after each iteration. */
const reported = new WeakMap<object, Set<string>>();

/**
 * Diagnoses the run and reports what is found. Throws a `tripwire` error that says what was seen and what usually cures
 * it when nothing can be learned. After the first iterations, a run is diagnosed only if its newest iteration taught
 * nothing; `metrics` are those of this iteration, and undefined before the iterations of this process.
 */
export function passGates(run: GatedRun, metrics?: { readonly [name: string]: number }): void {
  const { config, state, store, onEvent } = run;
  const { gates } = config.run;
  const isLate = state.iteration > READ_ITERATIONS;
  if (gates === "off" || (isLate && metrics !== undefined && metrics["group/mixed"] !== 0)) return;
  const findings = diagnose(readMeasurements(store.directory, { finishedOnly: true }));
  const before = reported.get(state) ?? new Set();
  reported.set(state, before);
  for (const finding of findings) {
    if (gates === "stop" && finding.severity === "stop") throw stopError(run, finding);
    if (before.has(finding.id)) continue;
    before.add(finding.id);
    onEvent({ type: "note", text: `${whenText(state.iteration)}: ${describeFinding(finding)}` });
  }
}

function stopError({ state, store }: GatedRun, finding: Finding): BowlineError {
  const directory = store.directory;
  return new BowlineError(
    "tripwire",
    `the run stopped ${whenText(state.iteration)}, because nothing can be learned: ${describeFinding(finding)}` +
      `${describeCommand(finding)}. To go on all the same, repeat the command with --run.gates note; \`bowline diagnose ${directory}\` repeats the diagnosis`,
  );
}

const whenText = (iteration: number) =>
  iteration === 0 ? "before the first iteration" : `after iteration ${iteration}`;

function describeFinding({ seen, cure }: Finding): string {
  return `${seen}. What usually cures it: ${cure}`;
}

function describeCommand({ options }: Finding): string {
  if (options === undefined) return "";
  return ` (the same command with \`${options} --out ANOTHER-FOLDER\`)`;
}
