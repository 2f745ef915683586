import { expect, test } from "vitest";
import { rewriteCell } from "./rewrite.ts";

const rewriteOrRefusal = (code: string) => {
  const result = rewriteCell(code);
  return result.ok ? result.script : `refused: ${result.message}`;
};

test.each([
  ["let x = 1;", "var x = 1;"],
  ["const x = 1;", "var   x = 1;"],
  ["let x;", "var x=undefined;"],
  ["let x, y = 2, z", "var x=undefined, y = 2, z=undefined"],
  ["var x;", "var x;"],
  ["const { a, b: [c = 1, ...d] } = f();", "var   { a, b: [c = 1, ...d] } = f();"],
  ["class A {}", "var A=class A {};"],
  ["class A {} (1)", "var A=class A {}; (1)"],
  ["class B extends A { x = 1 }\nnew B()", "var B=class B extends A { x = 1 };\nnew B()"],
  [
    "function f() { let x; const y = 1; class Z {} }",
    "function f() { let x; const y = 1; class Z {} }",
  ],
  ["for (let i = 0; i < 2; i++) { const j = i }", "for (let i = 0; i < 2; i++) { const j = i }"],
  ["for (const x of y) {}", "for (const x of y) {}"],
  ["{ let x = 1; class A {} }", "{ let x = 1; class A {} }"],
  ["if (1) { const x = 1 }", "if (1) { const x = 1 }"],
  ["x = async () => { const y = await 1; let z }", "x = async () => { const y = await 1; let z }"],
  ["const s = 'let x'; // let y", "var   s = 'let x'; // let y"],
  ["let a = 1; let b = 2\nconst c = 3", "var a = 1; var b = 2\nvar   c = 3"],
  ["const x = await f();", "var   x = await f();"],
  ["for await (const x of y) {}", "for await (const x of y) {}"],
])("a cell is rewritten: %s", (code, expected) => expect(rewriteOrRefusal(code)).toBe(expected));

test("NUL and lone surrogates are escaped, but surrogate pairs are not", () => {
  expect(rewriteOrRefusal("'a\0b\ud800c\udc00😀'")).toBe("'a\\u0000b\\ud800c\\udc00😀'");
});

test.each([
  ["let x = 1; let x = 2;", "already been declared"],
  ["let print = 1", "'print' is provided by the sandbox; choose another name"],
  ["const { a = 1, ...apis } = b", "'apis' is provided"],
  ["return 1", "outside of function"],
  ["let x = ", "Unexpected token (1:8)"],
  ["x".repeat(200_001), "at most 200000 characters, this one has 200001"],
])("the cell %s is refused", (code, message) => {
  const result = rewriteCell(code);
  expect(result.ok ? "accepted" : result.message).toContain(message);
});

test("reserved names may be declared below the top level", () => {
  expect(
    rewriteCell("function f(print) { let apis = 1; return { console: print, apis } }").ok,
  ).toBe(true);
});
