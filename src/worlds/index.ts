/** Where the built-in worlds live; loaded by URL, because functions cannot cross threads. */
export const builtInWorlds: { readonly [name: string]: URL } = {
  everyday: new URL("./everyday/everyday.ts", import.meta.url),
  "everyday/starter": new URL("./everyday/starter.ts", import.meta.url),
  toy: new URL("./toy/toy.ts", import.meta.url),
};
