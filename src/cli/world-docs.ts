/** Reads a world's documentation in the same way as an agent does: through the `docs` app of a live episode. */
import { BowlineError } from "../core/index.ts";
import type { Episode } from "../spec/index.ts";

/** The documentation of one API, as `docs.showApi` returns it. */
export interface ApiDoc {
  readonly call: string;
  readonly summary: string;
  readonly params: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly default?: unknown;
    readonly description?: string;
  }[];
  readonly returns: string;
  /** A working call; absent if the world shows no examples. */
  readonly example?: string;
  /** Further notes, which exist only in verbose documentation. */
  readonly notes?: readonly string[];
}

export interface AppDoc {
  readonly name: string;
  readonly summary: string;
  readonly apis: readonly { readonly name: string; readonly summary: string }[];
}

interface DocsPage<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}

export async function readAppDocs(episode: Episode): Promise<AppDoc[]> {
  const apps = await readAllPages<{ name: string; summary: string }>(
    episode,
    (page) => `apis.docs.listApps({ page: ${page} })`,
  );
  const docs: AppDoc[] = [];
  for (const app of apps) {
    const call = (page: number) =>
      `apis.docs.listApis({ app: ${JSON.stringify(app.name)}, page: ${page} })`;
    docs.push({ ...app, apis: await readAllPages(episode, call) });
  }
  return docs;
}

/**
 * Reads the documentation of the API `app.api`. Throws a `config` error with the world's suggestion when there is no
 * such API.
 */
export function readApiDoc(episode: Episode, name: string): Promise<ApiDoc> {
  const [app = "", api = ""] = name.split(".");
  return evaluateInEpisode(
    episode,
    `apis.docs.showApi({ app: ${JSON.stringify(app)}, api: ${JSON.stringify(api)} })`,
  );
}

async function readAllPages<T>(episode: Episode, call: (page: number) => string): Promise<T[]> {
  const items: T[] = [];
  for (let page = 1; ; page++) {
    const found = await evaluateInEpisode<DocsPage<T>>(episode, call(page));
    items.push(...found.items);
    if (!found.more) return items;
  }
}

/** Runs an expression as a cell and returns its value. Throws a `config` error when the cell fails. */
async function evaluateInEpisode<T>(episode: Episode, expression: string): Promise<T> {
  const result = await episode.step(`print(JSON.stringify(await ${expression}))`);
  if (result.status === "ok") return JSON.parse(result.stdout) as T;
  throw new BowlineError("config", result.error?.message ?? result.text);
}
