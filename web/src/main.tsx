/** The studio's page: takes the token, then shows the view that the address names. */
import { render } from "preact";
import type { StudioInfo } from "../../src/spec/studio/index.ts";
import { App } from "./app.tsx";
import { addressOf, go } from "./lib/address.ts";
import { api, takeToken } from "./lib/api.ts";
import "./style/theme.css";
import "./style/page.css";

if (takeToken()) void beginWithFirst();
const page = document.getElementById("page")!;
page.textContent = "";
render(<App />, page);

/** A studio that was opened on one run begins with it; its table is one step up, or Back. */
async function beginWithFirst(): Promise<void> {
  // Where the server does not answer, the view says so itself.
  const { first } = await api<StudioInfo>(["studio"]).catch(() => ({ first: undefined }));
  if (first !== undefined && location.hash === "#/") go(addressOf(["runs", first]));
}
