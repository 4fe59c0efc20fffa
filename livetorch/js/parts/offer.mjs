// Fetched by a page when a hand first stays on a number, or a finger taps one: it is offered to say where the number comes from.
export { offer } from "../panel/offer.mjs";
