/** Tests that no option takes a key, and that nothing that looks like one is printed or stored. */
import { Command } from "commander";
import { expect, test } from "vitest";
import { runBowlineInProcess as bowline } from "../../tests/support/terminal.ts";
import { methods } from "../methods/index.ts";
import { configFields } from "../train/index.ts";
import type { CommandContext } from "./command-context.ts";
import { COMMANDS } from "./commands/index.ts";
import type { LazyCommand } from "./lazy-commands.ts";

const LOOKS_LIKE_KEY = /key|token|secret|password|credential|auth|cookie|bearer|pass\b/i;
/** Options and fields with such names that take no key, with what they take. */
const TAKE_NO_KEY: { readonly [name: string]: string } = {
  "--key-from": "the name of an environment variable",
  "--key": "nothing: it is hidden and refused",
  "--max-tokens": "a count",
  "--tokens": "counts",
};
const FIELDS_WITHOUT_KEY = /^tokenizer\.|^memory\.author$|^credit\.key$|tokens?$|TokenShare$/i;

const context = {
  terminal: { out: { columns: 100 }, err: {} },
  fields: {},
  setExitCode: () => {},
} as unknown as CommandContext;

/** Defines all commands, also those within others, and returns them. */
async function listCommands(): Promise<Command[]> {
  const defined = await Promise.all(
    COMMANDS.map(async ({ name, load }: LazyCommand) => {
      const command = new Command(name);
      (await load())(command, context);
      return command;
    }),
  );
  const withChildren = async (command: Command): Promise<Command[]> => {
    const hooks = command as unknown as {
      _lifeCycleHooks?: { preSubcommand?: ((parent: Command, child: Command) => unknown)[] };
    };
    for (const child of command.commands) {
      for (const hook of hooks._lifeCycleHooks?.preSubcommand ?? []) await hook(command, child);
    }
    return [command, ...(await Promise.all(command.commands.map(withChildren))).flat()];
  };
  return (await Promise.all(defined.map(withChildren))).flat();
}

test("no option of any command takes the value of a key", async () => {
  const commands = await listCommands();
  expect(commands.length).toBeGreaterThan(15);
  const options = commands.flatMap((command) => command.options);
  expect(options.length).toBeGreaterThan(80);
  const suspicious = options.filter(
    ({ long, flags }) => /[<[]/.test(flags) && LOOKS_LIKE_KEY.test(long ?? flags),
  );
  const names = [...new Set(suspicious.map(({ long }) => long!))];
  expect(names.filter((name) => !(name in TAKE_NO_KEY))).toEqual([]);
  expect(names).toContain("--key-from");
});

test("no field of the configuration takes a key", () => {
  const fields = Object.values(methods).flatMap((method) => configFields(method));
  const paths = [...new Set(fields.map(({ path }) => path))];
  const suspicious = paths.filter(
    (path) => LOOKS_LIKE_KEY.test(path) && !FIELDS_WITHOUT_KEY.test(path),
  );
  expect(suspicious).toEqual([]);
});

const SECRET = "hunter2";
test.each([
  `train --api-key=${SECRET}`,
  `train --engine.key=${SECRET}`,
  `train --engine.key ${SECRET}`,
  `train --engine tinker --engine.url http://me:${SECRET}@host/`,
  `train --engine tinker --engine.url http://host/?key=${SECRET}`,
  `train --engine tinker --engine.url me:${SECRET}@host`,
  `train --engine.model http://me:${SECRET}@host/`,
  `train --world http://me:${SECRET}@host/`,
  `train --method http://me:${SECRET}@host/`,
  `train --scaffold.name http://me:${SECRET}@host/`,
  `train --engine http://me:${SECRET}@host/`,
  `eval hosted:x --api-key=${SECRET}`,
  `eval hosted:x --key-from ${SECRET}`,
  `eval hosted:x --base-url http://me:${SECRET}@host/v1`,
  `eval hosted:x --base-url http://host/v1?key=${SECRET}`,
  `eval hosted:x --base-url me:${SECRET}@host`,
  `eval http://me:${SECRET}@host/`,
  `eval ftp://${SECRET}@host/`,
  `chat http://me:${SECRET}@host/`,
  `export http://me:${SECRET}@host/ --format hf`,
  `report http://me:${SECRET}@host/`,
  `serve --openai http://me:${SECRET}@host/`,
  `serve --openai x --key ${SECRET}`,
  `serve --openai x --key=${SECRET}`,
  `serve --openai x --key-from ${SECRET}`,
  `serve --tinker --engine.model http://me:${SECRET}@host/`,
  `studio --token=${SECRET}`,
  `studio http://me:${SECRET}@host/`,
  `doctor http://me:${SECRET}@host/`,
  `doctor http://me:${SECRET}@host:x/`,
  `doctor http://127.0.0.1:9/?key=${SECRET}`,
  `world list --world http://me:${SECRET}@host/`,
])("bowline %s prints no key and does not succeed", async (line) => {
  const { code, stdout, stderr } = await bowline(line.split(" "));
  expect(code).not.toBe(0);
  expect(`${stdout}${stderr}`).not.toContain(SECRET);
  expect(stderr).not.toMatch(/\n\s+at /);
});
