/**
 * Opens an address of the studio's page in a browser and collects all errors and warnings of the browser. Code that
 * runs in the page is written as text, because these tests have no browser types.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import type { StudioProcess } from "./stage.ts";

export interface VisitOptions {
  /** The part of the page's address after `#`, such as `/runs/a`. */
  readonly path: string;
  readonly dark?: boolean;
  readonly width?: number;
}

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /**
   * Errors and warnings of the console, uncaught errors, violations of the security policy, and requests to other
   * servers.
   */
  readonly complaints: readonly string[];
  /** Opens another address of the page without a reload and waits until it is loaded. */
  go(path: string): Promise<void>;
}

export async function visit(
  browser: Browser,
  studio: StudioProcess,
  options: VisitOptions,
): Promise<Visit> {
  const { path, dark = false, width = 1440 } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints = await collectComplaints(page, studio.port);
  await page.addInitScript(`localStorage.setItem("bowline-studio-token", "${studio.token}")`);
  await page.goto(`http://127.0.0.1:${studio.port}/#${path}`);
  await waitUntilLoaded(page);
  const go = async (to: string) => {
    // The old view stays until the browser has dispatched the change.
    await page.evaluate(`new Promise((told) => {
      const before = location.href;
      addEventListener("hashchange", () => requestAnimationFrame(told), { once: true });
      location.hash = ${JSON.stringify(to)};
      if (location.href === before) told();
    })`);
    await waitUntilLoaded(page);
  };
  return { page, complaints, go, [Symbol.asyncDispose]: () => context.close() };
}

/** Waits until the view has loaded all answers or shows an error. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator("main h1, main [role=alert]").first().waitFor();
  const waits = page.locator("main [role=status]", { hasText: /^\s*(Loading|Replaying|Opening)/ });
  await waits.first().waitFor({ state: "hidden" });
}

async function collectComplaints(page: Page, port: number): Promise<string[]> {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const isOurs = request.url().startsWith(`http://127.0.0.1:${port}/`);
    if (!isOurs && !request.url().startsWith("data:"))
      complaints.push(`requested ${request.url()}`);
  });
  await page.addInitScript(`
    addEventListener("securitypolicyviolation", (event) => {
      console.error("policy: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample);
    });
  `);
  return complaints;
}

/** Says whether the page itself can be scrolled sideways, and not only an element of the page. */
export function pageScrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(`
    scrollTo(50, scrollY);
    scrollX > 0;
  `);
}

const AXE_SCRIPT = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: string[]; readonly failureSummary?: string }[];
}

/** Returns all violations that axe finds: the rule, the element and what to do. */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE_SCRIPT);
  const violations = await page.evaluate<Violation[]>("axe.run().then((all) => all.violations)");
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 5).map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`),
  );
}
