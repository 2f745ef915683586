/**
 * Follows the documentation in tests. The pages of the guide build on each other and share a folder. Every other page
 * has its own folder. Commands that train for minutes are shortened. Two test files in `tests/slow/` follow the
 * documentation, each in its own project, so that they can run at the same time.
 */
import { afterAll, beforeAll, vi } from "vitest";
import { sections } from "../../../site/pages.ts";
import { createDocsProject, type DocsProject } from "./docs-project.ts";
import { type Page, readPages } from "./page-blocks.ts";
import { type FinishedCommand, followPage } from "./page-reader.ts";

const PAGES = readPages();
const findPage = (path: string) => PAGES.find((page) => page.path === path)!;
/** Pages of the guide, which build on each other, in reading order. */
export const GUIDE_PAGES: readonly string[] = [
  "guide/install",
  "guide/first-run",
  "guide/first-world",
  "guide/first-agent",
  "guide/train",
  "guide/evaluate",
  "guide/use",
  "guide/report",
  "guide/studio",
  "guide/resume",
  "laptop",
  "guide/real-models",
  "guide/remote-engines",
  "agents",
].map((page) => `docs/${page}.md`);

/** All other pages that have blocks. */
export const OTHER_PAGES: readonly string[] = [
  "README.md",
  ...sections.flatMap(({ pages }) => pages.map((page) => `docs/${page}.md`)),
].filter((path) => !GUIDE_PAGES.includes(path) && findPage(path).blocks.length > 0);

/** Options that shorten a training. The last value of an option counts, so these replace the page's. */
const SHORT_TRAINING =
  "--warm.demonstrations 320 --warm.epochs 1 --algo.iterations 0 --scenarios 1";

/** A command in a page that trains for minutes. */
export interface TrainingCommand {
  readonly path: string;
  readonly line: number;
  readonly command: string;
}

export const TRAINING_COMMANDS: readonly TrainingCommand[] = PAGES.flatMap(({ path, blocks }) =>
  blocks
    .filter(({ needs }) => needs === "minutes")
    .flatMap(({ code, line }) =>
      [...code.matchAll(/^npx bowline train .*/gm)].map(([command]) => ({ path, line, command })),
    ),
);

/** Returns a page that has only this command, with options that shorten it. */
function shortenTraining({ path, line, command }: TrainingCommand): Page {
  const code = `${command} ${SHORT_TRAINING} --out runs/${line}`;
  return { path, text: findPage(path).text, blocks: [{ line, kind: "shell", code }] };
}

export interface DocsReader {
  /** Follows a page in a folder of the project. */
  followPage(path: string, folder: string): Promise<void>;
  /** Runs a training command with options that shorten it. */
  runTraining(training: TrainingCommand): Promise<void>;
  /** The blocks of commands that ran so far. */
  readonly finished: readonly FinishedCommand[];
}

/** Creates a project before the first test of a file, and removes it after the last. */
export function createDocsReader(): DocsReader {
  vi.setConfig({ testTimeout: 600_000 });
  const finished: FinishedCommand[] = [];
  let project: DocsProject;
  beforeAll(async () => {
    project = await createDocsProject();
  });
  afterAll(() => {
    project?.remove();
    const seconds = finished.reduce((sum, one) => sum + one.seconds, 0);
    process.stdout.write(`${finished.length} blocks of commands in ${seconds.toFixed(0)} s\n`);
  });
  const follow = (page: Page, folder: string) =>
    followPage(page, project.folder(folder), (one) => {
      const { place, command, seconds } = one;
      const line = command.split("\n").join("; ").slice(0, 90);
      process.stdout.write(`${seconds.toFixed(1).padStart(6)} s  ${place}  ${line}\n`);
      finished.push(one);
    });
  return {
    followPage: (path, folder) => follow(findPage(path), folder),
    runTraining: (training) => follow(shortenTraining(training), "minutes"),
    finished,
  };
}
