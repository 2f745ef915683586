/** Where the built-in worlds live; loaded by URL, because functions cannot cross threads. */
export const builtInWorlds: { readonly [name: string]: URL } = {
  everyday: new URL("./everyday/everyday.ts", import.meta.url),
  "everyday/errands": new URL("./everyday/errands.ts", import.meta.url),
  "everyday/errands-1": new URL("./everyday/errands/sets/errands-1.ts", import.meta.url),
  "everyday/errands-2": new URL("./everyday/errands/sets/errands-2.ts", import.meta.url),
  "everyday/errands-3": new URL("./everyday/errands/sets/errands-3.ts", import.meta.url),
  "everyday/errands-4": new URL("./everyday/errands/sets/errands-4.ts", import.meta.url),
  "everyday/errands-5": new URL("./everyday/errands/sets/errands-5.ts", import.meta.url),
  "everyday/errands-6": new URL("./everyday/errands/sets/errands-6.ts", import.meta.url),
  "everyday/starter": new URL("./everyday/starter.ts", import.meta.url),
  toy: new URL("./toy/toy.ts", import.meta.url),
};
