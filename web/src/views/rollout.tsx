/** One rollout in four tabs: its turns with the replay, its final and intended state, its tokens, and its record. */
import { useRef } from "preact/hooks";
import type {
  ReplayView,
  Report,
  RolloutTokensView,
  RolloutView,
} from "../../../src/spec/studio/index.ts";
import { navigateTo, replaceQuery, type ViewProps } from "../lib/address.ts";
import { type KeyBinding, useKeyBindings } from "../lib/keys.ts";
import { getReport } from "../lib/report.ts";
import {
  fileCrumbs,
  groupAddress,
  type RolloutPlace,
  rolloutAddress,
} from "../lib/rollout-place.ts";
import { type Loaded, useApi } from "../lib/use-api.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { RolloutForks } from "../parts/fork-list.tsx";
import { KeysDialog } from "../parts/keys-dialog.tsx";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { type Tab, Tabs } from "../parts/tabs.tsx";
import { RolloutHeader } from "./rollout/header.tsx";
import { RolloutRaw } from "./rollout/raw.tsx";
import { RolloutState } from "./rollout/state.tsx";
import type { RolloutTabProps } from "./rollout/tab-props.ts";
import { RolloutTokens } from "./rollout/tokens.tsx";
import { RolloutTurns } from "./rollout/turns.tsx";
import "../style/rollout.css";

const TABS = [
  { id: "turns", name: "Turns" },
  { id: "state", name: "State" },
  { id: "tokens", name: "Tokens" },
  { id: "raw", name: "Raw" },
] as const;

export function RolloutPage({ address: { query }, names }: ViewProps) {
  const place = { run: names["run"]!, file: names["file"]!, rollout: names["rollout"]! };
  const path = ["runs", place.run, "files", place.file, "rollouts", place.rollout];
  const report = getReport();
  const tabs = report ? tabsInReport(report, place) : TABS;
  const chosen = tabs.find(({ id }) => id === query["tab"])?.id ?? "turns";
  const asked = query["checks"] === "1" ? { checks: "1" } : {};
  const view = useApi<RolloutView>(path, asked);
  const isReplayed = chosen === "turns" || chosen === "state";
  const replay = useApi<ReplayView>(
    useOnceNeeded(isReplayed && view.value !== undefined && report === undefined)
      ? [...path, "replay"]
      : null,
    asked,
  );
  const tokens = useApi<RolloutTokensView>(useOnceNeeded(!isReplayed) ? [...path, "tokens"] : null);
  return (
    <>
      <Crumbs crumbs={fileCrumbs(place)} />
      <h1>Rollout {place.rollout}</h1>
      <RolloutKeys place={place} view={view} replay={replay} query={query} />
      <LoadedContent loaded={view}>
        {(loaded) => {
          const props = { place, view: loaded, replay, tokens, query };
          return (
            <>
              <RolloutHeader place={place} view={loaded} />
              {report === undefined && <RolloutForks {...place} />}
              <Tabs label="Parts of the rollout" tabs={tabs} chosen={chosen} onChoose={openTab}>
                {chosen === "turns" && <RolloutTurns {...props} />}
                {chosen === "state" && <RolloutState {...props} />}
                {chosen === "tokens" && <RolloutTokens {...props} />}
                {chosen === "raw" && <RolloutRaw {...props} />}
              </Tabs>
            </>
          );
        }}
      </LoadedContent>
    </>
  );
}

/** A report has no world for a replay, and only some of its rollouts have tokens. */
function tabsInReport({ rollouts }: Report, { file, rollout }: RolloutPlace): readonly Tab[] {
  const found = rollouts.find((one) => one.file === file && one.rollout === rollout);
  return [
    { id: "turns", name: "Turns" },
    { id: "state", name: "Checks" },
    ...(found?.hasTokens ? [{ id: "tokens", name: "Tokens" }] : []),
  ];
}

function openTab(tab: string): void {
  replaceQuery({ tab: tab === "turns" ? undefined : tab });
}

/**
 * Returns true once `needed` has been true. Tokens are large and a replay needs an open world, so each of them is
 * requested when a tab first needs it, and is then kept. A replay also waits until the record is loaded.
 */
function useOnceNeeded(needed: boolean): boolean {
  const begun = useRef(false);
  begun.current ||= needed;
  return begun.current;
}

type KeysProps = Pick<RolloutTabProps, "place" | "replay" | "query"> & {
  readonly view: Loaded<RolloutView>;
};

/**
 * The keys of the view. They work before the rollout is loaded, so that the user can quickly step through the rollouts
 * of a file.
 */
function RolloutKeys({ place, view: { value: view, loading }, replay, query }: KeysProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const at = Number(query["turn"] ?? -1);
  const goToTurn = (turn: number) => {
    if (view && turn >= 0 && turn < view.rollout.turns.length) replaceQuery({ turn });
  };
  const goToRollout = (rollout: string | null | undefined) => {
    if (rollout) navigateTo(rolloutAddress({ ...place, rollout }, { tab: query["tab"] }));
  };
  const bindings: readonly KeyBinding[] = [
    { keys: ["j", "ArrowRight"], label: "next turn", run: () => goToTurn(at + 1) },
    { keys: ["k", "ArrowLeft"], label: "previous turn", run: () => goToTurn(at - 1) },
    { keys: ["]"], label: "next rollout of the file", run: () => goToRollout(view?.next) },
    { keys: ["["], label: "previous rollout", run: () => goToRollout(view?.previous) },
    {
      keys: ["g"],
      label: "group of this rollout",
      run: () => view && navigateTo(groupAddress(place, view.rollout.task.id)),
    },
    {
      keys: ["t"],
      label: "tokens, and back to the turns",
      run: () => openTab(query["tab"] === "tokens" ? "turns" : "tokens"),
    },
    { keys: ["r"], label: "replay again", run: () => replay.reload() },
    { keys: ["?"], label: "show this list", run: () => dialog.current?.showModal() },
  ];
  useKeyBindings(bindings, !loading);
  return (
    <>
      <button type="button" class="keys-button" onClick={() => dialog.current?.showModal()}>
        Keys <kbd>?</kbd>
      </button>
      <KeysDialog bindings={bindings} dialog={dialog} />
    </>
  );
}
