/**
 * The documentation as it is read by the tests: the guide, whose pages go on from one another, so that they share a folder;
 * every other page, each in a folder of its own; and commands that train for minutes, cut short. The parts are files of
 * their own under `tests/slow/`, so that two workers read at once, each in a project of its own.
 */
import { afterAll, beforeAll, vi } from "vitest";
import { sections } from "../../../site/pages.ts";
import { createDocsProject, type DocsProject } from "./docs-project.ts";
import { type Page, readPages } from "./page-blocks.ts";
import { type FinishedCommand, followPage } from "./page-reader.ts";

const PAGES = readPages();
const findPage = (path: string) => PAGES.find((page) => page.path === path)!;
/** Pages that go on from one another, in the order in which a newcomer reads them. */
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

/** All other pages that have something to follow. */
export const OTHER_PAGES: readonly string[] = [
  "README.md",
  ...sections.flatMap(({ pages }) => pages.map((page) => `docs/${page}.md`)),
].filter((path) => !GUIDE_PAGES.includes(path) && findPage(path).blocks.length > 0);

/** What follows on the command line replaces what the page says. */
const SHORT_TRAINING =
  "--warm.demonstrations 320 --warm.epochs 1 --algo.iterations 0 --scenarios 1";

/** A command of any page that trains for minutes. */
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

/** The page of one such command, cut short. */
function shortenTraining({ path, line, command }: TrainingCommand): Page {
  const code = `${command} ${SHORT_TRAINING} --out runs/${line}`;
  return { path, text: findPage(path).text, blocks: [{ line, kind: "shell", code }] };
}

export interface DocsReader {
  /** Follows a page in a folder of the project. */
  page(path: string, folder: string): Promise<void>;
  training(found: TrainingCommand): Promise<void>;
  /** Every block of commands that ran. */
  readonly ran: readonly FinishedCommand[];
}

/** A project for the tests of one file. It is made before the first and removed after the last. */
export function createDocsReader(): DocsReader {
  vi.setConfig({ testTimeout: 600_000 });
  const ran: FinishedCommand[] = [];
  let project: DocsProject;
  beforeAll(async () => {
    project = await createDocsProject();
  });
  afterAll(() => {
    project?.remove();
    const seconds = ran.reduce((sum, one) => sum + one.seconds, 0);
    process.stdout.write(`${ran.length} blocks of commands in ${seconds.toFixed(0)} s\n`);
  });
  const read = (page: Page, folder: string) =>
    followPage(page, project.folder(folder), (one) => {
      const { place, runBlock: command, seconds } = one;
      const line = command.split("\n").join("; ").slice(0, 90);
      process.stdout.write(`${seconds.toFixed(1).padStart(6)} s  ${place}  ${line}\n`);
      ran.push(one);
    });
  return {
    page: (path, folder) => read(findPage(path), folder),
    training: (found) => read(shortenTraining(found), "minutes"),
    ran,
  };
}
