// What of d3-scale the plots use: the package itself brings no types.
declare module "d3-scale" {
  export interface Scale {
    (value: number): number;
    invert(at: number): number;
    ticks(count: number): number[];
    domain(): number[];
    domain(limits: number[]): this;
    range(limits: number[]): this;
    nice(count: number): this;
  }
  export function scaleLinear(domain?: number[], range?: number[]): Scale;
  export function scaleLog(): Scale;
}
