/** The code that this user trusts: its digests, the file that keeps them, and the one door by which code is loaded. */
export * from "./load-user-module.ts";
export type { InspectedModule } from "./module-digest.ts";
export { collectModuleFiles, isPackageFile } from "./module-files.ts";
export { type ModuleOrigin, THIS_CALL } from "./refuse-untrusted.ts";
export * from "./trusted-modules.ts";
export * from "./trusted-servers.ts";
export { findUserFolder } from "./user-folder.ts";
