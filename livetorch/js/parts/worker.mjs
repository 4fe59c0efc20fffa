// Fetched by a page when a figure's runs take longer than a frame.
import { code } from "../../built/worker.mjs";
import { createWorker } from "../worker/far.mjs";

/** @param {any} spec @param {any} figure @param {() => any} place */
export const createFar = (spec, figure, place) => createWorker(spec, code, figure, place);
