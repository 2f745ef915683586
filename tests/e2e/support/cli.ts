/** Runs the built command line as a child process: `node dist/cli/main.js ...`. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
export const CLI_PATH = join(ROOT, "dist", "cli", "main.js");

export interface FinishedProcess {
  /** The exit code, or null when a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly input?: string;
  /** True when stdin stays open after `input`, as in a terminal. */
  readonly keepOpen?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** A function that is called with the process as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void;
}

export function runBowline(
  args: readonly string[],
  options: CliOptions = {},
): Promise<FinishedProcess> {
  return runCommand(process.execPath, [CLI_PATH, ...args], options);
}

export function runCommand(
  command: string,
  args: readonly string[],
  options: CliOptions = {},
): Promise<FinishedProcess> {
  const { cwd = ROOT, input = "", keepOpen = false, env = {}, onStart } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdin.on("error", () => {});
    if (keepOpen) child.stdin.write(input);
    else child.stdin.end(input);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    onStart?.(child);
  });
}

/** Creates an empty folder, which `remove` deletes. */
export function createTemporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "bowline-e2e-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
