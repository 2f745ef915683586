/**
 * `bowline/studio`: the studio from a program. `openStudio` serves it as `bowline studio` does; the schemas parse what its
 * API answers (docs/reference/studio-api.md), and their types say it to an editor.
 */
export { openStudio, type Studio, type StudioOptions } from "../server/index.ts";
export * from "../spec/studio/index.ts";
