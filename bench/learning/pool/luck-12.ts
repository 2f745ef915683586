/** The world in which the hasty program solves about 12% of the tasks. */
import { defineLuckyStarter } from "./lucky-starter.ts";

export default defineLuckyStarter(0.12);
