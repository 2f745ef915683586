/** The frame of `report.html`: the page of the report, and the pages of the rollouts that it contains. */
import { useEffect } from "preact/hooks";
import { useAddress } from "./lib/address.ts";
import { getReport, isInReport } from "./lib/report.ts";
import { ErrorMessage } from "./parts/loaded-content.tsx";
import { Logo } from "./parts/logo.tsx";
import { ReportPage } from "./views/report.tsx";
import { RolloutPage } from "./views/rollout.tsx";

export function ReportApp() {
  const address = useAddress();
  const { path } = address;
  const [runs, , files, file = "", rollouts, rollout = ""] = path;
  const isRollout = runs === "runs" && files === "files" && rollouts === "rollouts";
  useEffect(() => scrollTo(0, 0), [path.join("/")]);
  return (
    <>
      <header class="top">
        <a class="brand" href="#/">
          <Logo />
          Bowline
        </a>
        <span class="soft">report of {getReport()!.run}</span>
      </header>
      <main id="main" tabIndex={-1}>
        {path.length === 0 ? (
          <ReportPage address={address} names={{}} />
        ) : isRollout && isInReport(file, rollout) ? (
          <RolloutPage
            key={path.join("/")}
            address={address}
            names={{ run: path[1]!, file, rollout }}
          />
        ) : (
          <ErrorMessage text="This report does not contain this page: open the run in the studio." />
        )}
      </main>
    </>
  );
}
