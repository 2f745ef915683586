/** `bowline init` in process: what is asked, what is written, what is refused. tests/slow/init-command.test.ts runs what was written. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { recordLines } from "../../../tests/support/terminal.ts";
import { runCommandLine } from "../program.ts";
import { bowlineDependency } from "./bowline-dependency.ts";
import { createProjectFiles } from "./project-files.ts";
import { askParts, PROJECT_PARTS } from "./project-parts.ts";
import { writeProject } from "./write-project.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bowline-init-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]) => join(folder, ...names);

async function init(...args: string[]) {
  const { lines, channel } = recordLines();
  const code = await runCommandLine(["init", ...args], {
    in: Readable.from([]),
    out: channel,
    err: channel,
  });
  return { code, text: lines.join("\n") };
}

describe("what is asked", () => {
  const answer = async (typed: string) => {
    const output = new PassThrough();
    const parts = await askParts(Readable.from([typed]), output);
    return { parts, shown: String(output.read()) };
  };

  test("one word; an empty line is the default", async () => {
    expect((await answer("agent\n")).parts).toBe("agent");
    expect((await answer(" BOTH \n")).parts).toBe("both");
    expect((await answer("\n")).parts).toBe("world");
  });

  test("a wrong word is asked again, with the nearest; the end of the input is no answer", async () => {
    const { parts, shown } = await answer("wrold\nworld\n");
    expect(parts).toBe("world");
    expect(shown).toContain("expected world, agent, both (did you mean world?)");
    expect((await answer("")).parts).toBeUndefined();
  });
});

describe("what is written", () => {
  test("--yes is a world; it says which commands come next", async () => {
    const { code, text } = await init(at("New Desk"), "--yes");
    expect(code).toBe(0);
    const names = readdirSync(at("New Desk")).sort();
    const project = ["README.md", "package.json", "tsconfig.json", "world.test.ts", "world.ts"];
    expect(names).toEqual([".gitignore", ".npmrc", ...project]);
    expect(JSON.parse(readFileSync(at("New Desk", "package.json"), "utf8"))).toMatchObject({
      name: "new-desk",
      type: "module",
    });
    expect(text).toMatch(
      /cd '.*New Desk'\n {4}npm install\n {4}npm run check .*\n {4}npm run train /,
    );
  });

  test("--world and --agent say which; a folder may be there, with other things in it", async () => {
    writeFileSync(at("notes.txt"), "mine\n");
    expect(await init(folder, "--agent", "--json")).toMatchObject({ code: 0 });
    expect(existsSync(at("world.ts"))).toBe(false);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["agent.ts", "notes.txt"]));
    const { text } = await init(at("both"), "--world", "--agent", "--json");
    expect(JSON.parse(text)).toMatchObject({ folder: at("both"), parts: "both" });
    expect(readdirSync(at("both"))).toEqual(expect.arrayContaining(["agent.ts", "world.ts"]));
  });

  test.each(PROJECT_PARTS)(
    "%s: scripts and README name the files and the scripts that there are",
    (parts) => {
      const files = createProjectFiles({ name: "mine", parts, bowline: "^1.0.0" });
      const { scripts, devDependencies } = JSON.parse(files.get("package.json")!);
      expect(Object.values(devDependencies)).toEqual(
        [1, 2, 3].map(() => expect.stringMatching(/^\^\d/)),
      );
      const readme = files.get("README.md")!;
      for (const text of [readme, ...Object.values<string>(scripts)])
        for (const [file] of text.matchAll(/\b\w+(\.test)?\.ts\b/g))
          expect([...files.keys()]).toContain(file);
      for (const name of Object.keys(scripts))
        expect(readme).toMatch(new RegExp(`^npm (run )?${name} `, "m"));
    },
  );
});

describe("how the project names the package", () => {
  const root = () => at("node_modules", "bowline");
  const record = (resolved?: string) => {
    mkdirSync(root(), { recursive: true });
    const packages = { "node_modules/bowline": { version: "1.2.3", resolved } };
    writeFileSync(at("node_modules", ".package-lock.json"), JSON.stringify({ packages }));
  };

  test("a version where it came from a registry, or nobody knows", () => {
    expect(bowlineDependency(root(), at("new"), "1.2.3")).toBe("^1.2.3");
    record("https://example.org/bowline/-/bowline-1.2.3.tgz");
    expect(bowlineDependency(root(), at("new"), "1.2.3")).toBe("^1.2.3");
  });

  test("the tarball, the commit or the checkout where it came from that", () => {
    writeFileSync(at("bowline.tgz"), "");
    record("file:bowline.tgz");
    expect(bowlineDependency(root(), at("a", "new"), "1.2.3")).toBe("file:../../bowline.tgz");
    record("file:gone.tgz");
    expect(bowlineDependency(root(), at("new"), "1.2.3")).toBe("^1.2.3");
    record("git+ssh://git@example.org/bowline.git#abc");
    expect(bowlineDependency(root(), at("new"), "1.2.3")).toBe(
      "git+ssh://git@example.org/bowline.git#abc",
    );
    expect(bowlineDependency(at("checkout"), at("new"), "1.2.3")).toBe("file:../checkout");
  });
});

describe("what is refused, and leaves everything as it was", () => {
  const before = { "package.json": "{}\n", "world.ts": "// years of work\n" };
  beforeEach(() => {
    for (const [name, text] of Object.entries(before)) writeFileSync(at(name), text);
  });
  afterEach(() => {
    for (const [name, text] of Object.entries(before))
      expect(readFileSync(at(name), "utf8")).toBe(text);
    expect(readdirSync(folder).sort()).toEqual(Object.keys(before));
  });

  test.each<[string, string[], RegExp]>([
    [
      "files in the way",
      ["."],
      /^error: folder: .* has world\.ts, package\.json already, .* move them away$/,
    ],
    ["a file for a folder", ["world.ts"], /world\.ts is the name of a module; expected a folder/],
    [
      "a path through a file",
      ["package.json/new"],
      /^error: folder: .*package\.json is a file; expected a folder/,
    ],
    ["a misspelt option", ["new", "--agnt"], /unknown option '--agnt' \(did you mean --agent\?\)/],
    ["an unknown option", ["new", "--yess"], /unknown option '--yess' \(did you mean --yes\?\)/],
    [
      "a field",
      ["new", "--algo.groupSize", "8"],
      /takes no config fields, but --algo\.groupSize was given/,
    ],
    ["two folders", ["new", "other"], /too many arguments for 'init'/],
  ])("%s", async (_, [first = "", ...rest], message) => {
    const { code, text } = await init(at(first), ...rest, "--yes");
    expect(text.split("\n")[0]).toMatch(message);
    expect(code).toBe(2);
  });

  test("a failure half-way takes back what was written", () => {
    const files = new Map([
      ["a.txt", "a"],
      ["no-such-folder/b.txt", "b"],
    ]);
    expect(() => writeProject(at("new", "deep"), files)).toThrow(
      /cannot write the project .*ENOENT/,
    );
    expect(() => writeProject(folder, files)).toThrow(/cannot write the project .*ENOENT/);
  });
});
