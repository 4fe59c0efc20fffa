// The editor of one cell: CodeMirror in the book's own colours, which its style sheet gives to the classes of printed code.

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentService, indentUnit, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { python } from "@codemirror/lang-python";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightSpecialChars, keymap, ViewPlugin, WidgetType } from "@codemirror/view";
import { tagHighlighter, tags as t } from "@lezer/highlight";
import { h } from "../../livetorch/js/shared/dom.mjs";

/** The classes that Pygments writes, so that code looks the same before and after it can be edited. */
const colours = tagHighlighter([
  { tag: [t.keyword, t.operatorKeyword, t.controlKeyword, t.definitionKeyword, t.moduleKeyword, t.self], class: "k" },
  { tag: [t.bool, t.null], class: "kc" },
  { tag: [t.string, t.special(t.string), t.docString], class: "s2" },
  { tag: t.escape, class: "se" },
  { tag: t.number, class: "mi" },
  { tag: [t.comment, t.lineComment], class: "c1" },
  { tag: [t.operator, t.arithmeticOperator, t.compareOperator, t.definitionOperator, t.logicOperator], class: "o" },
  { tag: t.function(t.definition(t.variableName)), class: "nf" },
  { tag: t.definition(t.className), class: "nc" },
  { tag: t.meta, class: "nd" },
]);

const BAR = 62; // pixels of the page's own bar at its top, and a little air
const SAID = 48; // of what is said of a line, below it

/** @typedef {{line: number, column?: number, said: string, quietly?: boolean}|null} Mark where something is wrong, and what; quietly: beside the line, where nothing moves */
/** @type {import("@codemirror/state").StateEffectType<Mark>} */
const markLine = StateEffect.define();

/** What is wrong, below its line. */
class Said extends WidgetType {
  /** @param {string} text @param {boolean} [quietly] */
  constructor(text, quietly) {
    super();
    this.text = text;
    this.quietly = quietly;
  }
  /** @param {Said} other */
  eq(other) {
    return other.text === this.text && other.quietly === this.quietly;
  }
  toDOM() {
    if (this.quietly) return h("span", { class: "ed-wrong-aside" }, this.text);
    const [said, plain] = this.text.split("\n"); // Python's line, and what it means
    return h("div", { class: "ed-wrong-said" }, plain ? h("strong", {}, said) : said, plain ? h("div", {}, plain) : null);
  }
}

