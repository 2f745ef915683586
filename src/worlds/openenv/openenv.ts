/**
 * The world that hosts serve elsewhere. The hosts stand in the query of the URL by which this module is named, because
 * every thread names a world by the URL of a module.
 */
import { type OpenSelfOptions, remoteWorld, type SelfOpeningWorld } from "../../world/index.ts";

/** Returns the world of the hosts that the URL names. */
function findWorld({ url = import.meta.url }: OpenSelfOptions): SelfOpeningWorld {
  const hosts = new URL(url).searchParams.getAll("host");
  return remoteWorld({ hosts, key: process.env["BOWLINE_OPENENV_KEY"] });
}

const openenv: SelfOpeningWorld = {
  name: "openenv",
  openWorld: async (options) => findWorld(options).openWorld(options),
  inspectWorld: async (options) => findWorld(options).inspectWorld(options),
};
export default openenv;
