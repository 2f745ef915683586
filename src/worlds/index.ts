/** Where the built-in worlds live; loaded by URL, because functions cannot cross threads. */
export const builtInWorlds: { readonly [name: string]: URL } = {
  "everyday/starter": new URL("./everyday/starter.ts", import.meta.url),
  toy: new URL("./toy/toy.ts", import.meta.url),
};
