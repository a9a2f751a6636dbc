// The person at the review page, without a browser: the same requests that the page makes.

/** The page behind a link, as whoever was sent there sees it. */
export async function visitPage(link) {
  const entered = await fetch(link, { redirect: "manual" });
  const [cookie = ""] = String(entered.headers.get("set-cookie")).split(";");
  const base = link.split("?")[0];
  const { origin } = new URL(base);
  const own = { cookie, origin, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
  const state = async () => {
    const reply = await fetch(`${base}api/state`, { headers: own });
    if (!reply.ok) throw new Error(`the page says ${reply.status}`);
    return reply.json();
  };
  /** Resolves when the page asks, about this text where one is given. */
  const asked = (plan) =>
    seen(state, (now) => (now?.request ?? null) !== null && (plan === undefined || now.text === plan));
  return {
    state,
    asked,
    isOver: async () => (await seen(state, (now) => (now?.request ?? null) === null)) !== undefined,
    /** The answer's status; the verdict names the text that was read: the one that is asked about, or `text` once it is. */
    async decide(verdict, text) {
      const { request, hash } = await asked(text);
      const headers = { ...own, "content-type": "application/json", "x-groundplan-tab": "tab-1" };
      const body = JSON.stringify({ requestId: request.id, hash, ...verdict });
      return (await fetch(`${base}api/verdict`, { method: "POST", headers, body })).status;
    },
  };
}

/** What the page shows, null where it is gone, as soon as that is it. */
async function seen(state, isIt) {
  for (const last = Date.now() + 60_000; Date.now() < last;) {
    const now = await state().catch(() => null);
    if (isIt(now)) return now;
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  throw new Error("the page never showed it");
}
