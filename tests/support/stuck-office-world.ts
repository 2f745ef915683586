/** The office world with an API that never returns. */
import office from "./office-world.ts";
import { addEndlessApi } from "./stuck-worlds.ts";

export default addEndlessApi(office);
