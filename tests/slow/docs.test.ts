/**
 * The documentation is so: every command, program and file of the README and of `docs/` is followed, in order, in an empty
 * project with the package as it ships, and what it says is printed is printed. What is marked as needing hardware, a
 * network or minutes is left out, save that training is tried, cut short. The pages of the guide go on from one another, so they
 * share a folder.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { sections } from "../../site/pages.ts";
import { pages } from "../support/docs/blocks.ts";
import { makeProject, type Project } from "../support/docs/project.ts";
import { type Ran, readPage } from "../support/docs/reader.ts";

vi.setConfig({ testTimeout: 600_000 });

const all = pages();
const [guide, ...others] = sections.map((section) =>
  section.pages.map((page) => `docs/${page}.md`),
);
const pageAt = (path: string) => all.find((page) => page.path === path)!;
const rest = ["README.md", ...others.flat()].filter((path) => pageAt(path).blocks.length > 0);

let project: Project;
beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => {
  project?.remove();
  const seconds = ran.reduce((sum, one) => sum + one.seconds, 0);
  process.stdout.write(`${ran.length} blocks of commands in ${seconds.toFixed(0)} s\n`);
});

const ran: Ran[] = [];
function note(one: Ran): void {
  const { place, command, seconds } = one;
  const line = command.split("\n").join("; ").slice(0, 90);
  process.stdout.write(`${seconds.toFixed(1).padStart(6)} s  ${place}  ${line}\n`);
  ran.push(one);
}

describe("the guide, read from the first page to the last", () => {
  test.each(guide!)("%s", async (path) => {
    await readPage(pageAt(path), project.folder("guide"), note);
  });
});

test.each(rest)("%s", async (path) => {
  const folder = project.folder(path.replace(/^docs\/|\.md$/g, "").replaceAll("/", "-"));
  await readPage(pageAt(path), folder, note);
});

/** What follows on the command line replaces what the page says. */
const SHORT = "--warm.demonstrations 320 --warm.epochs 1 --algo.iterations 0 --scenarios 1";
const training = all.flatMap(({ path, text, blocks }) =>
  blocks
    .filter(({ needs }) => needs === "minutes")
    .flatMap(({ code, line }) =>
      [...code.matchAll(/^npx bowline train .*/gm)].map(([command]) => ({
        path,
        text,
        line,
        command,
      })),
    ),
);

test.each(training)("$path:$line trains for minutes, and cut short it ends", async (found) => {
  const { path, text, line, command } = found;
  const block = { line, kind: "shell", code: `${command} ${SHORT} --out runs/${line}` } as const;
  await readPage({ path, text, blocks: [block] }, project.folder("minutes"), note);
});

test("there was something to do", () => {
  expect(ran.length).toBeGreaterThan(40);
});
