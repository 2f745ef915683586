/** Scenarios 1 to 30: contacts, messages, mail, calendar, notes, todo and files. */
import type { HandmadeScenario } from "../scenario.ts";
import { deskScenarios } from "./desk.ts";
import { peopleScenarios } from "./people.ts";

export const first: readonly HandmadeScenario[] = [...peopleScenarios, ...deskScenarios];
