/** The scaffold of AppWorld: Python in fences, and the structure of the paper's prompt. */
import { appworldScaffold, type MakeScaffold } from "bowline";

const makeScaffold: MakeScaffold = appworldScaffold;

export default makeScaffold;
