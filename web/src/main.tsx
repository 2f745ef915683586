/** Starts the studio's page: saves the token of the URL, then shows the view that the address names. */
import { render } from "preact";
import type { StudioInfo } from "../../src/spec/studio/index.ts";
import { App } from "./app.tsx";
import { buildAddress, navigateTo } from "./lib/address.ts";
import { requestJson, saveTokenFromUrl } from "./lib/api.ts";
import { loadReport } from "./lib/report.ts";
import { ReportApp } from "./report-app.tsx";
import "./style/theme.css";
import "./style/page.css";

const isReport = loadReport();
if (!isReport && saveTokenFromUrl()) void openFirstRun();
const container = document.getElementById("page")!;
container.textContent = "";
render(isReport ? <ReportApp /> : <App />, container);

/** Shows the run on which the studio was opened, if there is one. From there, a link leads up to the table of runs. */
async function openFirstRun(): Promise<void> {
  // If the server does not answer, the view reports it.
  const { first } = await requestJson<StudioInfo>(["studio"]).catch(() => ({ first: undefined }));
  if (first !== undefined && location.hash === "#/") navigateTo(buildAddress(["runs", first]));
}
