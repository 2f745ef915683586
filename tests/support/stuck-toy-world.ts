/** The toy world with an API that never returns. */
import toy from "../../src/worlds/toy/toy.ts";
import { addEndlessApi } from "./stuck-worlds.ts";

export default addEndlessApi(toy);
