/** `node:fs/promises` as a hook needs it: what only looks goes by callbacks, which are loaded already; the module itself costs more than most calls. */
import { access, constants, lstat, readdir, readlink, realpath, stat } from "node:fs";

type Look = (...args: never[]) => void;
type Promised = (...args: readonly unknown[]) => Promise<unknown>;

const looks: Readonly<Record<string, Promised>> = {
  lstat: promised(lstat),
  stat: promised(stat),
  readlink: promised(readlink),
  readdir: promised(readdir),
  access: promised(access),
  realpath: promised(realpath.native),
};

const plainReading = constants.O_RDONLY | constants.O_NONBLOCK;

/** `whole` loads the module itself, for everything else. */
export function hookFiles(whole: () => Readonly<Record<string | symbol, unknown>>): object {
  const open = (path: string, ...rest: readonly unknown[]): Promise<unknown> => {
    const opened = (): Promise<unknown> => (whole()["open"] as Promised)(path, ...rest);
    if (rest.length !== 1 || rest[0] !== plainReading) return opened();
    return looks["access"]!(path).then(opened, (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") throw error;
      return opened();
    });
  };
  const known: Readonly<Record<string | symbol, unknown>> = { ...looks, open };
  return new Proxy({}, { get: (_, key) => (Object.hasOwn(known, key) ? known[key] : whole()[key]) });
}

function promised(look: Look): Promised {
  return (...args) =>
    new Promise((settle, reject) => {
      const done = (error: Error | null, found: unknown): void => (error === null ? settle(found) : reject(error));
      (look as (...args: readonly unknown[]) => void)(...args, done);
    });
}
