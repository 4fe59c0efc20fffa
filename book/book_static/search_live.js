// The first that a search finds, while its words are typed: the index and the order are those of the search page.
{
  const MOST = 7;
  const here = document.currentScript.src;
  const root = new URL(document.documentElement.dataset.content_root, location.href);
  /** One script after the other, as the search page has them; without `_ready` none of them begins by itself. */
  const fetched = async () => {
    globalThis._ready ??= () => {};
    globalThis._ ??= (text) => text;
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("search.css", here) }));
    for (const name of ["_static/language_data.js", "_static/searchtools.js", "searchindex.js", "_static/search_near.js"])
      await new Promise((onload, onerror) => document.head.append(Object.assign(document.createElement("script"), { src: new URL(name, root), onload, onerror })));
    await searchBook.known;
  };

  // A title may hold code: of the book's own HTML only the text is shown.
  const plain = (html) => new DOMParser().parseFromString(html, "text/html").body.textContent;
  const option = ([page, title, anchor, about], at) => {
    const [whole, part] = title.split(" > ").map(plain);
    const link = Object.assign(document.createElement("a"), { id: `search-live-${at}`, role: "option", tabIndex: -1, href: new URL(`${page}.html${anchor}`, root) });
    const topic = [...document.querySelectorAll("a:has(> .topic)")].find(({ href }) => href === link.href)?.querySelector(".topic");
    const below = part ? whole : about ? plain(about) : (topic?.textContent ?? "");
    link.append(part ?? whole, Object.assign(document.createElement("small"), { textContent: below }));
    return link;
  };

  /** The list under the field, and its keys. @param {HTMLDialogElement} dialog */
  const createBox = (dialog) => {
    const field = dialog.querySelector("input");
    const list = Object.assign(document.createElement("div"), { id: "search-live", role: "listbox", ariaLabel: "First found", hidden: true });
    const said = Object.assign(document.createElement("p"), { className: "search-live-said", role: "status" });
    // Where Sphinx's search begins it fills every field named q with the address's words: this one has its name when it is sent.
    field.removeAttribute("name");
    field.form.addEventListener("formdata", ({ formData }) => formData.set("q", field.value));
    // Sphinx empties the second of these before it looks.
    dialog.append(list, said, Object.assign(document.createElement("i"), { id: "search-progress", hidden: true }));
    for (const [name, value] of Object.entries({ role: "combobox", "aria-controls": list.id, "aria-autocomplete": "list", "aria-expanded": "false" }))
      field.setAttribute(name, value);

    const mark = (link) => {
      for (const each of list.children) each.ariaSelected = String(each === link);
      link?.scrollIntoView({ block: "nearest" });
      link ? field.setAttribute("aria-activedescendant", link.id) : field.removeAttribute("aria-activedescendant");
    };
    const show = () => {
      const asked = field.value.trim();
      const found = asked.length > 1 ? searchBook.find(asked) : [];
      list.replaceChildren(...found.slice(0, MOST).map(option));
      list.hidden = !found.length;
      field.setAttribute("aria-expanded", String(found.length > 0));
      mark(null);
      const all = found.length > MOST ? `Enter lists all ${found.length}.` : "";
      said.textContent = found.length || asked.length < 2 ? all : "No page has all of these words. Enter looks for words like them.";
      if (!found.length && asked.length > 1) searchBook.offerNear(asked).then((line) => line && field.value.trim() === asked && said.replaceChildren("No page has all of these words. ", ...line.childNodes), () => {});
    };

    const ready = fetched();
    ready.catch(() => (said.textContent = "The index did not come. Enter goes to the search page."));
    const asks = () => ready.then(show, () => {});
    field.addEventListener("input", asks);
    field.addEventListener("keydown", (event) => {
      const links = [...list.children];
      const at = links.findIndex((link) => link.ariaSelected === "true");
      if (event.key === "Enter" && at >= 0) links[at].click();
      else if (event.key === "ArrowDown") mark(links[(at + 1) % links.length]);
      else if (event.key === "ArrowUp") mark(links.at(at < 0 ? -1 : at - 1));
      else return;
      event.preventDefault();
    });
    list.addEventListener("click", () => dialog.close()); // a place on this page
    asks();
  };

  createBox(document.getElementById("pst-search-dialog"));
}
