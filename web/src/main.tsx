/** The studio's page: takes the token, then shows the view that the address names. */
import { render } from "preact";
import type { StudioInfo } from "../../src/spec/studio/index.ts";
import { App } from "./app.tsx";
import { buildAddress, navigateTo } from "./lib/address.ts";
import { requestJson, saveTokenFromUrl } from "./lib/api.ts";
import "./style/theme.css";
import "./style/page.css";

if (saveTokenFromUrl()) void openFirstRun();
const container = document.getElementById("page")!;
container.textContent = "";
render(<App />, container);

/** A studio that was opened on one run begins with it; its table is one step up, or Back. */
async function openFirstRun(): Promise<void> {
  // Where the server does not answer, the view says so itself.
  const { first } = await requestJson<StudioInfo>(["studio"]).catch(() => ({ first: undefined }));
  if (first !== undefined && location.hash === "#/") navigateTo(buildAddress(["runs", first]));
}
