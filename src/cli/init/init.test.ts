/**
 * Tests `bowline init` in this process: its question, its files and its errors. tests/slow/init-command.test.ts runs
 * the new project.
 */
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
import { AGENT_KIND_NAMES, AGENT_KINDS } from "./agent-kinds.ts";
import { bowlineDependency } from "./bowline-dependency.ts";
import { createProjectFiles } from "./project-files.ts";
import { askContent, PROJECT_PARTS, type ProjectContent } from "./project-parts.ts";
import { writeProject } from "./write-project.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bowline-init-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const pathInFolder = (...names: string[]) => join(folder, ...names);

async function runInit(...args: string[]) {
  const { lines, channel } = recordLines();
  const code = await runCommandLine(["init", ...args], {
    in: Readable.from([]),
    out: channel,
    err: channel,
  });
  return { code, text: lines.join("\n") };
}

describe("the questions of bowline init", () => {
  const askWithInput = async (typed: string, parts?: "agent") => {
    const output = new PassThrough();
    const content = await askContent(Readable.from([typed]), output, parts);
    return { content, shown: String(output.read()) };
  };

  test("askContent accepts one word, and takes an empty line as the usual answer", async () => {
    expect((await askWithInput("scaffold\n")).content).toEqual({ parts: "scaffold" });
    expect((await askWithInput(" BOTH \n")).content).toEqual({ parts: "both" });
    expect((await askWithInput("\n")).content).toEqual({ parts: "world" });
  });

  test("askContent asks for the kind of an agent, and only for the kind if the part is known", async () => {
    const agent = { parts: "agent", kind: "langgraph" };
    expect((await askWithInput("agent\nlanggraph\n")).content).toEqual(agent);
    const { content, shown } = await askWithInput("langgraph\n", "agent");
    expect(content).toEqual(agent);
    expect(shown).not.toContain("scaffold");
    for (const kind of AGENT_KIND_NAMES) expect(shown).toContain(AGENT_KINDS[kind]!.summary);
    expect((await askWithInput("\n", "agent")).content).toEqual({ parts: "agent", kind: "ai-sdk" });
    expect((await askWithInput("agent\n")).content).toBeUndefined();
  });

  test("askContent asks again after a wrong word, suggests the nearest word, and stops when the input ends", async () => {
    const { content, shown } = await askWithInput("wrold\nworld\n");
    expect(content).toEqual({ parts: "world" });
    expect(shown).toContain("expected world, agent, scaffold, both (did you mean world?)");
    expect((await askWithInput("")).content).toBeUndefined();
  });
});

describe("the files of bowline init", () => {
  test("bowline init --yes writes a world and suggests the next commands", async () => {
    const { code, text } = await runInit(pathInFolder("New Desk"), "--yes");
    expect(code).toBe(0);
    const names = readdirSync(pathInFolder("New Desk")).sort();
    const project = ["README.md", "package.json", "tsconfig.json", "world.test.ts", "world.ts"];
    expect(names).toEqual([".gitignore", ".npmrc", ...project]);
    expect(
      JSON.parse(readFileSync(pathInFolder("New Desk", "package.json"), "utf8")),
    ).toMatchObject({
      name: "new-desk",
      type: "module",
    });
    expect(text).toMatch(
      /cd '.*New Desk'\n {4}npm install\n {4}npm run check .*\n {4}npm run train /,
    );
  });

  test("--world and --scaffold choose the parts, and the folder may already contain other files", async () => {
    writeFileSync(pathInFolder("notes.txt"), "mine\n");
    expect(await runInit(folder, "--scaffold", "--json")).toMatchObject({ code: 0 });
    expect(existsSync(pathInFolder("world.ts"))).toBe(false);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["scaffold.ts", "notes.txt"]));
    const { text } = await runInit(pathInFolder("both"), "--world", "--scaffold", "--json");
    expect(JSON.parse(text)).toMatchObject({ folder: pathInFolder("both"), parts: "both" });
    expect(readdirSync(pathInFolder("both"))).toEqual(
      expect.arrayContaining(["scaffold.ts", "world.ts"]),
    );
  });

  test("--agent names the kind, which is ai-sdk where nobody can be asked", async () => {
    const { code, text } = await runInit(pathInFolder("desk"), "--agent", "mcp", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(text)).toMatchObject({ parts: "agent", kind: "mcp" });
    expect(readFileSync(pathInFolder("desk", "tools.ts"), "utf8")).toContain(
      "@modelcontextprotocol",
    );
    const asked = await runInit(pathInFolder("other"), "--agent");
    expect(asked.text).toMatch(/npm install\n {4}npm test .*\n {4}npm run train /);
    expect(readFileSync(pathInFolder("other", "agent.ts"), "utf8")).toContain('from "ai"');
  });

  const contents: ProjectContent[] = [
    ...PROJECT_PARTS.filter((parts) => parts !== "agent").map((parts) => ({ parts })),
    ...AGENT_KIND_NAMES.map((kind) => ({ parts: "agent" as const, kind })),
  ];

  test.each(contents)(
    "scripts and README of a new project with $parts $kind mention only files and scripts that exist",
    (content) => {
      const files = createProjectFiles({ name: "mine", ...content, bowline: "^1.0.0" });
      const { scripts, dependencies, devDependencies } = JSON.parse(files.get("package.json")!);
      const packages = { ...dependencies, ...devDependencies };
      expect(Object.keys(packages)).toEqual(expect.arrayContaining(["tsx", "typescript"]));
      for (const version of Object.values(packages)) expect(version).toMatch(/^[\^~]\d/);
      const readme = files.get("README.md")!;
      for (const text of [readme, files.get("Dockerfile") ?? "", ...Object.values<string>(scripts)])
        for (const [file] of text.matchAll(/\b[\w-]+(\.test)?\.ts\b/g))
          expect([...files.keys()]).toContain(file);
      for (const name of Object.keys(scripts))
        expect(readme).toMatch(new RegExp(`^npm (run )?${name} `, "m"));
    },
  );

  test.each(AGENT_KIND_NAMES)(
    "a new project with the agent %s imports only its own files and packages that it depends on",
    (kind) => {
      const files = createProjectFiles({ name: "mine", parts: "agent", kind, bowline: "^1.0.0" });
      const { dependencies } = JSON.parse(files.get("package.json")!);
      for (const [file, text] of files) {
        for (const [, source = ""] of text.matchAll(/ from "([^"]+)"/g)) {
          const name = source.startsWith("@")
            ? /^[^/]+\/[^/]+/.exec(source)![0]
            : source.split("/")[0]!;
          const isKnown = source.startsWith("./")
            ? files.has(source.slice(2))
            : source.startsWith("node:") || name in dependencies;
          expect(isKnown, `${file} imports ${source}`).toBe(true);
        }
        if (file === "agent.ts" || file === "desk.ts") expect(text).not.toContain('"bowline');
      }
    },
  );

  test("agents depend on the versions with which Bowline is tested", () => {
    const read = (path: string) =>
      JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).devDependencies;
    const tested = {
      ...read("../../../tests/slow/clients/package.json"),
      ...read("../../../package.json"),
    };
    for (const { dependencies } of Object.values(AGENT_KINDS))
      expect(tested).toMatchObject(dependencies);
  });
});

