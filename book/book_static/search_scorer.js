// Which found page comes first: lessons before the pages about the book, these before the reference and long tables.
var Scorer = {
  score: ([page, , , , points]) => points + (page.startsWith("notebooks/0") || page.startsWith("notebooks/1") ? 30 : /^book\/(api|mutation_table)/.test(page) ? -10 : 0),
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
