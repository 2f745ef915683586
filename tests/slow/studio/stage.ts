/**
 * The environment of the browser tests: two smoke runs made by the real command line, a studio on their folder, a
 * browser. BOWLINE_STUDIO_RUNS can name a folder with such runs. The tests copy this folder and write nothing into it.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { createTemporaryFolder, type FinishedProcess, runBowline } from "../../e2e/support/cli.ts";
import { findChromium } from "../support/chromium.ts";

export const RUN_NAMES = ["smoke-seed1", "smoke-seed2"] as const;

/** Fields of a run that is long enough for mixed groups and passed tasks. */
const SHORT_RUN_FIELDS = ["--algo.iterations", "10"];

export interface TestStage {
  /** The folder of runs that the studio shows. */
  readonly runs: string;
  readonly studio: StudioProcess;
  readonly browser: Browser;
  close(): Promise<void>;
}

export interface StudioProcess {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  /** Ends the studio as Ctrl-C does. */
  close(): Promise<FinishedProcess>;
}

export async function openTestStage(): Promise<TestStage> {
  const folder = createTemporaryFolder();
  const runs = join(folder.path, "runs");
  await prepareRuns(runs);
  const studio = await startStudio(runs);
  const browser = await openBrowser();
  return {
    runs,
    studio,
    browser,
    close: async () => {
      await browser.close();
      await studio.close();
      folder.remove();
    },
  };
}

export function openBrowser(): Promise<Browser> {
  const executablePath = findChromium()!;
  // Chromium's sandbox does not work for the user root. Without a sandbox, Chromium opens only the page of this
  // repository.
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

async function prepareRuns(runs: string): Promise<void> {
  const there = process.env["BOWLINE_STUDIO_RUNS"];
  const made = RUN_NAMES.map(async (name, i) => {
    if (there) return cpSync(join(there, name), join(runs, name), { recursive: true });
    const finished = await trainSmoke(join(runs, name), i + 1, undefined, SHORT_RUN_FIELDS);
    if (finished.code !== 0) throw new Error(finished.stderr);
  });
  await Promise.all(made);
}

export function trainSmoke(
  out: string,
  seed: number,
  onStart?: (child: ChildProcess) => void,
  fields: readonly string[] = [],
) {
  const args = ["train", "smoke", "--json", "--out", out, "--run.seed", String(seed), ...fields];
  return runBowline(args, onStart ? { onStart } : {});
}

/** Runs `bowline studio` on a free port. */
export async function startStudio(
  runs: string,
  env: Readonly<Record<string, string>> = {},
): Promise<StudioProcess> {
  let child: ChildProcess | undefined;
  const finished = runBowline(["studio", runs, "--json", "--port", "0"], {
    env,
    onStart: (started) => {
      child = started;
    },
  });
  const [line] = await Promise.race([
    once(child!.stdout!, "data"),
    finished.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  const close = () => {
    child!.kill("SIGINT");
    return finished;
  };
  return { ...JSON.parse(String(line)), pid: child!.pid!, close };
}
