/**
 * Takes the pictures of `docs/guide/studio.md`, which show views of real runs.
 *
 * npx tsx bench/studio/screenshots.ts RUNS [--run NAME] [--out docs/images]
 *
 * RUNS is a folder of trained runs. `--run` names the run that the pictures show, by default the first run of the
 * folder.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import type { RunList } from "../../src/spec/studio/index.ts";
import { ROOT } from "../../tests/e2e/support/cli.ts";
import { openBrowser, type StudioProcess, startStudio } from "../../tests/slow/studio/stage.ts";
import { visit, waitUntilLoaded } from "../../tests/slow/studio/visit.ts";
import { findMixedGroup } from "./mixed-group.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    run: { type: "string" },
    out: { type: "string", default: join(ROOT, "docs", "images") },
  },
});
const [runs] = positionals;
if (!runs) {
  console.error("expected a folder of runs: npx tsx bench/studio/screenshots.ts runs");
  process.exit(2);
}
mkdirSync(values.out, { recursive: true });

interface Picture {
  readonly name: string;
  readonly path: string;
  /** What to do on the page before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const studio = await startStudio(runs);
const browser = await openBrowser();
try {
  for (const picture of await listPictures(studio)) await takePicture(picture);
} finally {
  await browser.close();
  await studio.close();
}

async function takePicture({ name, path, prepare }: Picture): Promise<void> {
  await using visited = await visit(browser, studio, { path, dark: false, width: 1280 });
  const { page } = visited;
  await page.waitForTimeout(500);
  await prepare?.(page);
  const file = join(values.out, `studio-${name}.png`);
  await page.screenshot({ path: file, clip: { x: 0, y: 0, width: 1280, height: 800 } });
  console.log(file, visited.complaints.length === 0 ? "" : visited.complaints);
}

async function fetchJson<T>({ port, token }: StudioProcess, ...path: string[]): Promise<T> {
  const url = `http://127.0.0.1:${port}/api/${path.map(encodeURIComponent).join("/")}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()) as T;
}

async function listPictures(studio: StudioProcess): Promise<Picture[]> {
  const { runs: all } = await fetchJson<RunList>(studio, "runs");
  const run = values.run ?? all[0]!.id;
  const { file, rollout } = await findMixedGroup((...path) =>
    fetchJson(studio, "runs", run, ...path),
  );
  const pagePath = (...parts: string[]) => `/${parts.map(encodeURIComponent).join("/")}`;
  const rolloutPath = pagePath("runs", run, "files", file, "rollouts", rollout);
  return [
    { name: "runs", path: "/" },
    { name: "run", path: pagePath("runs", run) },
    { name: "rollout", path: rolloutPath },
    { name: "fork", path: `${rolloutPath}/fork/0`, prepare: continueEpisode },
  ];
}

/** Lets the policy continue the episode twice, and waits until both continuations have ended. */
async function continueEpisode(page: Page): Promise<void> {
  await page.getByRole("heading", { name: /^Episode of/ }).waitFor({ timeout: 60_000 });
  await waitUntilLoaded(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(/all finished/).waitFor({ timeout: 120_000 });
  await page.getByRole("heading", { name: "Let the policy continue" }).scrollIntoViewIfNeeded();
}
