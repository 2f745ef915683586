/**
 * The `docs` app of every world: which apps and APIs exist and how to call them, derived from the definitions that run.
 */
import { z } from "zod";
import type { Dials } from "../../spec/index.ts";
import { type Api, ApiError, type App, defineApi, defineApp, type Reader } from "../define.ts";
import { explainUnknownName } from "../words/index.ts";
import { pageParam, pageSchema, takePage } from "./page.ts";
import { ApiIndex, type SearchedApi } from "./search-apis.ts";
import { formatType, type JsonSchema, toJsonSchema } from "./types.ts";

const PAGE_SIZE = 20;
const entrySchema = z.object({ name: z.string(), summary: z.string() });
const appParam = z.string().describe("an app's name");

const apiDocSchema = z.object({
  call: z.string(),
  summary: z.string(),
  params: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      required: z.boolean(),
      default: z.unknown().optional(),
      description: z.string().optional(),
    }),
  ),
  returns: z.string(),
});
type ApiDoc = z.output<typeof apiDocSchema> & { example?: string; notes?: string[] };

/** How much the documentation says, and what it shows besides the definitions. */
export interface DocsStyle {
  readonly length: Dials["docs"];
  /** Whether the documentation of an API shows a working call. */
  readonly examples: boolean;
  /** Returns the JSON Schema of an API's parameters under the names that the agent sees. */
  readonly parameters: (app: string, api: string) => JsonSchema;
  readonly example: (app: string, api: string, db: Reader) => string | undefined;
  /** Returns notes on calls of an API that say more than its parameters. Only verbose documentation shows them. */
  readonly notes: (app: string, api: string) => readonly string[];
}

/** Makes the `docs` app. `apps` is everything else that the agent can call; `docs` itself is added here. */
export function makeDocsApp(apps: readonly App[], style: DocsStyle): App {
  const all: App[] = [...apps];
  let index: ApiIndex | undefined;
  const docs = defineApp({
    name: "docs",
    summary: "The documentation of all apps.",
    tables: [],
    apis: {
      listApps: defineApi({
        summary: "List all apps.",
        params: z.strictObject({ page: pageParam }),
        returns: pageSchema(entrySchema),
        handler: (_, { page }) => takePage(all.map(appEntry), page, PAGE_SIZE),
      }),
      listApis: defineApi({
        summary: "List the APIs of one app.",
        params: z.strictObject({ app: appParam, page: pageParam }),
        returns: pageSchema(entrySchema),
        handler: (_, { app, page }) =>
          takePage(Object.entries(findApp(all, app).apis).map(apiEntry), page, PAGE_SIZE),
      }),
      showApi: defineApi({
        summary: "Show one API: its parameters and what it returns.",
        params: z.strictObject({ app: appParam, api: z.string().describe("an API's name") }),
        returns: apiDocSchema.extend(extraFields(style)),
        handler: ({ db }, { app, api }) => describeApi(findApp(all, app), api, style, db),
      }),
      search: defineApi({
        summary: "Search the APIs of all apps by words.",
        params: z.strictObject({
          query: z.string().min(1).describe("one or more words"),
          page: pageParam,
        }),
        returns: pageSchema(entrySchema),
        handler: (_, { query, page }) => {
          index ??= new ApiIndex(listSearchedApis(all, style));
          return takePage(index.search(query).map(searchEntry), page, PAGE_SIZE);
        },
      }),
    },
  });
  all.unshift(docs);
  return docs;
}

/** Returns the fields that only some documentation styles have. */
function extraFields({ length, examples }: DocsStyle) {
  return {
    ...(examples && length !== "terse" ? { example: z.string().optional() } : {}),
    ...(length === "verbose" ? { notes: z.array(z.string()) } : {}),
  };
}

/**
 * Documents an API. Throws an ApiError 404 that names the nearest API. Fields that the style does not have are removed
 * later.
 */
function describeApi(app: App, name: string, style: DocsStyle, db: Reader): ApiDoc {
  const api = app.apis[name];
  if (!api)
    throw new ApiError(
      404,
      explainUnknownName(`${app.name} has no API`, name, Object.keys(app.apis), '"'),
    );
  const schema = style.parameters(app.name, name);
  const told = style.length !== "terse";
  const params = Object.entries(schema.properties ?? {}).map(([parameter, field]) => ({
    name: parameter,
    type: formatType(field),
    required: schema.required?.includes(parameter) ?? false,
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(told && field.description !== undefined ? { description: field.description } : {}),
  }));
  const example = style.examples && told ? style.example(app.name, name, db) : undefined;
  const names = params.map((p) => (p.required ? p.name : `${p.name}?`)).join(", ");
  return {
    call: `apis.${app.name}.${name}(${names ? `{ ${names} }` : ""})`,
    summary: api.summary,
    params,
    returns: formatType(toJsonSchema(api.returns, "output")),
    ...(example === undefined ? {} : { example }),
    ...(style.length === "verbose" ? { notes: [...style.notes(app.name, name)] } : {}),
  };
}

function findApp(apps: readonly App[], name: string): App {
  const app = apps.find((candidate) => candidate.name === name);
  if (app) return app;
  throw new ApiError(
    404,
    explainUnknownName(
      "there is no app",
      name,
      apps.map((candidate) => candidate.name),
      '"',
      20,
    ),
  );
}

const appEntry = ({ name, summary }: App) => ({ name, summary });
const apiEntry = ([name, { summary }]: [string, Api]) => ({ name, summary });

const searchEntry = ({ name, summary }: SearchedApi) => ({ name, summary });

/** Returns what a search knows of each API. */
function listSearchedApis(apps: readonly App[], style: DocsStyle): SearchedApi[] {
  return apps.flatMap((app) =>
    Object.entries(app.apis).map(([api, { summary }]) => {
      const params = describeParameters(style.parameters(app.name, api));
      return { name: `${app.name}.${api}`, summary, app, params };
    }),
  );
}

/** Returns the names, descriptions and possible words of parameters as one text. Those of pages are left out. */
function describeParameters({ properties = {} }: JsonSchema): string {
  const searched = Object.entries(properties).filter(
    ([name]) => name !== "page" && name !== "size",
  );
  return searched
    .map(([name, { description = "", enum: words = [] }]) =>
      [name, description, ...words].join(" "),
    )
    .join(" ");
}
