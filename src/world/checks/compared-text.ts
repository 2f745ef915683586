/**
 * Decides which differences of two texts count. Free text may be written in another form, but it must say the same.
 *
 * Case, spacing, quotes, brackets and closing punctuation do not count, nor does punctuation between words. Numbers
 * count as they are written: "$87.21" is not "8721", "-5" is not "5", "3-1" is not "31", and "1 2" is not "12". So
 * does a sign or a symbol that is part of a word, such as in "C++", "C#", "5%" and "R&D".
 */

/** Returns the form of a text that checks compare: two texts say the same when their forms are equal. */
export function comparedText(text: string): string {
  const folded = foldCharacters(text);
  const form = folded.replace(NO_LETTER_OR_DIGIT, (run, at: number) =>
    keepMeaning(run, folded[at - 1] ?? "", folded[at + run.length] ?? ""),
  );
  return form || folded.trim();
}

/** Folds different spellings of one character: case, width, dashes, quotes, and characters that are not seen. */
function foldCharacters(text: string): string {
  return (
    text
      // NFKC makes "5²" into "52" and "1½" into "11/2", so a space first keeps such digits apart.
      .replace(/(?<=\p{Nd})(?=\p{No})|(?<=\p{No})(?=\p{Nd})/gu, " ")
      .normalize("NFKC")
      .toLowerCase()
      .replace(/\p{Cf}|\uFE0E|\uFE0F/gu, "")
      .replace(/[\u2010-\u2015\u2212]/g, "-")
      .replace(/[\u2044\u2215]/g, "/")
  );
}

/** A combining mark belongs to its letter. */
const NO_LETTER_OR_DIGIT = /[^\p{L}\p{M}\p{N}]+/gu;

const QUOTES_AND_BRACKETS = /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}'"`\u2032\u2033]/gu;
/** Punctuation that ends a sentence or a part of one: a space or the end of the text follows. */
const CLOSING_PUNCTUATION = /(?<![.,;:!?])[.,;:!?]+(?=\s)/g;
const MEANT_ANYWHERE = /[\p{Sm}\p{Sc}\p{So}#%&@‰]/u;
const MEANT_BESIDE_A_DIGIT = /[/^]/;
/** A sign or a decimal point that stands directly before the digits, such as in "-5", "-$5" and ".5". */
const SIGN_OF_A_NUMBER = /(?:-[\p{Sc}.]*|\.)$/u;

/** Returns what counts of the characters between two letters or digits. `before` or `after` is "" at an end. */
function keepMeaning(run: string, before: string, after: string): string {
  const [followsDigit, precedesDigit] = [isDigit(before), isDigit(after)];
  const rest = `${run}${after === "" ? " " : ""}`
    .replace(QUOTES_AND_BRACKETS, " ")
    .replace(CLOSING_PUNCTUATION, " ");
  if (followsDigit && precedesDigit) return rest.replace(/\s+/g, "") || " ";
  const isBesideDigit = followsDigit || precedesDigit;
  const sign = precedesDigit ? (SIGN_OF_A_NUMBER.exec(rest)?.[0] ?? "") : "";
  // A dash or a point that is attached to a word is no sign: "covid-19", "no.5".
  const isAttached = before !== "" && sign.length === rest.length;
  const counted = isAttached ? "" : sign;
  const others = counted === "" ? rest : rest.slice(0, -counted.length);
  const isMeant = (char: string) =>
    MEANT_ANYWHERE.test(char) || (isBesideDigit && MEANT_BESIDE_A_DIGIT.test(char));
  return [...others].filter(isMeant).join("") + counted;
}

function isDigit(char: string): boolean {
  return /\p{N}/u.test(char);
}
