/** Addresses of runs and their rollouts. */
import { methods } from "../../../methods/index.ts";
import type { StudioInfo } from "../../../spec/studio/index.ts";
import { settings, versions } from "../../../train/index.ts";
import { asksForChecks } from "../queries.ts";
import type { Route } from "../routes.ts";
import { StudioError } from "../studio-error.ts";
import { curveStore, curvesOf } from "./curves.ts";
import { eventHub } from "./events.ts";
import { gridStore } from "./grid.ts";
import { groupList, groupView, type Page } from "./groups.ts";
import { overlay } from "./overlay.ts";
import { rolloutTokens, rolloutView } from "./rollout-view.ts";
import { runDetail } from "./run-detail.ts";
import type { Runs } from "./runs.ts";
import { tokenTexts } from "./token-texts.ts";

/** What runs here. A studio that was opened on one run begins with it. */
export function studioRoutes(
  opened: Pick<StudioInfo, "root" | "first">,
  runs: Runs,
  cannotStart: () => Promise<string | undefined> = async () => undefined,
): Route[] {
  const bowline = versions()["bowline"] ?? "unknown";
  return [
    get("studio", async () => {
      const [only, ...others] = await runs.places();
      const isOnRun = others.length === 0 && only?.directory === runs.inside.root;
      const first = opened.first ?? (isOnRun ? only.id : undefined);
      const why = await cannotStart();
      return {
        bowline,
        root: opened.root,
        ...(first !== undefined && { first }),
        ...(why !== undefined && { cannotStart: why }),
        settings: inLines(settings),
        methods: inLines(methods),
      };
    }),
  ];
}

function inLines(named: { readonly [name: string]: { readonly summary: string } }) {
  return Object.entries(named).map(([name, { summary }]) => ({ name, summary }));
}

export function runRoutes(runs: Runs): Route[] {
  const curves = curveStore(runs.inside);
  const grids = gridStore(runs);
  const hub = eventHub(runs);
  return [
    get("runs", async () => ({ runs: await runs.rows() })),
    get("runs/:run", async ({ run }) => {
      const place = await runs.place(run!);
      return runDetail(runs, place, await curves.tables(place));
    }),
    get("runs/:run/metrics", async ({ run }) => {
      return curvesOf(await curves.tables(await runs.place(run!)));
    }),
    get("runs/:run/grid", async ({ run }) => grids.of(await runs.place(run!))),
    get("compare", async (_, query) => overlay(runs, query.getAll("run"))),
    {
      method: "GET",
      pattern: "runs/:run/events",
      answer: async ({ signal }, { run }) => ({
        events: hub.listen(await runs.place(run!), signal),
      }),
    },
  ];
}

export function rolloutRoutes(runs: Runs): Route[] {
  const texts = tokenTexts(runs.inside);
  const at = async ({ run, file }: Names) => {
    const place = await runs.place(run!);
    return [runs, place, await runs.file(place, file!)] as const;
  };
  const path = "runs/:run/files/:file";
  return [
    get(path, async (names, query) => groupList(...(await at(names)), pageOf(query))),
    get(`${path}/groups/:task`, async (names, query) =>
      groupView(...(await at(names)), names["task"]!, asksForChecks({ query })),
    ),
    get(`${path}/rollouts/:rollout`, async (names, query) =>
      rolloutView(...(await at(names)), names["rollout"]!, asksForChecks({ query })),
    ),
    get(`${path}/rollouts/:rollout/tokens`, async (names) =>
      rolloutTokens(...(await at(names)), names["rollout"]!, texts),
    ),
  ];
}

type Names = Readonly<Record<string, string>>;

function get(
  pattern: string,
  answer: (names: Names, query: URLSearchParams) => Promise<unknown>,
): Route {
  return {
    method: "GET",
    pattern,
    answer: async ({ query }, names) => ({ json: await answer(names, query) }),
  };
}

const PAGE_LIMIT = 1000;

/** Throws 400. */
function pageOf(query: URLSearchParams): Page {
  return {
    offset: whole(query, "offset", 0, Number.MAX_SAFE_INTEGER),
    limit: whole(query, "limit", 200, PAGE_LIMIT),
  };
}

function whole(query: URLSearchParams, name: string, otherwise: number, most: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (value >= 0 && value <= most) return value;
  throw new StudioError(400, `${name}: expected a whole number from 0 to ${most}`);
}
