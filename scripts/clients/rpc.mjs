// JSON-RPC by lines with a program that was started for it: what is asked of it, what it tells, and its end.

/** Whatever the program asks is declined, unless the person there says yes to all. */
export function openRpc(child, { accepts = false } = {}) {
  const waiting = new Map();
  const told = [];
  const listeners = new Set();
  let [last, rest, output] = [0, "", ""];
  const send = (value) => child.stdin.writable && child.stdin.write(`${JSON.stringify(value)}\n`);
  const take = (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === undefined) waiting.get(id)?.({ result, error });
    else if (id !== undefined) send({ id, result: answerTo(method, accepts) });
    else {
      told.push({ method, params });
      for (const listener of listeners) listener();
    }
  };
  child.stdin.on("error", () => {});
  child.stderr.on("data", (bytes) => (output += bytes));
  child.stdout.on("data", (bytes) => {
    output += bytes;
    const lines = (rest + bytes).split("\n");
    rest = lines.pop();
    for (const line of lines) take(line);
  });
  const gone = new Promise((resolve) => {
    child.on("error", resolve);
    child.on("close", resolve);
  });
  const orGone = (promise) => {
    const ended = gone.then(() => Promise.reject(new Error(`it ended: ${output.slice(-2000)}`)));
    const first = Promise.race([promise, ended]);
    first.catch(() => {});
    return first;
  };
  return {
    output: () => output,
    note: (text) => (output += `\n${text}\n`),
    tell: (method, params) => send({ method, params }),
    ask: (method, params) => {
      last += 1;
      const id = last;
      const answer = new Promise((resolve, reject) => {
        waiting.set(id, ({ result, error }) =>
          error === undefined ? resolve(result) : reject(new Error(`${method}: ${JSON.stringify(error)}`)),
        );
      });
      send({ id, method, params });
      return orGone(answer);
    },
    until: (isIt) =>
      orGone(
        new Promise((resolve) => {
          const look = () => {
            const found = told.find(isIt);
            if (found !== undefined) listeners.delete(look);
            if (found !== undefined) resolve(found);
          };
          listeners.add(look);
          look();
        }),
      ),
    end: async () => {
      child.stdin.end();
      const timer = setTimeout(() => kill(child.pid), 3000);
      await gone;
      clearTimeout(timer);
      kill(child.pid);
    },
  };
}

function answerTo(method, accepts) {
  const word = accepts ? "accept" : "decline";
  if (method.includes("elicitation")) return { action: word };
  return method.includes("requestUserInput") ? { answers: {} } : { decision: word };
}

function kill(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
