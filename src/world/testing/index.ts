/** What tests of a world need from the kit, for `bowline/testing`. */
export {
  type AppSession,
  type AppsUnderTest,
  appsUnderTest,
  type FilledTables,
  type Item,
} from "./apps-under-test.ts";
export { type DemonstrationOptions, WorldUnderTest } from "./world-under-test.ts";
