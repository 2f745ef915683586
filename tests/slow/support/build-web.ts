/** Builds the studio's web page into `dist/web` once before the suite. */
import { build as bundle } from "vite";
import { ROOT } from "../../e2e/support/cli.ts";

export default async function build(): Promise<void> {
  await bundle({ configFile: `${ROOT}/web/vite.config.ts`, logLevel: "warn" });
}
