/** Results of other commands that lie under the studio's folder, shown as tables. */
export { recogniseResult } from "./recognise.ts";
export { documentRoutes } from "./routes.ts";
export { makeSection, type Section } from "./section.ts";
