/* Tables with the class "filtered" get a list of choices above them for each column whose heading has the class
   "by"; where none has, for each column in which few different cells come again and again. A cell counts as its
   data-value, or as its text. A part of the page to which a row links is hidden with its row, and an address that
   ends in ?lesson=9a begins with that choice. Without this script such a table is a plain table with every row. */

(() => {
  const MOST_CHOICES = 12;
  let made = 0;

  /** @param {Element | undefined} cell */
  const valueOf = (cell) => (cell?.getAttribute("data-value") ?? cell?.textContent ?? "").trim();

  /**
   * Say which columns are worth a list of choices.
   * @param {HTMLTableCellElement[]} heads
   * @param {HTMLTableRowElement[]} rows
   */
  function columnsToFilter(heads, rows) {
    const marked = heads.filter((head) => head.classList.contains("by"));
    if (marked.length) return marked.map((head) => heads.indexOf(head));
    const different = (/** @type {number} */ at) => new Set(rows.map((row) => valueOf(row.cells[at]))).size;
    const few = Math.min(MOST_CHOICES, rows.length / 2);
    return heads.map((_, at) => at).filter((at) => different(at) > 1 && different(at) <= few);
  }

  /**
   * @template {keyof HTMLElementTagNameMap} Name
   * @param {Name} name
   * @param {string} className
   * @param {(Node | string)[]} inside
   */
  function element(name, className, ...inside) {
    const one = document.createElement(name);
    one.className = className;
    one.append(...inside);
    return one;
  }

  /**
   * Choose what the page's address asks for, such as ?lesson=9a.
   * @param {{at: number, select: HTMLSelectElement, values: string[]}[]} lists
   * @param {HTMLTableCellElement[]} heads
   */
  function choose(lists, heads) {
    const asked = new URLSearchParams(location.search);
    for (const { at, select, values } of lists) {
      const value = asked.get((heads[at].textContent ?? "").trim().toLowerCase()) ?? "";
      if (values.includes(value)) select.value = value;
    }
  }

  /** @param {HTMLTableElement} table */
  function addFilter(table) {
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    const columns = columnsToFilter(heads, rows);
    if (!columns.length) return;
    made += 1;
    table.id ||= `filtered-table-${made}`;

    const shown = element("span", "filtered-shown");
    shown.setAttribute("role", "status");
    const all = element("button", "filtered-all", "Show all");
    all.type = "button";

    const lists = columns.map((at) => {
      const select = element("select", "");
      select.setAttribute("aria-controls", table.id);
      const values = [...new Set(rows.map((row) => valueOf(row.cells[at])))];
      select.append(new Option("all", ""), ...values.map((value) => new Option(value, value)));
      return { at, select, values };
    });

    /** Tell whether a row is wanted by every list but one. @param {HTMLTableRowElement} row @param {object} [but] */
    const wanted = (row, but) =>
      lists.every((one) => one === but || !one.select.value || valueOf(row.cells[one.at]) === one.select.value);

    const entries = rows.map((row) => {
      const id = row.querySelector('a[href^="#"]')?.getAttribute("href")?.slice(1);
      const entry = id ? document.getElementById(id) : null;
      return entry?.tagName === "SECTION" ? entry : null;
    });
    const groups = new Set(entries.flatMap((entry) => (entry?.parentElement ? [entry.parentElement] : [])));

    const update = () => {
      for (const [at, row] of rows.entries()) {
        row.hidden = !wanted(row);
        if (entries[at]) entries[at].hidden = row.hidden;
      }
      for (const group of groups) group.hidden = entries.every((entry) => entry?.parentElement !== group || entry.hidden);
      for (const one of lists)
        for (const [place, value] of one.values.entries()) {
          const left = rows.filter((row) => wanted(row, one) && valueOf(row.cells[one.at]) === value).length;
          one.select.options[place + 1].text = `${value} (${left})`;
          one.select.options[place + 1].disabled = !left && one.select.value !== value;
        }
      shown.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
      all.disabled = lists.every((one) => !one.select.value);
    };

    all.addEventListener("click", () => {
      for (const one of lists) one.select.value = "";
      update();
      lists[0].select.focus();
    });
    const labels = lists.map((one) => {
      one.select.addEventListener("change", update);
      return element("label", "", `${(heads[one.at].textContent ?? "").trim()} `, one.select);
    });
    const bar = element("div", "filtered-bar", ...labels, all, shown);
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Choose rows of the table");
    table.before(bar);
    choose(lists, heads);
    update();
  }

  for (const table of document.querySelectorAll("table.filtered")) addFilter(/** @type {HTMLTableElement} */ (table));
})();
