/** Weights on disk: Hugging Face folders that resume exactly. */
export * from "./checkpoint.ts";
export * from "./safetensors.ts";
