/** Imports the module of a world: a definition, or a world that opens itself. */
import type { ModuleOrigin } from "../../core/index.ts";
import type { WorldDefinition } from "../define.ts";
import { importWorld, requireDefinition } from "../episode/index.ts";
import { isSelfOpening, type SelfOpeningWorld } from "../opened-world.ts";

/**
 * Imports a world module and returns its default export. Throws a `world` error when that is no world, and a `trust`
 * error when `origin` is a file whose modules this user has not trusted.
 */
export async function loadWorld(
  moduleUrl: string,
  origin: ModuleOrigin,
): Promise<WorldDefinition | SelfOpeningWorld> {
  const exported = await importWorld(moduleUrl, origin);
  return isSelfOpening(exported) ? exported : requireDefinition(moduleUrl, exported);
}
