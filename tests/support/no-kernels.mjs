/** For `node --import`: onnxruntime-node cannot be found, as where it was not installed. */
import Module from "node:module";

const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => {
  if (name !== "onnxruntime-node") return resolve(name, ...rest);
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });
};
