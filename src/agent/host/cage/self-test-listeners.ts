/** What listens outside while a cage is tested: whoever is reached tells on it. */
import { createSocket, type Socket } from "node:dgram";
import { createServer, type Server } from "node:net";

export function listenOutside() {
  /** Who was reached, in words. */
  const contacts: string[] = [];
  const reached = (kind: string) => contacts.push(`a ${kind} socket of the host was reached from the cage`);
  const [tcp, unix] = [listener(() => reached("tcp")), listener(() => reached("unix"))];
  const udp = createSocket("udp4");
  udp.on("message", (text) => {
    if (text.toString() !== last) reached("udp");
  });
  return {
    contacts,
    open: async (socketFile: string) => {
      await listen(unix, socketFile);
      await listen(tcp, { port: 0, host: "127.0.0.1" });
      const address = tcp.address();
      return { tcp: typeof address === "object" ? (address?.port ?? 0) : 0, udp: await bind(udp) };
    },
    /** Waits until everything that was sent so far has been heard. */
    heard: () => lastWord(udp),
    close: (): void => {
      tcp.close();
      unix.close();
      udp.close();
    },
  };
}

/** What comes before it has come before it. */
const last = "that was all";

function lastWord(socket: Socket): Promise<void> {
  return new Promise((settle) => {
    const timer = setTimeout(settle, 1_000);
    socket.on("message", (text) => {
      if (text.toString() !== last) return;
      clearTimeout(timer);
      settle();
    });
    try {
      const { port } = socket.address();
      socket.send(last, port, "127.0.0.1", (error) => (error === null ? undefined : settle()));
    } catch {
      clearTimeout(timer);
      settle();
    }
  });
}

function listener(reached: () => void): Server {
  const server = createServer((socket) => {
    reached();
    socket.destroy();
  });
  server.on("error", () => undefined);
  return server;
}

/** Where we ourselves may not listen (a sandbox around us) there is nothing to reach either. */
function listen(server: Server, where: string | { port: number; host: string }): Promise<void> {
  return new Promise((settle, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EPERM" || error.code === "EACCES" ? settle() : fail(error),
    );
    server.listen(where, () => settle());
  });
}

function bind(socket: Socket): Promise<number> {
  return new Promise((settle) => {
    socket.on("error", () => settle(9));
    socket.bind(0, "127.0.0.1", () => settle(socket.address().port));
  });
}
