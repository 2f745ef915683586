/** The studio's server: runs, rollouts, worlds and episodes as JSON, and the web page that shows them. */
export { openStudio, type Studio, type StudioOptions } from "./studio.ts";
