/** Language models of three providers behind one port; a provider's library loads when it is first used. */
export {
  chooseModel,
  connectModel,
  contextWindowOf,
  costUsd,
  formatModelName,
  isModelError,
  parseModelName,
  smallModelOf,
  type ConnectedModel,
  type ConnectOptions,
  type ModelChoice,
  type ModelName,
  type Provider,
  type RemoteModelName,
  type RetryPolicy,
} from "./agent/models/index.ts";
