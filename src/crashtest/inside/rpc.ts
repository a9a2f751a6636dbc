/** JSON-RPC by lines with a program that was started for it: what is asked of it, what it tells, its end. */
import type { ChildProcess } from "node:child_process";
import { isObject, parseJson } from "../../core/wire/shape.ts";
import { end } from "./process.ts";

export type RpcMessage = Readonly<Record<string, unknown>>;

export interface Rpc {
  readonly ask: (method: string, params: unknown) => Promise<RpcMessage>;
  readonly tell: (method: string) => void;
  /** Resolves when it was told so; rejects when the program ends before. */
  readonly until: (isIt: (message: RpcMessage) => boolean) => Promise<void>;
  readonly output: () => string;
  readonly end: () => Promise<void>;
}

/** Whatever the program asks is answered with `declined`. */
export function openRpc(child: ChildProcess, declined: (method: string) => unknown): Rpc {
  const waiting = new Map<number, (message: RpcMessage) => void>();
  const told: RpcMessage[] = [];
  const listeners = new Set<() => void>();
  let [last, rest, output] = [0, "", ""];
  const send = (value: unknown): void =>
    void (child.stdin!.writable && child.stdin!.write(`${JSON.stringify(value)}\n`));
  const take = (message: RpcMessage): void => {
    const { id, method } = message;
    if (method === undefined) waiting.get(Number(id))?.(message);
    else if (id !== undefined) send({ id, result: declined(typeof method === "string" ? method : "") });
    else told.push(message);
    for (const listener of listeners) listener();
  };
  child.stdin!.on("error", () => undefined);
  child.stderr!.on("data", (bytes: Buffer) => (output = (output + bytes.toString()).slice(-4000)));
  child.stdout!.on("data", (bytes: Buffer) => {
    const lines = (rest + bytes.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = parseJson(line);
      if (isObject(message)) take(message);
    }
  });
  const gone = new Promise<void>((resolve) => {
    child.on("error", () => resolve());
    child.on("close", () => resolve());
  });
  const orGone = <Value>(promise: Promise<Value>): Promise<Value> =>
    Promise.race([promise, gone.then(() => Promise.reject(new Error(`it ended: ${output}`)))]);
  return {
    output: () => output,
    tell: (method) => send({ method }),
    ask: (method, params) => {
      last += 1;
      const id = last;
      const answer = new Promise<RpcMessage>((resolve, reject) => {
        waiting.set(id, ({ result, error }) =>
          error === undefined
            ? resolve(isObject(result) ? result : {})
            : reject(new Error(`${method}: ${JSON.stringify(error)}`)),
        );
      });
      send({ id, method, params });
      return orGone(answer);
    },
    until: (isIt) =>
      orGone(
        new Promise<void>((resolve) => {
          const look = (): void => {
            if (!told.some(isIt)) return;
            listeners.delete(look);
            resolve();
          };
          listeners.add(look);
          look();
        }),
      ),
    end: async () => {
      child.stdin!.end();
      const timer = setTimeout(() => end(child), 3000);
      await gone;
      clearTimeout(timer);
      end(child);
    },
  };
}
