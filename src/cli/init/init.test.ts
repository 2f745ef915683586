/** `bowline init` in process: its question, its files, its errors. tests/slow/init-command.test.ts runs the project. */
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

describe("the question which parts a new project has", () => {
  const answer = async (typed: string) => {
    const output = new PassThrough();
    const parts = await askParts(Readable.from([typed]), output);
    return { parts, shown: String(output.read()) };
  };

  test("accepts one word, and an empty line as the default", async () => {
    expect((await answer("agent\n")).parts).toBe("agent");
    expect((await answer(" BOTH \n")).parts).toBe("both");
    expect((await answer("\n")).parts).toBe("world");
  });

  test("is repeated after a wrong word, with the nearest word, and ends with the input", async () => {
    const { parts, shown } = await answer("wrold\nworld\n");
    expect(parts).toBe("world");
    expect(shown).toContain("expected world, agent, both (did you mean world?)");
    expect((await answer("")).parts).toBeUndefined();
  });
});

describe("bowline init writes a project", () => {
  test("with --yes it writes a world and suggests the next commands", async () => {
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

  test("--world and --agent choose the parts, and the folder may exist with other files in it", async () => {
    writeFileSync(at("notes.txt"), "mine\n");
    expect(await init(folder, "--agent", "--json")).toMatchObject({ code: 0 });
    expect(existsSync(at("world.ts"))).toBe(false);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["agent.ts", "notes.txt"]));
    const { text } = await init(at("both"), "--world", "--agent", "--json");
    expect(JSON.parse(text)).toMatchObject({ folder: at("both"), parts: "both" });
    expect(readdirSync(at("both"))).toEqual(expect.arrayContaining(["agent.ts", "world.ts"]));
  });

  test.each(PROJECT_PARTS)(
    "for %s, scripts and README name only files and scripts that exist",
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

describe("the new project's dependency on bowline", () => {
  const root = () => at("node_modules", "bowline");
  const record = (resolved?: string) => {
    mkdirSync(root(), { recursive: true });
    const packages = { "node_modules/bowline": { version: "1.2.3", resolved } };
    writeFileSync(at("node_modules", ".package-lock.json"), JSON.stringify({ packages }));
  };

  test("is a version where bowline came from a registry or its origin is unknown", () => {
    expect(bowlineDependency(root(), at("new"), "1.2.3")).toBe("^1.2.3");
    record("https://example.org/bowline/-/bowline-1.2.3.tgz");
    expect(bowlineDependency(root(), at("new"), "1.2.3")).toBe("^1.2.3");
  });

  test("is the tarball, the commit or the checkout from which bowline was installed", () => {
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

describe("bowline init changes no file and refuses", () => {
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
      "files that it would overwrite",
      ["."],
      /^error: folder: .* already has world\.ts, package\.json, .* move them away$/,
    ],
    [
      "the name of a module as the folder",
      ["world.ts"],
      /world\.ts is the name of a module; expected a folder/,
    ],
    [
      "a folder whose parent is a file",
      ["package.json/new"],
      /^error: folder: .*package\.json is a file; expected a folder/,
    ],
    ["a misspelt option", ["new", "--agnt"], /unknown option '--agnt' \(did you mean --agent\?\)/],
    ["an unknown option", ["new", "--yess"], /unknown option '--yess' \(did you mean --yes\?\)/],
    [
      "a config field",
      ["new", "--algo.groupSize", "8"],
      /takes no config fields, but --algo\.groupSize was given/,
    ],
    ["two folders", ["new", "other"], /too many arguments for 'init'/],
  ])("%s", async (_, [first = "", ...rest], message) => {
    const { code, text } = await init(at(first), ...rest, "--yes");
    expect(text.split("\n")[0]).toMatch(message);
    expect(code).toBe(2);
  });

  test("a failure half-way removes the files written so far", () => {
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
