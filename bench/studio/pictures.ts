/**
 * Draws the pictures of the tour in docs/guide: `npx tsx bench/studio/pictures.ts RUN` opens a studio on the folder of
 * the run, opens its pages and its report in a browser, and writes docs/images/*.png. `--out DIR` writes elsewhere,
 * `--width` and `--dark` choose the window, to look at the pages at other sizes. `--only NAME` draws one picture. The
 * world of the run must be there, because the picture of a fork lets the policy continue an episode twice.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { findRollouts } from "../../src/report/index.ts";
import { openStudio, writeReport } from "../../src/server/studio/index.ts";
import { openBrowser } from "../../tests/slow/studio/stage.ts";
import { shrinkPng } from "./small-png.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: "docs/images" },
    width: { type: "string", default: "1280" },
    dark: { type: "boolean", default: false },
    only: { type: "string" },
  },
});

interface Picture {
  /** The part of the address after `#`. */
  readonly path: string;
  /** What to do on the page before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Lists the pages by the names of their pictures. */
async function listPages(directory: string): Promise<Record<string, Picture>> {
  const run = basename(directory);
  const found = await findRollouts([directory], "passed:no phase:train");
  const shown = found.rollouts.find(({ turns }) => turns > 1) ?? found.rollouts[0];
  const rollout =
    shown && `/runs/${run}/files/${shown.file}/rollouts/${encodeURIComponent(shown.id)}`;
  return {
    "studio-runs": { path: "/" },
    "studio-run": { path: `/runs/${run}` },
    "studio-explore": { path: `/explore?run=${run}&q=passed:no` },
    ...(rollout !== undefined && {
      "studio-rollout": { path: rollout },
      "studio-fork": { path: `${rollout}/fork/1`, prepare: continueEpisode },
    }),
  };
}

/** Lets the policy continue the episode, and waits until the continuations have ended. */
async function continueEpisode(page: Page): Promise<void> {
  await page.getByRole("heading", { name: /^Episode of/ }).waitFor({ timeout: 120_000 });
  await page.getByLabel("Continuations").fill("3");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(/all finished/).waitFor({ timeout: 240_000 });
  const editor = await page.getByText("Next cell").first().boundingBox();
  // Code of the page is written as text, because programs here have no browser types.
  await page.evaluate(`scrollBy(0, ${(editor?.y ?? 0) - 12})`);
}

async function drawPage(
  browser: Browser,
  url: string,
  file: string,
  token: string,
  prepare?: Picture["prepare"],
): Promise<void> {
  const width = Number(values.width);
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 844 : 800 },
    colorScheme: values.dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  try {
    await context.addInitScript(
      `try { localStorage.setItem("bowline-studio-token", "${token}") } catch {}`,
    );
    const page = await context.newPage();
    await page.goto(url);
    await page.locator("main h1").first().waitFor();
    await page
      .getByText(/^(Loading|Replaying|Opening)/)
      .first()
      .waitFor({ state: "hidden" });
    await prepare?.(page);
    // Charts are drawn after their data arrived.
    await page.waitForTimeout(500);
    mkdirSync(values.out, { recursive: true });
    writeFileSync(join(values.out, file), shrinkPng(await page.screenshot()));
  } finally {
    await context.close();
  }
}

async function main(): Promise<void> {
  const [run] = positionals;
  if (run === undefined) throw new Error("expected the path of a run directory");
  const directory = resolve(run);
  const temporary = mkdtempSync(join(tmpdir(), "bowline-pictures-"));
  const reportPath = join(temporary, "report.html");
  await writeReport(directory, reportPath);
  await using studio = await openStudio({ root: dirname(directory) });
  const browser = await openBrowser();
  try {
    const base = `http://127.0.0.1:${studio.port}/#`;
    const isDrawn = (name: string) => values.only === undefined || values.only === name;
    for (const [name, { path, prepare }] of Object.entries(await listPages(directory)))
      if (isDrawn(name))
        await drawPage(browser, `${base}${path}`, `${name}.png`, studio.token, prepare);
    if (isDrawn("report"))
      await drawPage(browser, pathToFileURL(reportPath).href, "report.png", "");
  } finally {
    await browser.close();
    rmSync(temporary, { recursive: true });
  }
}

await main();
