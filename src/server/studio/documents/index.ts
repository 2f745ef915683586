/** Results of other commands that lie under the studio's folder, shown as tables. */
export { documentRoutes } from "./routes.ts";
