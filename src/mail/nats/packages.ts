/** The parts of NATS that are used, by name: a bundle can load this file on demand, not the packages themselves. */
export {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
export { Kvm } from "@nats-io/kv";
export { connect, credsAuthenticator, nkeyAuthenticator } from "@nats-io/transport-node";
