/**
 * One run, while it trains and afterwards. The head shows its status. Below it is the section that the address names:
 * curves, the grid of groups, configuration or forks. A section is loaded again when an event reports a change.
 */
import type { RunDetail } from "../../../src/spec/studio/index.ts";
import { buildAddress, type ViewProps } from "../lib/address.ts";
import { useApi } from "../lib/use-api.ts";
import { type Live, useLive } from "../lib/use-live.ts";
import { useReloadOnChange } from "../lib/use-visible.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { DamageNote } from "../parts/damage-note.tsx";
import { RunForks } from "../parts/fork-list.tsx";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { RunConfiguration } from "../parts/run-configuration.tsx";
import { RunCurves } from "../parts/run-curves.tsx";
import { RunGrid } from "../parts/run-grid.tsx";
import { RunHead } from "../parts/run-head.tsx";
import { RunNotesPanel } from "../parts/run-notes.tsx";
import { RunProcess } from "../parts/run-process.tsx";
import "../style/run.css";

const SECTION_TITLES = {
  curves: "Curves",
  grid: "Groups",
  configuration: "Configuration",
  forks: "Forks",
} as const;

type Section = keyof typeof SECTION_TITLES;

export function RunPage({ address, names }: ViewProps) {
  const run = names["run"]!;
  const live = useLive(run);
  const { metrics, rollouts, status, progress } = live.changed;
  const detail = useApi<RunDetail>(["runs", run]);
  const { reload } = detail;
  useReloadOnChange(detail, metrics + rollouts + status + progress);
  const asked = address.query["view"] ?? "";
  const section: Section = asked in SECTION_TITLES ? (asked as Section) : "curves";
  return (
    <>
      <Crumbs crumbs={[{ name: "Runs", href: "#/" }]} />
      <LoadedContent loaded={detail} heading={run}>
        {(detail) => (
          <>
            <RunHead detail={detail} live={live.state} />
            <DamageNote run={run} />
            <RunNotesPanel run={run} />
            <RunProcess detail={detail} version={status} onChanged={reload} />
            <SectionLinks run={run} section={section} />
            <SectionContent {...{ run, section, detail, live, address }} />
          </>
        )}
      </LoadedContent>
    </>
  );
}

function SectionLinks({ run, section }: { readonly run: string; readonly section: Section }) {
  return (
    <nav class="tabs" aria-label="Parts of the run">
      {Object.entries(SECTION_TITLES).map(([name, title]) => (
        <a
          key={name}
          href={buildAddress(["runs", run], { view: name === "curves" ? undefined : name })}
          aria-current={name === section ? "page" : undefined}
        >
          {title}
        </a>
      ))}
      <a href={buildAddress(["explore"], { run })}>Explore</a>
      <a href={buildAddress(["runs", run, "behaviour"])}>Behaviour</a>
    </nav>
  );
}

function SectionContent({
  run,
  section,
  detail,
  live,
  address,
}: {
  readonly run: string;
  readonly section: Section;
  readonly detail: RunDetail;
  readonly live: Live;
  readonly address: ViewProps["address"];
}) {
  switch (section) {
    case "curves":
      return (
        <RunCurves
          run={run}
          version={live.changed.metrics}
          more={address.queryValues["more"] ?? []}
        />
      );
    case "grid":
      return (
        <RunGrid
          {...{ run, query: address.query, files: detail.files }}
          version={live.changed.rollouts}
        />
      );
    case "forks":
      return <RunForks run={run} />;
    case "configuration":
      return <RunConfiguration detail={detail} find={address.query["q"] ?? ""} />;
  }
}
