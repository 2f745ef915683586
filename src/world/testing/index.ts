/** What the tests of a world need of the kit: a door of this folder for `bowline/testing` alone. */
export {
  type AppSession,
  type AppsUnderTest,
  appsUnderTest,
  type FilledTables,
  type Item,
} from "./apps-under-test.ts";
export { type DemonstrationOptions, WorldUnderTest } from "./world-under-test.ts";
