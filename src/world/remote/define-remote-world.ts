/**
 * `remoteWorld` makes a world of hosts that serve it. It is a value like any world, which a module can export as its
 * default; the name `openenv:URL,URL` of a world is the same value without a module.
 */
import { BowlineError } from "../../core/index.ts";
import type { SelfOpeningWorld } from "../opened-world.ts";
import type { RemoteWorldOptions } from "./open-remote-world.ts";

/** Makes the world that these hosts serve by `bowline serve --openenv`. */
export function remoteWorld(options: RemoteWorldOptions): SelfOpeningWorld {
  return {
    name: `openenv:${options.hosts.join(",")}`,
    openWorld: async (asked) => {
      const { openRemoteWorld } = await import("./open-remote-world.ts");
      return openRemoteWorld(options, asked);
    },
    inspectWorld: async () => {
      throw new BowlineError(
        "world",
        "the data of a remote world is on its hosts, so it cannot be inspected here; bowline play and eval play it, and the studio of a host shows it",
      );
    },
  };
}
