/**
 * Follows a page of documentation: saves its files, runs its commands in one folder, compares their output, and
 * type-checks the saved programs. A server that a command starts with `&` runs until the page ends.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT } from "../../e2e/support/cli.ts";
import type { Page, PageBlock } from "./page-blocks.ts";

/** A block of commands that ran, and how long it took. */
export interface FinishedCommand {
  readonly place: string;
  readonly command: string;
  readonly seconds: number;
}

/** An error for something that a page says and that is not true, with its place in the page. */
export class PageError extends Error {}

/**
 * Saves the files and runs the commands of `page` in `folder`. Throws a `PageError` at the first statement of the page
 * that is not true.
 */
export async function followPage(
  page: Page,
  folder: string,
  onFinished: (command: FinishedCommand) => void,
): Promise<void> {
  const reader = new PageReader(page, folder, onFinished);
  try {
    for (const block of page.blocks) await reader.followBlock(block);
    await reader.typeCheck();
  } finally {
    reader.stopServers();
  }
}

class PageReader {
  private currentFolder: string;
  private output = "";
  private readonly savedFiles: string[] = [];
  private readonly serverGroups: number[] = [];
  private commandCount = 0;
  private readonly page: Page;
  private readonly folder: string;
  private readonly onFinished: (command: FinishedCommand) => void;

  constructor(page: Page, folder: string, onFinished: (command: FinishedCommand) => void) {
    this.page = page;
    this.folder = folder;
    this.currentFolder = folder;
    this.onFinished = onFinished;
  }

  async followBlock(block: PageBlock): Promise<void> {
    if (block.needs !== undefined) return;
    switch (block.kind) {
      case "shell":
        return this.runBlock(block.code, block);
      case "program":
        return this.saveProgram(block);
      case "excerpt":
        return this.checkExcerpt(block);
      case "json":
        JSON.parse(block.code);
        if (block.file !== undefined)
          writeFileSync(join(this.currentFolder, block.file), block.code);
        return;
      case "output":
        return this.compareOutput(block);
      case "plain":
        return;
      default:
        block.kind satisfies never;
    }
  }

  /** Type-checks all saved programs of the page with strict options. */
  async typeCheck(): Promise<void> {
    const files = this.savedFiles.filter((file) => file.endsWith(".ts"));
    if (files.length === 0) return;
    const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    await this.runBlock(`node ${tsc} ${TSC_OPTIONS} ${files.join(" ")}`, { line: 0 }, "tsc");
  }

  stopServers(): void {
    for (const group of this.serverGroups) {
      try {
        process.kill(-group);
      } catch {
        // The server has ended by itself.
      }
    }
  }

  private async saveProgram(block: PageBlock): Promise<void> {
    const file = join(this.currentFolder, block.file ?? `snippet-${block.line}.ts`);
    writeFileSync(file, block.code);
    this.savedFiles.push(file);
    if (block.file === undefined) return this.runBlock(`npx tsx ${basename(file)}`, block);
    const laterBlocks = this.page.blocks.filter(({ line }) => line > block.line);
    if (!laterBlocks.some(({ code, needs }) => needs === undefined && code.includes(block.file!)))
      throw this.pageError(block, `nothing after this block uses ${block.file}`);
  }

  private checkExcerpt(block: PageBlock): void {
    const whole = readFileSync(join(ROOT, block.file!), "utf8");
    const missing = block.code.split(/^ *\/\/ \.\.\.\n/m).find((piece) => !whole.includes(piece));
    if (missing !== undefined)
      throw this.pageError(block, `${block.file} does not have: ${missing}`);
    const name = basename(block.file!);
    // When a block uses the index file of an example's folder, all files of this folder count as used.
    const names = [name, `${block.file!.split("/")[1]}/index.ts`];
    const usesExcerpt = ({ kind, code, needs }: PageBlock) =>
      needs === undefined &&
      (kind === "shell" || kind === "program") &&
      names.some((one) => code.includes(one));
    if (!this.page.blocks.some(usesExcerpt))
      throw this.pageError(block, `no command or program of the page uses ${name}`);
  }

  private compareOutput(block: PageBlock): void {
    const output = collapseSpace(this.output);
    const lines = block.code.split("\n").map(collapseSpace);
    const missing = lines.find((line) => line !== "..." && !output.includes(line));
    if (missing !== undefined)
      throw this.pageError(block, `not printed: ${missing}\n--- printed ---\n${this.output}`);
  }

  private async runBlock(code: string, block: { line: number }, shown = code): Promise<void> {
    const place = `${this.page.path}:${block.line}`;
    const log = join(this.folder, `.printed-${++this.commandCount}`);
    const start = performance.now();
    const status = await this.runInShell(code, log);
    this.output = readFileSync(log, "utf8");
    this.onFinished({ place, command: shown.trim(), seconds: (performance.now() - start) / 1000 });
    if (status !== 0)
      throw this.pageError(
        block,
        `exit code ${status} of\n${shown}\n--- printed ---\n${this.output}`,
      );
  }

  /**
   * Runs a script with bash and returns its exit code. The output goes to a file, so a server in the background does
   * not block the script.
   */
  private async runInShell(code: string, log: string): Promise<number | null> {
    const startsServer = /&\s*(#.*)?$/m.test(code);
    const folderFile = join(this.folder, ".here");
    const script = `set -euo pipefail\ntrap 'pwd > ${folderFile}' EXIT\n${code}`;
    const out = openSync(log, "w");
    const child = spawn("bash", ["-c", script], {
      cwd: this.currentFolder,
      detached: true,
      stdio: ["ignore", out, out],
      env: { ...process.env, npm_config_loglevel: "error", COLUMNS: "100" },
    });
    closeSync(out);
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    if (startsServer) {
      this.serverGroups.push(child.pid!);
      for (let i = 0; i < 300 && readFileSync(log, "utf8") === ""; i++) await wait(100);
    }
    if (existsSync(folderFile)) this.currentFolder = readFileSync(folderFile, "utf8").trim();
    return status;
  }

  private pageError({ line }: { line: number }, text: string): PageError {
    return new PageError(`${this.page.path}:${line}: ${text}`);
  }
}

const TSC_OPTIONS =
  "--ignoreConfig --noEmit --strict --skipLibCheck --module NodeNext --target ES2023 --types node --allowImportingTsExtensions";

const collapseSpace = (text: string) => text.replace(/\s+/g, " ").trim();
