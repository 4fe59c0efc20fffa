// Which found page comes first: chapters before the pages about the book, these before the reference.
var Scorer = {
  score: ([page, , , , points]) => points + (page.startsWith("notebooks/0") || page.startsWith("notebooks/1") ? 30 : page.startsWith("book/api/") ? -10 : 0),
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
