// What of d3-array the plots use: the package itself brings no types.
declare module "d3-array" {
  export function ticks(start: number, stop: number, count: number): number[];
  export function nice(start: number, stop: number, count: number): [number, number];
}
