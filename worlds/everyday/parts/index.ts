/** The parts of goals of all apps. */
import type { Parts } from "bowline/goals";
import { WRITTEN_ON_THE_SPOT } from "../sentences.ts";
import { bankParts } from "./bank/index.ts";
import { calendarParts } from "./calendar.ts";
import { contactsParts } from "./contacts/index.ts";
import { filesParts } from "./files.ts";
import { mailParts } from "./mail.ts";
import { messagesParts } from "./messages/index.ts";
import { musicParts } from "./music/index.ts";
import { notesParts } from "./notes.ts";
import { payParts } from "./pay/index.ts";
import { photosParts } from "./photos/index.ts";
import { shopParts } from "./shop/index.ts";
import { splitParts } from "./split/index.ts";
import { todoParts } from "./todo.ts";
import { travelParts } from "./travel/index.ts";

/** Lets parts whose text a person writes on the spot, such as reviews, take no text from a note or a mail. */
function withOwnTexts(parts: Parts): Parts {
  const withOwnText = <P extends { app: string; name: string; takes?: string }>(part: P): P => {
    if (part.takes !== "text" || !WRITTEN_ON_THE_SPOT.has(`${part.app}.${part.name}`)) return part;
    const { takes: _, ...rest } = part;
    return rest as P;
  };
  return {
    ...parts,
    ...(parts.actions ? { actions: parts.actions.map(withOwnText) } : {}),
    ...(parts.deeds ? { deeds: parts.deeds.map(withOwnText) } : {}),
  };
}

export const allParts: readonly Parts[] = [
  bankParts,
  calendarParts,
  contactsParts,
  filesParts,
  mailParts,
  messagesParts,
  musicParts,
  notesParts,
  payParts,
  photosParts,
  shopParts,
  splitParts,
  todoParts,
  travelParts,
].map(withOwnTexts);
