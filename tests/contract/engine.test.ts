import { describeOnnxEngines } from "./onnx-engines.ts";

describeOnnxEngines("cpu");
