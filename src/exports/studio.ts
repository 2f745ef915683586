/**
 * `bowline/studio`: the studio from a program. `openStudio` serves it as `bowline studio` does. The schemas parse the
 * answers of its API, and their types describe them.
 */
export { openStudio, type Studio, type StudioOptions } from "../server/index.ts";
export * from "../spec/studio/index.ts";
