/** Measures how long a person waits for the first view of a run, for a long rollout, and for tokens while scrolling. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type StudioProcess, startStudio } from "../../tests/slow/studio/stage.ts";
import { visit } from "../../tests/slow/studio/visit.ts";
import { type BenchContext, type Measure, makeRun, median, memoryMb } from "./measure.ts";

const RUN = "large";
const FILE = "train-0001";

/**
 * Measures the time until a run's curves are drawn, with a server that has just started and with one that knows the
 * run.
 */
export async function measureFirstView(
  context: BenchContext & { readonly rollouts: number },
): Promise<Measure[]> {
  const runs = join(context.folder, "many-rollouts");
  makeRun(join(runs, RUN), context.rollouts, 400);
  const cold: number[] = [];
  const warm: number[] = [];
  const table: number[] = [];
  for (let round = 0; round < context.rounds; round++) {
    const studio = await startStudio(runs);
    cold.push(await timeUntilShown(context, studio, `/runs/${RUN}`, ".charts canvas"));
    warm.push(await timeUntilShown(context, studio, `/runs/${RUN}`, ".charts canvas"));
    table.push(await timeUntilShown(context, studio, "/", "main table td"));
    await studio.close();
  }
  const of = `a run of ${context.rollouts} rollouts`;
  return [
    {
      what: `${of}: its first view, server just started`,
      value: median(cold),
      unit: "ms",
      limit: 1000,
    },
    { what: `${of}: its first view again`, value: median(warm), unit: "ms", limit: 1000 },
    { what: `${of}: the table of runs`, value: median(table), unit: "ms", limit: 1000 },
  ];
}

/**
 * Measures the explorer: its first view, and how long queries, sorting and a search of the text take. It reports the
 * median, and the memory of the server afterwards.
 */
export async function measureExplorer(
  context: BenchContext & { readonly rollouts: number },
): Promise<Measure[]> {
  const runs = join(context.folder, "explorer");
  makeRun(join(runs, RUN), context.rollouts, 600);
  const firstViews: number[] = [];
  const asked = {
    "a query": "q=status:422+outcome:finished",
    "a narrower query": "q=passed:no+iteration:5..8",
    sorting: "sort=-return",
    tasks: "q=phase:train",
    "a text that no rollout has": "q=zebra",
    "a text that every rollout has": "q=irene+jensen",
  };
  const times = new Map(Object.keys(asked).map((name) => [name, [] as number[]]));
  const memory: number[] = [];
  for (let round = 0; round < context.rounds; round++) {
    const studio = await startStudio(runs);
    const path = `/explore?run=${RUN}`;
    firstViews.push(await timeUntilShown(context, studio, path, ".explore-table td"));
    for (const [name, query] of Object.entries(asked)) {
      const page = name === "tasks" ? "explore/tasks" : "explore";
      times.get(name)!.push(await timeRequest(studio, `${page}?run=${RUN}&${query}`));
    }
    memory.push(memoryMb(studio.pid, "VmHWM"));
    await studio.close();
  }
  const of = `${context.rollouts} rollouts, the explorer`;
  const measured = [...times].map(([name, values]) => ({
    what: `${of}: ${name}`,
    value: median(values),
    unit: "ms" as const,
    limit: name.startsWith("a text") ? 2000 : 300,
  }));
  return [
    { what: `${of}: its first view`, value: median(firstViews), unit: "ms", limit: 1000 },
    ...measured,
    { what: `${of}: most memory`, value: median(memory), unit: "MB", limit: 200 },
  ];
}

async function timeRequest(studio: StudioProcess, path: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(`http://127.0.0.1:${studio.port}/api/${path}`, {
    headers: { authorization: `Bearer ${studio.token}` },
  });
  if (!response.ok) throw new Error(await response.text());
  await response.text();
  return performance.now() - start;
}

/**
 * Opens a page and returns the milliseconds from navigation to the first frame after an element with the selector
 * `shown` is visible.
 */