const wrongLine = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    let now = change.docChanged ? Decoration.none : marks;
    for (const effect of change.effects) {
      if (!effect.is(markLine)) continue;
      const { value } = effect;
      if (value === null || value.line < 1 || value.line > change.state.doc.lines) now = Decoration.none;
      else {
        const { from, to } = change.state.doc.line(value.line);
        const line = Decoration.line({ class: "ed-wrong-line" });
        const said = Decoration.widget({ widget: new Said(value.said, value.quietly), block: !value.quietly, side: 1 });
        now = Decoration.set(value.quietly ? [said.range(to)] : [line.range(from), said.range(to)]);
        const at = Math.min(from + (value.column ?? 0), to) - 1;
        if (value.column && at >= from)
          now = now.update({
            add: [
              Decoration.mark({ class: "ed-wrong-place" }).range(at, at + (/^\w+|/.exec(change.state.sliceDoc(at, to))?.[0].length || 1)),
            ],
          });
      }
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Of each line its number, how far it is indented, since what goes on of it stands further in, and whether it is one of the book's. @param {EditorView} view @param {Set<string>} book */
function dressed({ state, visibleRanges }, book) {
  const found = [];
  for (const { from, to } of visibleRanges)
    for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
      const style = `--indent: ${line.text.search(/\S|$/)}ch`;
      const changed = book.has(line.text) ? "" : "ed-changed-line";
      found.push(Decoration.line({ class: changed, attributes: { style, "data-line": String(line.number) } }).range(line.from));
      if (line.to >= to) break;
    }
  return Decoration.set(found);
}
const lines = (/** @type {Set<string>} */ book) =>
  ViewPlugin.define(
    (view) => ({
      decorations: dressed(view, book),
      update(change) {
        if (change.docChanged || change.viewportChanged) this.decorations = dressed(change.view, book);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );

/** @type {import("@codemirror/state").Extension} After a block that stands whole in its line ("if x: y") the next line begins where that one does: CodeMirror would go on in the block. */
const afterOneLine = indentService.of((context, pos) => {
  for (let node = syntaxTree(context.state).resolveInner(pos, -1); node.parent; node = node.parent) {
    if (
      /^(ArgList|ParamList)$|^(Array|Dictionary|Set|Tuple|Parenthesized)|Comprehension/.test(node.name) &&
      (node.to > pos || node.lastChild?.type.isError)
    )
      return undefined; // a bracket is open
    if (node.name === "Body" && /^:[^\S\n]*[^\s#]/.test(context.state.sliceDoc(node.from, pos)))
      return context.lineIndent(node.parent.from);
  }
  return undefined;
});

/** How much of what scrolls is covered: above by the page's bar, the figure that stays above its code, the line with Run and the keys, below by the bar and what was printed. @param {Element} dom */
function covered(dom) {
  const height = (/** @type {string} */ what, /** @type {ParentNode|null|undefined} */ within, stays = /sticky|fixed/) => {
    const part = /** @type {HTMLElement|null} */ (within?.querySelector(what) ?? null);
    return part && stays.test(getComputedStyle(part).position) ? part.offsetHeight : 0;
  };
  const [cell, block] = [dom.closest(".cell_input"), dom.closest(".figure-block:has(> details.code-fold[open])")];
  const above = BAR + height(":scope > .cell", block) + height(".ed-keys-row", cell);
  return {
    top: Math.max(above, height(".ed-head", cell)),
    bottom: Math.max(height(".ed-dock", document), height(":scope > .ed-printed", cell?.parentElement)),
  };
}

/** The last line of the block that a line begins. @param {EditorState} state @param {number} line */
function lastOf({ doc }, line) {
  let last = line;
  for (let at = line + 1; at <= doc.lines && !/^[^\s)\]}]/.test(doc.line(at).text); at += 1) if (doc.line(at).text.trim()) last = at;
  return last;
}

/** The block that a line begins is seen in what scrolls, the editor, the fold around it, or the page: from the top where it has room, or from its own line on. @param {EditorView} view @param {number} line */
function lead(view, line) {
  const at = view.state.doc.line(line);
  view.dispatch({ selection: { anchor: at.to } });
  const scrolls = [view.scrollDOM, view.dom.closest("details")].find(
    (each) => each && each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).overflowY !== "visible",
  );
  if (!scrolls) return void view.domAtPos(at.to).node.parentElement?.closest(".cm-content > *")?.scrollIntoView({ block: "start" });
  for (const _ of "12") {
    view.coordsAtPos(at.from); // CodeMirror measures what it has drawn, and guesses the rest: that comes with the first step
    const top = view.documentTop - scrolls.getBoundingClientRect().top + scrolls.scrollTop;
    const block = (/** @type {number} */ number) => view.lineBlockAt(view.state.doc.line(number).from);
    const end = top + block(lastOf(view.state, line)).bottom;
    const from = (/** @type {number} */ number) => top + block(number).top - (scrolls === view.scrollDOM ? 8 : 40); // below the line with Run
    scrolls.scrollTop = [0, from(1)].find((each) => end <= each + scrolls.clientHeight) ?? from(line);
  }
}

/** @param {EditorView} view @param {number|undefined} line */
const lineAt = ({ state }, line) => (line && line <= state.doc.lines ? state.doc.line(line) : null);

/** A place comes into sight, with room for a message under its line. @param {number} to */
const comes = (to) => EditorView.scrollIntoView(to, { y: "nearest", yMargin: SAID });

/**
 * @param {Element} parent
 * @param {object} options
 * @param {string} options.text
 * @param {string} options.book the book's text: lines that are not in it have a mark
 * @param {string} options.label what a screen reader says of it
 * @param {string} options.describedBy id of the element that explains the keys
 * @param {(text: string) => void} options.changed
 * @param {() => void} options.run
 */
export function createEditor(parent, { text, book, label, describedBy, changed, run }) {
  // A page may have shortcuts of single keys (Sphinx: "/" for its search), and here they are text.
  parent.addEventListener("keydown", (event) => {
    const { ctrlKey, metaKey, altKey } = /** @type {KeyboardEvent} */ (event);
    if (!ctrlKey && !metaKey && !altKey) event.stopPropagation();
  });
  const runs = (/** @type {string} */ key) => ({ key, run: () => (run(), true), preventDefault: true });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(keymap.of([runs("Shift-Enter"), runs("Mod-Enter")])),
        // Esc, then Tab leaves the editor: that is CodeMirror's own, and Tab alone indents
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        history(),
        highlightSpecialChars(),
        drawSelection({ drawRangeCursor: false }),
        indentUnit.of("    "),
        afterOneLine,
        indentOnInput(),
        bracketMatching(),
        EditorView.scrollMargins.of(({ dom }) => covered(dom)),
        closeBrackets(),
        python(),
        syntaxHighlighting(colours),
        wrongLine,
        lines(new Set(book.split("\n")).add("")),
        EditorView.contentAttributes.of({
          "aria-label": label,
          "aria-describedby": describedBy,
          tabindex: "0",
          autocapitalize: "off",
          spellcheck: "false",
        }),
        EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
      ],
    }),
  });
  return {
    view,
    /** Exchange the whole text, as an edit that can be taken back. @param {string} next */
    set(next) {
      const { state } = view;
      if (state.doc.toString() !== next) view.dispatch({ changes: { from: 0, to: state.doc.length, insert: next } });
    },
    /** @param {Mark} mark lines are counted from 1 */
    mark: (mark) => view.dispatch({ effects: markLine.of(mark) }),
    /** A line comes into sight. @param {number} line */
    show: (line) => view.dispatch({ effects: [lineAt(view, line)].flatMap((there) => (there ? comes(there.to) : [])) }),
    lead: (/** @type {number} */ line) => lead(view, line),
    /** @param {number} [line] */
    focus(line) {
      const there = lineAt(view, line);
      if (there) view.dispatch({ selection: { anchor: there.to }, effects: comes(there.to) });
      view.focus();
    },
    /** Type a text at the cursor, for keys that a phone hides. @param {string} piece */
    type(piece) {
      view.dispatch(view.state.replaceSelection(piece), { scrollIntoView: true, userEvent: "input.type" });
      view.focus();
    },
    /** @param {boolean} more */
    indent: (more) => (more ? indentMore : indentLess)(view),
  };
}
