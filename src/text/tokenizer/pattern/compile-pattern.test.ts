/** Patterns of Oniguruma and the pieces into which the Python library's pre-tokenizer Split cuts a text with them. */
import { describe, expect, it } from "vitest";
import { cutAtMatches, findMatches } from "../parts/find-matches.ts";
import { compilePattern } from "./compile-pattern.ts";

function cut(pattern: string, text: string): string[] {
  const matches = findMatches(compilePattern(pattern), text);
  const pieces = cutAtMatches(matches, text.length, "Isolated", false);
  return pieces.map(([start, end]) => text.slice(start, end)).filter((piece) => piece !== "");
}

describe("patterns cut as in Oniguruma", () => {
  it.each<[string, string, string[]]>([
    ["^", "a\nb\n", ["a\n", "b\n"]],
    ["$", "a\nb\n", ["a", "\nb", "\n"]],
    ["\\Z", "a\nb\n", ["a\nb", "\n"]],
    ["\\z", "a\nb\n", ["a\nb\n"]],
    ["\\b", "a²b ½c 1.5", ["a²b", " ", "½c", " ", "1", ".", "5"]],
    ["\\b", "x\u200dy", ["x", "\u200d", "y"]],
    ["a*", "baac", ["b", "aa", "c"]],
    ["a*?", "baac", ["b", "a", "a", "c"]],
    ["x*", "aaa", ["a", "a", "a"]],
    ["(?=b)", "abab", ["a", "ba", "b"]],
    ["a{2}?", "aaaa", ["aa", "aa"]],
    ["a{1,2}+", "aaaaa", ["aaaaa"]],
    ["a?+a", "aa", ["aa"]],
    ["a++a", "aaa", ["aaa"]],
    ["[a-c-e]+", "a-ed", ["a-e", "d"]],
    ["[a-z&&[^b]]+", "abc", ["a", "b", "c"]],
    ["[a-c&&b-d]+", "abcd", ["a", "bc", "d"]],
    ["(?i:'re)", "'RE'ré", ["'RE", "'ré"]],
    ["(?i:'s|[kx])", "a'ſ\u212aX", ["a", "'ſ", "\u212a", "X"]],
    ["(?<=a|bb)c", "acbbc", ["a", "c", "bb", "c"]],
    ["(?<!a)b", "abcb", ["abc", "b"]],
    ["[[:alpha:]_]+", "ab_1", ["ab_", "1"]],
    ["[^[:alpha:]]+", "ab_1", ["ab", "_1"]],
    ["a|ab", "ab", ["a", "b"]],
    ["(a|ab)(c|bcd)", "abcd", ["abcd"]],
    ["(?<n>a)(?'m'b)", "abc", ["ab", "c"]],
    ["[\\w]+", "a²b", ["a", "²", "b"]],
    ["\\w+", "a²b", ["a²b"]],
    ["[^\\w]+", "a²b", ["a", "²", "b"]],
    ["a{,2}b", "aab", ["aab"]],
    ["a{x}", "a{x}", ["a{x}"]],
    ["(?i)ab", "xAB", ["x", "AB"]],
    ["^a", "a\na\na", ["a", "\n", "a", "\n", "a"]],
    [".{1,2}", "abc\nd", ["ab", "c", "\n", "d"]],
    ["(?m).", "a\n", ["a", "\n"]],
    ["\\s+$", "a  \n b ", ["a", "  ", "\n b", " "]],
    ["a*$", "baa\naa", ["b", "aa", "\n", "aa"]],
    ["", "abc", ["a", "b", "c"]],
    ["\\R", "a\r\nb\x85c", ["a", "\r\n", "b", "\x85", "c"]],
    ["[]a]+", "a]b", ["a]", "b"]],
    ["\\x{1F600}|\\u0041", "😀A", ["😀", "A"]],
    ["(?#a comment)b", "ab", ["a", "b"]],
    ["\\p{^L}+|\\P{^Lu}", "a1B", ["a", "1", "B"]],
    ["\\p{Uppercase Letter}|\\p{han}+", "aB漢字", ["a", "B", "漢字"]],
  ])("%j cuts %j", (pattern, text, pieces) => {
    expect(cut(pattern, text)).toEqual(pieces);
  });

  it("knows the characters of Unicode 16, whatever the JavaScript engine knows", () => {
    // In Unicode 17, U+0295 is no small letter any more, and U+A7CE is a letter.
    expect(compilePattern("^\\p{Ll}$").test("\u0295")).toBe(true);
    expect(compilePattern("^\\p{L}$").test("\ua7ce")).toBe(false);
    expect(compilePattern("^\\p{Lu}$").test("\ua7cb")).toBe(true);
  });
});

describe("patterns that are refused", () => {
  it.each([
    ["(?i:ss)", /ss without case also means a ligature/],
    ["(?i:é)", /characters beyond ASCII without case/],
    ["(?i:\\p{L})", /sets without case/],
    ["(a)\\1", /the escape \\1 is not supported/],
    ["a\\Kb", /the escape \\K is not supported/],
    ["(?~a)", /the group \(\?~a is not supported/],
    ["a(?i)b", /the group \(\?i\) is not supported/],
    ["[\\d-z]", /a range that starts with a set/],
    ["[a-\\d]", /a range that ends with a set/],
    ["[[:lower:]]", /the class \[:lower:\] is not supported/],
    ["[z-a]", /a range ends before it starts/],
    ["*a", /a quantifier has nothing to repeat/],
    ["(?=a)*", /a quantifier after an assertion/],
    ["(a", /a group is not closed/],
    ["a)", /a closing parenthesis too many/],
    ["[a", /it ends too early/],
    ["\\pL", /the escape \\p is not supported/],
  ])("%j says what is not supported", (pattern, message) => {
    expect(() => compilePattern(pattern)).toThrow(message);
  });
});
