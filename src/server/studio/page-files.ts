/**
 * The built page (`dist/web`). It is read into memory once, so no path of a request ever reaches the file system. The
 * page keeps its own addresses after the `#`, which browsers do not send.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { BowlineError } from "../../core/index.ts";
import type { PageFile } from "./http.ts";

const CONTENT_TYPES: { readonly [extension: string]: string } = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The folder into which the build writes the page. */
export const PAGE_FOLDER = fileURLToPath(new URL("../../../dist/web/", import.meta.url));

/** Marks the places in `index.html` where each response puts its nonce. */
const NONCE_PLACEHOLDER = "__NONCE__";

/** Reads all files of the page and returns a lookup by path. Throws a `config` error if the page was not built. */
export function loadPageFiles(
  folder: string,
): (path: string, nonce: string) => PageFile | undefined {
  requireBuiltPage(folder);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = new Map<string, PageFile>(
    entries.map((path) => [`/${relative(folder, path).split(sep).join("/")}`, readPageFile(path)]),
  );
  const index = files.get("/index.html")!.body.toString("utf8");
  return (path, nonce) => {
    if (path !== "/" && path !== "/index.html") return files.get(path);
    return {
      type: CONTENT_TYPES[".html"]!,
      body: Buffer.from(index.replaceAll(NONCE_PLACEHOLDER, nonce)),
    };
  };
}

function requireBuiltPage(folder: string): void {
  if (existsSync(join(folder, "index.html"))) return;
  throw new BowlineError(
    "config",
    "the studio's page is not built: run `npm run build` (the published package contains the page)",
  );
}

/** The parts of the page that one file needs to show it. */
export interface PageBundle {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
}

/**
 * Reads the page as one script and one style. Parts that the script loads later, such as the editor, are left out.
 * Throws a `config` error if the page was not built.
 */
export function readPageBundle(folder: string): PageBundle {
  requireBuiltPage(folder);
  const index = readFileSync(join(folder, "index.html"), "utf8");
  const readLinked = (pattern: RegExp) =>
    readFileSync(join(folder, pattern.exec(index)![1]!), "utf8");
  return {
    script: readLinked(/<script[^>]* src="([^"]+\.js)"/),
    style: readLinked(/<link[^>]* href="([^"]+\.css)"/),
    icon: readLinked(/<link[^>]* href="([^"]+\.svg)"/).trim(),
  };
}

function readPageFile(path: string): PageFile {
  return {
    type: CONTENT_TYPES[extname(path)] ?? "application/octet-stream",
    body: readFileSync(path),
  };
}
