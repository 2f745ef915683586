/** The places to which Ctrl-K leads: pages of the current run, all runs, and the sections of the studio. */
import type { RunRow } from "../../../src/spec/studio/index.ts";
import { buildAddress } from "./address.ts";

export interface Place {
  readonly name: string;
  readonly kind: string;
  readonly address: string;
}

const MAX_PLACES = 12;

/** Returns the places whose name or kind has all words of the text, those of the current run first. */
export function listPlaces(
  runs: readonly Pick<RunRow, "id" | "status">[],
  current: string | undefined,
  text: string,
): Place[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const all = [
    ...(current === undefined ? [] : listPagesOfRun(current)),
    ...runs.map(({ id, status }) => ({
      ...{ name: id, kind: `run, ${status}`, address: buildAddress(["runs", id]) },
    })),
    { name: "Runs", kind: "all runs", address: buildAddress([]) },
    { name: "Worlds", kind: "section", address: buildAddress(["worlds"]) },
    { name: "Results", kind: "section", address: buildAddress(["documents"]) },
  ];
  return all
    .filter(({ name, kind }) => {
      const said = `${name} ${kind}`.toLowerCase();
      return words.every((word) => said.includes(word));
    })
    .slice(0, MAX_PLACES);
}

function listPagesOfRun(run: string): Place[] {
  const kind = `page of ${run}`;
  return [
    { name: "Explore", kind, address: buildAddress(["explore"], { run }) },
    { name: "Groups", kind, address: buildAddress(["runs", run], { view: "grid" }) },
    {
      name: "Configuration",
      kind,
      address: buildAddress(["runs", run], { view: "configuration" }),
    },
    { name: "Behaviour", kind, address: buildAddress(["runs", run, "behaviour"]) },
  ];
}
