/** Reads the JSON of a body. Every fault of it is the client's, and the message says which fault it is. */
import { isUtf8 } from "node:buffer";
import { HttpRefusal } from "./refusal.ts";

/** The depth of brackets up to which JSON is read. Real requests stay below 50, and deeper ones exhaust the stack. */
export const MAX_JSON_DEPTH = 200;

/** Returns the text of a body that should be JSON. Throws a 400 if it is not UTF-8 or nested too deep. */
export function readJsonText(body: Uint8Array): string {
  if (!isUtf8(body)) throw new HttpRefusal(400, "invalid_utf8", "the body is not valid UTF-8");
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (isNestedDeeper(bytes, MAX_JSON_DEPTH)) {
    throw new HttpRefusal(
      400,
      "nested_too_deep",
      `the body: JSON is nested too deep; expected at most ${MAX_JSON_DEPTH} levels of brackets`,
    );
  }
  return bytes.toString("utf8");
}

/** Returns the media type of a request in lower case, without its parameters, or "" if there is none. */
export function readMediaType(headers: Readonly<Record<string, string | undefined>>): string {
  return (headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
}

/** Tells whether a media type is JSON's, such as `application/json` or `application/merge-patch+json`. */
export function isJsonType(mediaType: string): boolean {
  return mediaType === "application/json" || /^application\/[\w.-]+\+json$/.test(mediaType);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Brackets and braces differ in one bit: `[` is 0x5b and `{` is 0x7b, `]` is 0x5d and `}` is 0x7d. */
const CASE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** Tells whether brackets outside of strings are nested deeper than `limit`. It takes about 1 ms for a megabyte. */
function isNestedDeeper(body: Buffer, limit: number): boolean {
  if (!hasMoreBrackets(body, limit)) return false;
  let depth = 0;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]!;
    if (byte === QUOTE) i = findStringEnd(body, i);
    else if ((byte | CASE_BIT) === OPENING && ++depth > limit) return true;
    else if ((byte | CASE_BIT) === CLOSING) depth--;
  }
  return false;
}

/** Tells whether there are more than `limit` opening brackets at all. Most bodies have few, which is found out fast. */
function hasMoreBrackets(body: Buffer, limit: number): boolean {
  let count = 0;
  for (const bracket of [0x7b, 0x5b]) {
    for (let at = body.indexOf(bracket); at >= 0; at = body.indexOf(bracket, at + 1)) {
      if (++count > limit) return true;
    }
  }
  return false;
}

/** Returns the index of the quote that ends the string which begins at `start`, or the end of the body. */
function findStringEnd(body: Buffer, start: number): number {
  for (let i = start + 1; i < body.length; i++) {
    if (body[i] === QUOTE) return i;
    if (body[i] === BACKSLASH) i++;
  }
  return body.length;
}
