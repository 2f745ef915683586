/**
 * A newcomer's path, timed: the packed package into an empty folder, a project by `bowline init`, and the commands of that
 * project's README as they stand there, so no step needs what a newcomer would not know.
 *
 *     node bench/newcomer.mjs                      after npm run build
 *     node bench/newcomer.mjs --ignore-scripts     options for the first npm install
 *
 * Prints a table of steps, seconds and last lines; ends with 1 where a step fails. The folder is removed.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TARBALL = /^bowline-.*\.tgz$/;

/** Which lines of a command say how it went; of others, the last one. */
const TELLING = {
  "npm test": /^# (pass|fail)/,
  "npm run check": /✓|✗/,
  "npm run train": /^ +Result|greedy {2,}\d/,
  "npm run eval": /^ +all /,
};

/** Runs one command line; what it printed, and how long it took. Throws with the output where it fails. */
async function timed(command, cwd) {
  const started = performance.now();
  const child = spawn(command, { cwd, shell: true, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"])
    child[name].on("data", (chunk) => {
      printed[name] += chunk;
    });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0)
    throw new Error(`${command} ended with ${code}\n${printed.stdout}${printed.stderr}`);
  return { seconds: (performance.now() - started) / 1000, stdout: printed.stdout };
}

/** The commands of the first block of a README, without their comments. */
function commandsOf(readme) {
  const [, block = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  return block.split("\n").flatMap((line) => line.replace(/ +#.*/, "").trim() || []);
}

function tellingLines(command, stdout) {
  const lines = stdout.split("\n").filter((line) => line.trim() !== "");
  const telling = TELLING[command];
  return telling ? lines.filter((line) => telling.test(line)) : lines.slice(-1);
}

async function step(command, cwd) {
  const { seconds, stdout } = await timed(command, cwd);
  const [first = "", ...more] = tellingLines(command, stdout).map((line) => line.trim());
  console.log(`${command.padEnd(44)} ${seconds.toFixed(1).padStart(7)}  ${first}`);
  for (const line of more) console.log(`${" ".repeat(54)}${line}`);
  return seconds;
}

const home = mkdtempSync(join(tmpdir(), "newcomer-"));
try {
  const fresh = join(home, "fresh");
  mkdirSync(fresh);
  await timed(`npm pack --ignore-scripts --pack-destination ${home}`, ROOT);
  const tarball = readdirSync(home).find((name) => TARBALL.test(name));
  console.log(`Node ${process.version}, ${cpus().length} cores of ${cpus()[0].model}\n`);
  console.log(`${"step".padEnd(44)} ${"seconds".padStart(7)}  last lines`);
  const install = ["npm install", `../${tarball}`, ...process.argv.slice(2)].join(" ");
  let total = await step(install, fresh);
  total += await step("npx bowline init helpdesk --yes", fresh);
  const project = join(fresh, "helpdesk");
  for (const command of commandsOf(readFileSync(join(project, "README.md"), "utf8")))
    total += await step(command, project);
  console.log(`${"in all".padEnd(44)} ${total.toFixed(1).padStart(7)}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
