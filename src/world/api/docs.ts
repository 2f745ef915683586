/** The `docs` app of every world: what exists and how to call it, derived from the definitions that run. */
import { z } from "zod";
import { nearest } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";
import { type Api, ApiError, type App, defineApi, defineApp, type Reader } from "../define.ts";
import type { ParameterNames } from "../dials/index.ts";
import { type Page, pageOf, pageParam, pageSchema } from "./page.ts";
import { jsonSchema, parameterSchema, typeText } from "./types.ts";

const PAGE = 20;
const entry = z.object({ name: z.string(), summary: z.string() });
const appParam = z.string().describe("an app's name");

const apiDoc = z.object({
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
type ApiDoc = z.output<typeof apiDoc> & { example?: string; notes?: string[] };

/** How the documentation speaks of a world. */
export interface DocsStyle {
  readonly length: Dials["docs"];
  /** Show a working call. */
  readonly examples: boolean;
  readonly names: (app: string, api: string) => ParameterNames | undefined;
  readonly example: (app: string, api: string, db: Reader) => string | undefined;
  /** What holds for calls of an app beyond its parameters; told by verbose documentation. */
  readonly notes: (app: string, api: string) => readonly string[];
}

/** `apps` is everything the agent can call but `docs` itself, which is added here. */
export function makeDocsApp(apps: readonly App[], style: DocsStyle): App {
  const all: App[] = [...apps];
  const docs = defineApp({
    name: "docs",
    summary: "The documentation of all apps.",
    tables: [],
    apis: {
      listApps: defineApi({
        summary: "List all apps.",
        params: z.strictObject({ page: pageParam }),
        returns: pageSchema(entry),
        handler: (_, { page }) => pageOf(all.map(nameAndSummary), page, PAGE),
      }),
      listApis: defineApi({
        summary: "List the APIs of one app.",
        params: z.strictObject({ app: appParam, page: pageParam }),
        returns: pageSchema(entry),
        handler: (_, { app, page }) =>
          pageOf(Object.entries(findApp(all, app).apis).map(entryOf), page, PAGE),
      }),
      showApi: defineApi({
        summary: "Show one API: its parameters and what it returns.",
        params: z.strictObject({ app: appParam, api: z.string().describe("an API's name") }),
        returns: apiDoc.extend(extraFields(style)),
        handler: ({ db }, { app, api }) => describeApi(findApp(all, app), api, style, db),
      }),
      search: defineApi({
        summary: "Search the APIs of all apps by words.",
        params: z.strictObject({
          query: z.string().min(1).describe("one or more words"),
          page: pageParam,
        }),
        returns: pageSchema(entry),
        handler: (_, { query, page }) => searchApis(all, query, page),
      }),
    },
  });
  all.unshift(docs);
  return docs;
}

/** Fields that other styles do not promise. */
function extraFields({ length, examples }: DocsStyle) {
  return {
    ...(examples && length !== "terse" ? { example: z.string().optional() } : {}),
    ...(length === "verbose" ? { notes: z.array(z.string()) } : {}),
  };
}

/** Throws an ApiError 404 that names the nearest API. What the style does not promise is cut later. */
function describeApi(app: App, name: string, style: DocsStyle, db: Reader): ApiDoc {
  const api = app.apis[name];
  if (!api)
    throw new ApiError(404, unknownName(`${app.name} has no API`, name, Object.keys(app.apis)));
  const schema = parameterSchema(api.params, style.names(app.name, name));
  const told = style.length !== "terse";
  const params = Object.entries(schema.properties ?? {}).map(([parameter, field]) => ({
    name: parameter,
    type: typeText(field),
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
    returns: typeText(jsonSchema(api.returns, "output")),
    ...(example === undefined ? {} : { example }),
    ...(style.length === "verbose" ? { notes: [...style.notes(app.name, name)] } : {}),
  };
}

export function unknownName(what: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  const hint = near ? `did you mean "${near}"?` : `there are ${known.join(", ")}`;
  return `${what} "${name}"; ${hint}`;
}

function findApp(apps: readonly App[], name: string): App {
  const app = apps.find((candidate) => candidate.name === name);
  if (app) return app;
  throw new ApiError(
    404,
    unknownName(
      "there is no app",
      name,
      apps.map((candidate) => candidate.name),
    ),
  );
}

const nameAndSummary = ({ name, summary }: App) => ({ name, summary });
const entryOf = ([name, { summary }]: [string, Api]) => ({ name, summary });

/** Every word that begins a word of the name counts three times one of the summary; ties keep the order of definition. */
function searchApis(
  apps: readonly App[],
  query: string,
  page: number,
): Page<z.output<typeof entry>> {
  const wanted = words(query);
  const found = apps.flatMap((app) =>
    Object.entries(app.apis).flatMap(([name, api]) => {
      const score =
        3 * hits(wanted, words(`${app.name} ${name}`)) + hits(wanted, words(api.summary));
      return score > 0
        ? [{ score, item: { name: `${app.name}.${name}`, summary: api.summary } }]
        : [];
    }),
  );
  const ranked = found.sort((a, b) => b.score - a.score).map(({ item }) => item);
  return pageOf(ranked, page, PAGE);
}

function hits(wanted: readonly string[], text: readonly string[]): number {
  return wanted.filter((word) =>
    text.some((other) => other.startsWith(word) || word.startsWith(other)),
  ).length;
}

/** Lower-case words of at least two letters; `sendMoney` is two. */
function words(text: string): string[] {
  const split = text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return split.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
}
