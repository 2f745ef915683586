/**
 * Times the path of a new user: installs the packed package into an empty folder, creates a project with `bowline
 * init`, and runs the commands of that project's README.
 *
 *     node bench/newcomer.mjs                      after npm run build
 *     node bench/newcomer.mjs --ignore-scripts     passes options to the first npm install
 *
 * Prints a table with a row for each command: its seconds and its result. The exit code is 1 when a command fails. The
 * folder is removed at the end.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TARBALL = /^bowline-.*\.tgz$/;

/**
 * For some commands, a pattern of the printed lines that show the result. For all other commands, the last line is the
 * result.
 */
const RESULT_LINES = {
  "npm test": /^# (pass|fail)/,
  "npm run check": /✓|✗/,
  "npm run train": /^ +Result|greedy {2,}\d/,
  "npm run eval": /^ +all /,
};

/** Runs a command line and returns its output and seconds. Throws with the output when it fails. */
async function runAndTime(command, cwd) {
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

/** Lists the commands of the first block of a README, without their comments. */
function listCommands(readme) {
  const [, block = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  return block.split("\n").flatMap((line) => line.replace(/ +#.*/, "").trim() || []);
}

function selectResultLines(command, stdout) {
  const lines = stdout.split("\n").filter((line) => line.trim() !== "");
  const pattern = RESULT_LINES[command];
  return pattern ? lines.filter((line) => pattern.test(line)) : lines.slice(-1);
}

async function runAndPrint(command, cwd) {
  const { seconds, stdout } = await runAndTime(command, cwd);
  const [first = "", ...more] = selectResultLines(command, stdout).map((line) => line.trim());
  console.log(`${command.padEnd(44)} ${seconds.toFixed(1).padStart(7)}  ${first}`);
  for (const line of more) console.log(`${" ".repeat(54)}${line}`);
  return seconds;
}

const folder = mkdtempSync(join(tmpdir(), "newcomer-"));
try {
  const userFolder = join(folder, "fresh");
  mkdirSync(userFolder);
  await runAndTime(`npm pack --ignore-scripts --pack-destination ${folder}`, ROOT);
  const tarball = readdirSync(folder).find((name) => TARBALL.test(name));
  console.log(`Node ${process.version}, ${cpus().length} cores of ${cpus()[0].model}\n`);
  console.log(`${"step".padEnd(44)} ${"seconds".padStart(7)}  last lines`);
  const install = ["npm install", `../${tarball}`, ...process.argv.slice(2)].join(" ");
  let total = await runAndPrint(install, userFolder);
  total += await runAndPrint("npx bowline init helpdesk --yes", userFolder);
  const project = join(userFolder, "helpdesk");
  for (const command of listCommands(readFileSync(join(project, "README.md"), "utf8")))
    total += await runAndPrint(command, project);
  console.log(`${"in all".padEnd(44)} ${total.toFixed(1).padStart(7)}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
