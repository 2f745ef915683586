/** Words of daily English: what a query asks for, and which names are nearest to a wrong one. */
export { explainUnknownName } from "./nearest-names.ts";
export { readQuery, stem, stemWords, synonymsOf } from "./words.ts";
