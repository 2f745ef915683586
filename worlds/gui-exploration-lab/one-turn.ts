/** Learning from one turn at a time: single taps in training, and the searches of `search.ts` in all other splits. */
import { makeScreensWorld } from "./screens.ts";

export default makeScreensWorld("gui-one-turn", { branching: 3, depth: 2 }, true);
