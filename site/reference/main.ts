/**
 * Writes the generated pages of the reference: commands, configuration and the studio's API.
 *
 *   npx tsx site/reference/main.ts FOLDER
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderCommandsPage } from "./commands.ts";
import { renderConfigurationPage } from "./configuration.ts";
import { renderRequestsPage, renderTokenizersPage } from "./formats.ts";
import { renderStudioApiPage } from "./studio-api.ts";

const [, , folder = "site/.pages/reference"] = process.argv;
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "commands.md"), await renderCommandsPage());
writeFileSync(join(folder, "configuration.md"), renderConfigurationPage());
writeFileSync(join(folder, "studio-api.md"), renderStudioApiPage());
writeFileSync(join(folder, "requests.md"), renderRequestsPage());
writeFileSync(join(folder, "tokenizers.md"), renderTokenizersPage());