describe("the new project's dependency on bowline", () => {
  const packageRoot = () => pathInFolder("node_modules", "bowline");
  const recordInstall = (resolved?: string) => {
    mkdirSync(packageRoot(), { recursive: true });
    const packages = { "node_modules/bowline": { version: "1.2.3", resolved } };
    writeFileSync(pathInFolder("node_modules", ".package-lock.json"), JSON.stringify({ packages }));
  };

  test("a new project depends on a version of bowline if bowline came from a registry or an unknown place", () => {
    expect(bowlineDependency(packageRoot(), pathInFolder("new"), "1.2.3")).toBe("^1.2.3");
    recordInstall("https://example.org/bowline/-/bowline-1.2.3.tgz");
    expect(bowlineDependency(packageRoot(), pathInFolder("new"), "1.2.3")).toBe("^1.2.3");
  });

  test("a new project depends on the tarball, commit or checkout from which bowline was installed", () => {
    writeFileSync(pathInFolder("bowline.tgz"), "");
    recordInstall("file:bowline.tgz");
    expect(bowlineDependency(packageRoot(), pathInFolder("a", "new"), "1.2.3")).toBe(
      "file:../../bowline.tgz",
    );
    recordInstall("file:gone.tgz");
    expect(bowlineDependency(packageRoot(), pathInFolder("new"), "1.2.3")).toBe("^1.2.3");
    recordInstall("git+ssh://git@example.org/bowline.git#abc");
    expect(bowlineDependency(packageRoot(), pathInFolder("new"), "1.2.3")).toBe(
      "git+ssh://git@example.org/bowline.git#abc",
    );
    expect(bowlineDependency(pathInFolder("checkout"), pathInFolder("new"), "1.2.3")).toBe(
      "file:../checkout",
    );
  });
});

describe("what bowline init refuses", () => {
  const before = { "package.json": "{}\n", "world.ts": "// years of work\n" };
  beforeEach(() => {
    for (const [name, text] of Object.entries(before)) writeFileSync(pathInFolder(name), text);
  });
  afterEach(() => {
    for (const [name, text] of Object.entries(before))
      expect(readFileSync(pathInFolder(name), "utf8")).toBe(text);
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
    [
      "an unknown kind of agent",
      ["new", "--agent", "opnai"],
      /^error: --agent: expected ai-sdk, mcp, .*, got opnai \(did you mean openai\?\); a folder comes before --agent$/,
    ],
    [
      "an agent with another part",
      ["new", "--world", "--agent"],
      /^error: --agent: expected no --world beside it, .*write two projects$/,
    ],
    ["an unknown option", ["new", "--yess"], /unknown option '--yess' \(did you mean --yes\?\)/],
    [
      "a config field",
      ["new", "--algo.groupSize", "8"],
      /takes no config fields, but --algo\.groupSize was given/,
    ],
    ["two folders", ["new", "other"], /too many arguments for 'init'/],
  ])("bowline init refuses %s and changes no file", async (_, [first = "", ...rest], message) => {
    const { code, text } = await runInit(pathInFolder(first), ...rest, "--yes");
    expect(text.split("\n")[0]).toMatch(message);
    expect(code).toBe(2);
  });

  test("when writing a project fails half-way, the files written so far are removed", () => {
    const files = new Map([
      ["a.txt", "a"],
      ["no-such-folder/b.txt", "b"],
    ]);
    expect(() => writeProject(pathInFolder("new", "deep"), files)).toThrow(
      /cannot write the project .*ENOENT/,
    );
    expect(() => writeProject(folder, files)).toThrow(/cannot write the project .*ENOENT/);
  });
});
