/** Searches in unseen graphs of thirteen screens: three icons a screen, and targets that are one or two taps away. */
import { makeScreensWorld } from "./screens.ts";

export default makeScreensWorld("gui-search", { branching: 3, depth: 2 });
