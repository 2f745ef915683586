/** Results beside runs: what other commands left under the studio's folder, as tables. */
export { documentRoutes } from "./routes.ts";
