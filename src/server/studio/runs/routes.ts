/** Routes of runs and their rollouts. */
import { methods } from "../../../methods/index.ts";
import {
  type RunList,
  type StudioInfo,
  scoreGroupsRequestSchema,
} from "../../../spec/studio/index.ts";
import { readVersions, settings } from "../../../train/index.ts";
import { parseBody, readPage, requestsHiddenChecks } from "../request-parameters.ts";
import type { Route } from "../routes.ts";
import { readConfigFields } from "./config-differences.ts";
import { findDamage } from "./damage.ts";
import { createGridReader } from "./grid.ts";
import { buildGroupList, buildGroupView } from "./groups.ts";
import { buildCurves, createMetricReader } from "./metric-tables.ts";
import { buildOverlay } from "./overlay.ts";
import { buildRolloutView, buildTokensView } from "./rollout-view.ts";
import { buildRunDetail } from "./run-detail.ts";
import { createRunEventHub } from "./run-events.ts";
import type { Runs } from "./runs.ts";
import { summariseGroups } from "./score-groups.ts";
import { createTokenDecoderLoader } from "./token-decoder.ts";

/** The route that describes the studio. A studio that was opened on one run shows that run first. */
export function studioRoutes(
  opened: Pick<StudioInfo, "root" | "first">,
  runs: Runs,
  cannotStart: () => Promise<string | undefined> = async () => undefined,
): Route[] {
  const bowline = readVersions()["bowline"] ?? "unknown";
  return [
    getRoute("studio", async () => {
      const [only, ...others] = await runs.locateAll();
      const isOnRun = others.length === 0 && only?.directory === runs.folder.root;
      const first = opened.first ?? (isOnRun ? only.id : undefined);
      const why = await cannotStart();
      return {
        bowline,
        root: opened.root,
        ...(first !== undefined && { first }),
        ...(why !== undefined && { cannotStart: why }),
        settings: listSummaries(settings),
        methods: listSummaries(methods),
      };
    }),
  ];
}

function listSummaries(named: { readonly [name: string]: { readonly summary: string } }) {
  return Object.entries(named).map(([name, { summary }]) => ({ name, summary }));
}

export function runRoutes(runs: Runs): Route[] {
  const curves = createMetricReader(runs.folder);
  const grids = createGridReader(runs);
  const hub = createRunEventHub(runs);
  return [
    getRoute("runs", async () => listRuns(runs)),
    getRoute("configurations", async () => readConfigFields(runs)),
    {
      method: "POST",
      pattern: "score-groups",
      answer: async (call) => ({
        json: await summariseGroups(runs, await parseBody(call, scoreGroupsRequestSchema)),
      }),
    },
    getRoute("runs/:run/damage", async ({ run }) => findDamage(runs, await runs.locate(run!))),
    getRoute("runs/:run", async ({ run }) => {
      const location = await runs.locate(run!);
      return buildRunDetail(runs, location, await curves.readTables(location));
    }),
    getRoute("runs/:run/metrics", async ({ run }) => {
      return buildCurves(await curves.readTables(await runs.locate(run!)));
    }),
    getRoute("runs/:run/grid", async ({ run }) => grids.readGrid(await runs.locate(run!))),
    getRoute("compare", async (_, query) => buildOverlay(runs, query.getAll("run"))),
    {
      method: "GET",
      pattern: "runs/:run/events",
      answer: async ({ signal }, { run }) => ({
        events: hub.listen(await runs.locate(run!), signal),
      }),
    },
  ];
}

async function listRuns(runs: Runs): Promise<RunList> {
  const rows = await runs.listRows();
  const unsearched = runs.describeUnsearched();
  return { runs: rows, ...(unsearched && { unsearched }) };
}

export function rolloutRoutes(runs: Runs): Route[] {
  const loadTokenDecoder = createTokenDecoderLoader(runs.folder);
  const locateFile = async ({ run, file }: PathNames) => {
    const location = await runs.locate(run!);
    return [runs, location, await runs.findFile(location, file!)] as const;
  };
  const path = "runs/:run/files/:file";
  return [
    getRoute(path, async (names, query) =>
      buildGroupList(...(await locateFile(names)), readPage(query)),
    ),
    getRoute(`${path}/groups/:task`, async (names, query) =>
      buildGroupView(...(await locateFile(names)), names["task"]!, requestsHiddenChecks({ query })),
    ),
    getRoute(`${path}/rollouts/:rollout`, async (names, query) =>
      buildRolloutView(
        ...(await locateFile(names)),
        names["rollout"]!,
        requestsHiddenChecks({ query }),
      ),
    ),
    getRoute(`${path}/rollouts/:rollout/tokens`, async (names) =>
      buildTokensView(...(await locateFile(names)), names["rollout"]!, loadTokenDecoder),
    ),
  ];
}

type PathNames = Readonly<Record<string, string>>;

function getRoute(
  pattern: string,
  answer: (names: PathNames, query: URLSearchParams) => Promise<unknown>,
): Route {
  return {
    method: "GET",
    pattern,
    answer: async ({ query }, names) => ({ json: await answer(names, query) }),
  };
}
