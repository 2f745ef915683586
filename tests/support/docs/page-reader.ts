/**
 * Somebody who does all that a page says: saves its files, gives its commands one after the other in one folder, compares
 * what is printed, and type-checks what was saved. A server that is started with `&` runs until the page ends.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT } from "../../e2e/support/cli.ts";
import type { Page, PageBlock } from "./page-blocks.ts";

/** A command that ran, for the list of what takes how long. */
export interface FinishedCommand {
  readonly place: string;
  readonly runBlock: string;
  readonly seconds: number;
}

/** What a page says and is not so, with its place. */
export class PageError extends Error {}

/** Does what `page` says in `folder`; `ran` is told of every command. Throws `Wrong` at the first thing that is not so. */
export async function followPage(
  page: Page,
  folder: string,
  ran: (command: FinishedCommand) => void,
): Promise<void> {
  const reader = new PageReader(page, folder, ran);
  try {
    for (const block of page.blocks) await reader.followBlock(block);
    await reader.typeCheck();
  } finally {
    reader.stopServers();
  }
}

class PageReader {
  private here: string;
  private printed = "";
  private readonly saved: string[] = [];
  private readonly servers: number[] = [];
  private commands = 0;
  private readonly page: Page;
  private readonly folder: string;
  private readonly ran: (command: FinishedCommand) => void;

  constructor(page: Page, folder: string, ran: (command: FinishedCommand) => void) {
    this.page = page;
    this.folder = folder;
    this.here = folder;
    this.ran = ran;
  }

  async followBlock(block: PageBlock): Promise<void> {
    if (block.needs !== undefined) return;
    switch (block.kind) {
      case "shell":
        return this.command(block.code, block);
      case "program":
        return this.saveProgram(block);
      case "excerpt":
        return this.checkExcerpt(block);
      case "json":
        JSON.parse(block.code);
        if (block.file !== undefined) writeFileSync(join(this.here, block.file), block.code);
        return;
      case "output":
        return this.compareOutput(block);
      case "plain":
        return;
      default:
        block.kind satisfies never;
    }
  }

  /** Every file of the page at once, as strictly as the package itself. */
  async typeCheck(): Promise<void> {
    const files = this.saved.filter((file) => file.endsWith(".ts"));
    if (files.length === 0) return;
    const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    await this.command(`node ${tsc} ${TSC_OPTIONS} ${files.join(" ")}`, { line: 0 }, "tsc");
  }

  stopServers(): void {
    for (const group of this.servers) {
      try {
        process.kill(-group);
      } catch {
        // It ended by itself.
      }
    }
  }

  private async saveProgram(block: PageBlock): Promise<void> {
    const file = join(this.here, block.file ?? `snippet-${block.line}.ts`);
    writeFileSync(file, block.code);
    this.saved.push(file);
    if (block.file === undefined) return this.command(`npx tsx ${basename(file)}`, block);
    const later = this.page.blocks.filter(({ line }) => line > block.line);
    if (!later.some(({ code, needs }) => needs === undefined && code.includes(block.file!)))
      throw this.pageError(block, `nothing that follows uses ${block.file}`);
  }

  private checkExcerpt(block: PageBlock): void {
    const whole = readFileSync(join(ROOT, block.file!), "utf8");
    const missing = block.code.split(/^ *\/\/ \.\.\.\n/m).find((piece) => !whole.includes(piece));
    if (missing !== undefined)
      throw this.pageError(block, `${block.file} does not say: ${missing}`);
    const name = basename(block.file!);
    // A file of an example that is a folder is used where the folder's index is.
    const names = [name, `${block.file!.split("/")[1]}/index.ts`];
    const uses = ({ kind, code, needs }: PageBlock) =>
      needs === undefined &&
      (kind === "shell" || kind === "program") &&
      names.some((one) => code.includes(one));
    if (!this.page.blocks.some(uses))
      throw this.pageError(block, `no command or program of the page uses ${name}`);
  }

  private compareOutput(block: PageBlock): void {
    const printed = collapseSpace(this.printed);
    const lines = block.code.split("\n").map(collapseSpace);
    const missing = lines.find((line) => line !== "..." && !printed.includes(line));
    if (missing !== undefined)
      throw this.pageError(block, `not printed: ${missing}\n--- printed ---\n${this.printed}`);
  }

  private async command(code: string, block: { line: number }, shown = code): Promise<void> {
    const place = `${this.page.path}:${block.line}`;
    const log = join(this.folder, `.printed-${++this.commands}`);
    const start = performance.now();
    const status = await this.runInShell(code, log);
    this.printed = readFileSync(log, "utf8");
    this.ran({ place, runBlock: shown.trim(), seconds: (performance.now() - start) / 1000 });
    if (status !== 0)
      throw this.pageError(
        block,
        `exit code ${status} of\n${shown}\n--- printed ---\n${this.printed}`,
      );
  }

  /** What is printed goes into a file, so a server that goes on printing holds nothing up. */
  private async runInShell(code: string, log: string): Promise<number | null> {
    const serves = /&\s*(#.*)?$/m.test(code);
    const place = join(this.folder, ".here");
    const script = `set -euo pipefail\ntrap 'pwd > ${place}' EXIT\n${code}`;
    const out = openSync(log, "w");
    const child = spawn("bash", ["-c", script], {
      cwd: this.here,
      detached: true,
      stdio: ["ignore", out, out],
      env: { ...process.env, npm_config_loglevel: "error", COLUMNS: "100" },
    });
    closeSync(out);
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    if (serves) {
      this.servers.push(child.pid!);
      for (let i = 0; i < 300 && readFileSync(log, "utf8") === ""; i++) await wait(100);
    }
    if (existsSync(place)) this.here = readFileSync(place, "utf8").trim();
    return status;
  }

  private pageError({ line }: { line: number }, text: string): PageError {
    return new PageError(`${this.page.path}:${line}: ${text}`);
  }
}

const TSC_OPTIONS =
  "--ignoreConfig --noEmit --strict --skipLibCheck --module NodeNext --target ES2023 --types node --allowImportingTsExtensions";

const collapseSpace = (text: string) => text.replace(/\s+/g, " ").trim();
