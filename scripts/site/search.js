(() => {
  const articles = [...document.querySelectorAll("article")];
  const results = document.getElementById("results");
  const box = document.getElementById("search");
  let index = null;

  /** One page at a time; without this script they stand one below the other. */
  function show() {
    const place = decodeURIComponent(location.hash.slice(1)) || "readme";
    const target = document.getElementById(place);
    const page = target?.closest("article") ?? articles[0];
    results.hidden = true;
    for (const article of articles) article.hidden = article !== page;
    for (const link of document.querySelectorAll("nav a"))
      link.setAttribute("aria-current", link.getAttribute("href") === `#${page.id}` ? "page" : "false");
    document.title = page.id === "readme" ? "Groundplan" : `${page.dataset.title} · Groundplan`;
    if (target === null || target === page) scrollTo(0, 0);
    else target.scrollIntoView();
  }

  /** A section is what stands below a heading. */
  function sections() {
    const all = [];
    for (const article of articles) {
      for (const part of article.children) {
        if (/^H[1-6]$/.test(part.tagName))
          all.push({ id: part.id, page: article.dataset.title, title: part.textContent, text: "" });
        else if (all.length > 0) all.at(-1).text += ` ${part.textContent.replaceAll(/\s+/g, " ")}`;
      }
    }
    return all.map((section) => Object.assign(section, { low: `${section.title} ${section.text}`.toLowerCase() }));
  }

  function find(words) {
    index ??= sections();
    const inTitle = ({ title }) => words.filter((word) => title.toLowerCase().includes(word)).length;
    const count = ({ low }) => words.reduce((sum, word) => sum + low.split(word).length - 1, 0);
    return index
      .filter(({ low }) => words.every((word) => low.includes(word)))
      .map((section) => ({
        section,
        score: inTitle(section) * 50 + (count(section) * 100) / (200 + section.low.length),
      }))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, 30)
      .map(({ section }) => section);
  }

  function search() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return show();
    const found = find(words);
    for (const article of articles) article.hidden = true;
    results.hidden = false;
    results.replaceChildren(
      ...(found.length === 0 ? [make("p", "Nothing was found.")] : found.map((section) => row(section, words))),
    );
    results.querySelector("a")?.classList.add("chosen");
    scrollTo(0, 0);
  }

  function row({ id, page, title, text }, words) {
    const link = make("a", "");
    link.href = `#${id}`;
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
    link.append(make("b", title), page === title ? "" : `  ${page}`, marked(text.slice(at, at + 180).trim(), words));
    link.addEventListener("click", () => {
      box.value = "";
      if (location.hash === link.hash) show();
    });
    return link;
  }

  function marked(text, words) {
    const line = make("p", "");
    const pattern = new RegExp(
      `(${words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`,
      "gi",
    );
    line.append(...text.split(pattern).map((part, number) => (number % 2 === 1 ? make("mark", part) : part)));
    return line;
  }

  function make(tag, text) {
    const element = document.createElement(tag);
    element.textContent = text;
    return element;
  }

  function move(step) {
    const rows = [...results.querySelectorAll("a")];
    const now = rows.findIndex((one) => one.classList.contains("chosen"));
    const next = Math.min(Math.max(now + step, 0), rows.length - 1);
    rows.forEach((one, number) => one.classList.toggle("chosen", number === next));
    rows[next]?.scrollIntoView({ block: "nearest" });
  }

  box.addEventListener("input", search);
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    }
    if (event.key === "Enter") results.querySelector(".chosen")?.click();
    if (event.key === "Escape") {
      box.value = "";
      search();
    }
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target === box) return;
    event.preventDefault();
    box.focus();
  });
  addEventListener("hashchange", show);
  show();
})();
