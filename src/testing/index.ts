/** Doubles and a harness for tests of anything built on Groundplan. */
export { startHarness, type Harness, type HarnessAgents, type HarnessOptions } from "./harness.ts";
export { startLoopback, type Loopback, type LoopbackScript, type ScriptedCall, type ScriptedTurn } from "./loopback.ts";
export { memoryFiles, type MemoryFiles } from "./memory-files.ts";
export { scriptedModel, type ScriptedModel, type ScriptedStep } from "./scripted-model.ts";
export { approveShown, scriptedPerson, type PersonScript, type ScriptedPerson } from "./scripted-person.ts";
