/** A server of OpenEnv for any world. */
export {
  OPENENV_DEFAULTS,
  type OpenEnvServer,
  type OpenEnvServerOptions,
  type ServedWorld,
  startOpenEnvServer,
} from "./server.ts";