async function timeUntilShown(
  { browser }: BenchContext,
  studio: StudioProcess,
  path: string,
  shown: string,
) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(`localStorage.setItem("bowline-studio-token", "${studio.token}")`);
    await page.addInitScript(createWaitScript(shown));
    await page.goto(`http://127.0.0.1:${studio.port}/#${path}`);
    return await page.evaluate<number>("window.shownAt");
  } finally {
    await context.close();
  }
}

/**
 * Returns a script that sets `window.shownAt` to the time of the first frame after an element with this selector is
 * visible.
 */
function createWaitScript(selector: string): string {
  return `window.shownAt = new Promise((resolve) => {
    const look = () => {
      const there = document.querySelector(${JSON.stringify(selector)});
      if (there && there.getBoundingClientRect().height > 0)
        requestAnimationFrame(() => resolve(performance.now()));
      else requestAnimationFrame(look);
    };
    look();
  });`;
}

/** Measures the time until a rollout's turns and tokens are shown, and counts frames without tokens while scrolling. */
export async function measureLongRollout(
  context: BenchContext & { readonly tokens: number },
): Promise<Measure[]> {
  const runs = join(context.folder, "long-rollouts");
  makeRun(join(runs, RUN), 64, context.tokens);
  const studio = await startStudio(runs);
  try {
    const opened: number[] = [];
    const turns: number[] = [];
    let blanks = 0;
    for (let round = 0; round < context.rounds; round++) {
      await using visited = await visit(context.browser, studio, {
        path: `/runs/${RUN}/files/${FILE}`,
      });
      const { page } = visited;
      const rollout = `#/runs/${RUN}/files/${FILE}/rollouts/1%2F${round}%2F0`;
      turns.push(await timeAfterChange(page, rollout, "main pre, main code"));
      await page.evaluate("history.back()");
      await page.waitForTimeout(300);
      opened.push(await timeAfterChange(page, `${rollout}?tab=tokens`, TOKEN_SELECTOR));
      blanks += await countBlankFrames(page);
    }
    const of = `a rollout of ${context.tokens} tokens`;
    return [
      { what: `${of}: its turns`, value: median(turns), unit: "ms", limit: 300 },
      { what: `${of}: its tokens`, value: median(opened), unit: "ms", limit: 300 },
      { what: `${of}: frames without tokens while scrolling`, value: blanks, unit: "", limit: 0 },
    ];
  } finally {
    await studio.close();
  }
}

const TOKEN_SELECTOR = ".token, .tokens [data-token], .tokens span";

/** Changes the page's address and returns the milliseconds until an element with the selector `shown` is visible. */
async function timeAfterChange(page: Page, address: string, shown: string): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const start = performance.now();
    location.hash = ${JSON.stringify(address)};
    ${createWaitScript(shown)}
    return (await window.shownAt) - start;
  })()`);
}

/** Scrolls by half a screen in each frame, and counts the frames without a token in the middle of the screen. */
function countBlankFrames(page: Page): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const first = document.querySelector(${JSON.stringify(TOKEN_SELECTOR)});
    let box = first;
    while (box && !(box.scrollHeight > box.clientHeight + 10 && /auto|scroll/.test(getComputedStyle(box).overflowY)))
      box = box.parentElement;
    box ??= document.scrollingElement;
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const area = box === document.scrollingElement
      ? { top: 0, bottom: innerHeight, left: 0, right: innerWidth }
      : box.getBoundingClientRect();
    let blanks = 0;
    for (let y = 0; y < box.scrollHeight - box.clientHeight; y += box.clientHeight / 2) {
      box.scrollTop = y;
      await frame();
      const seen = [...document.querySelectorAll(${JSON.stringify(TOKEN_SELECTOR)})].some((token) => {
        const { top, bottom } = token.getBoundingClientRect();
        const middle = (Math.max(0, area.top) + Math.min(innerHeight, area.bottom)) / 2;
        return top < middle + 60 && bottom > middle - 60;
      });
      if (!seen && y > box.clientHeight) blanks++;
    }
    return blanks;
  })()`);
}
