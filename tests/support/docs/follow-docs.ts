/**
 * The documentation as it is read by the tests: the guide, whose pages go on from one another, so that they share a folder;
 * every other page, each in a folder of its own; and commands that train for minutes, cut short. The parts are files of
 * their own under `tests/slow/`, so that two workers read at once, each in a project of its own.
 */
import { afterAll, beforeAll, vi } from "vitest";
import { sections } from "../../../site/pages.ts";
import { makeProject, type Project } from "./docs-project.ts";
import { type Page, readPages } from "./page-blocks.ts";
import { type Ran, readPage } from "./page-reader.ts";

const all = readPages();
const pageAt = (path: string) => all.find((page) => page.path === path)!;
/** Pages that go on from one another, in the order in which a newcomer reads them. */
export const guide: readonly string[] = [
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
export const rest: readonly string[] = [
  "README.md",
  ...sections.flatMap(({ pages }) => pages.map((page) => `docs/${page}.md`)),
].filter((path) => !guide.includes(path) && pageAt(path).blocks.length > 0);

/** What follows on the command line replaces what the page says. */
const SHORT = "--warm.demonstrations 320 --warm.epochs 1 --algo.iterations 0 --scenarios 1";

/** A command of any page that trains for minutes. */
export interface Training {
  readonly path: string;
  readonly line: number;
  readonly command: string;
}

export const trainings: readonly Training[] = all.flatMap(({ path, blocks }) =>
  blocks
    .filter(({ needs }) => needs === "minutes")
    .flatMap(({ code, line }) =>
      [...code.matchAll(/^npx bowline train .*/gm)].map(([command]) => ({ path, line, command })),
    ),
);

/** The page of one such command, cut short. */
function cutShort({ path, line, command }: Training): Page {
  const code = `${command} ${SHORT} --out runs/${line}`;
  return { path, text: pageAt(path).text, blocks: [{ line, kind: "shell", code }] };
}

export interface Reading {
  /** Follows a page in a folder of the project. */
  page(path: string, folder: string): Promise<void>;
  training(found: Training): Promise<void>;
  /** Every block of commands that ran. */
  readonly ran: readonly Ran[];
}

/** A project for the tests of one file. It is made before the first and removed after the last. */
export function reading(): Reading {
  vi.setConfig({ testTimeout: 600_000 });
  const ran: Ran[] = [];
  let project: Project;
  beforeAll(async () => {
    project = await makeProject();
  });
  afterAll(() => {
    project?.remove();
    const seconds = ran.reduce((sum, one) => sum + one.seconds, 0);
    process.stdout.write(`${ran.length} blocks of commands in ${seconds.toFixed(0)} s\n`);
  });
  const read = (page: Page, folder: string) =>
    readPage(page, project.folder(folder), (one) => {
      const { place, command, seconds } = one;
      const line = command.split("\n").join("; ").slice(0, 90);
      process.stdout.write(`${seconds.toFixed(1).padStart(6)} s  ${place}  ${line}\n`);
      ran.push(one);
    });
  return {
    page: (path, folder) => read(pageAt(path), folder),
    training: (found) => read(cutShort(found), "minutes"),
    ran,
  };
}
