/** What apps are written with: the kit of any world's apps. What those of this world share besides is `shared.ts`. */
export * from "../../../world/index.ts";
