/** AppWorld as a world, from an installation of your own. */
import { defineAppWorld } from "bowline/world";

const { APPWORLD_ROOT = ".", APPWORLD_PROGRAM = "appworld", APPWORLD_SERVERS = "8" } = process.env;

export default defineAppWorld({
  // The folder with data/, and the program in the virtual environment of AppWorld.
  root: APPWORLD_ROOT,
  command: [APPWORLD_PROGRAM],
  servers: Number(APPWORLD_SERVERS),
  splits: ["train", "dev", "test-normal", "test-challenge"],
});
