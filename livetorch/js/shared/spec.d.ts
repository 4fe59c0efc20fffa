// The JSON of a live figure, as book/live_format.md describes it and livetorch/figure writes it.

/** Numbers as they are stored: base64, or a place in the list that the Programs of a figure share. */
export interface Stored {
  dtype: string;
  shape: number[];
  data: string;
  stored?: string;
  letters?: string;
  axis?: number;
}
export type Constant = Stored | { pool: number };

export interface Node {
  op: string;
  args: unknown[];
  kwargs?: Record<string, unknown>;
  outs?: number;
}

/** Where the values come from in the function that was traced. */
export interface Written {
  lines: ([text: string, name: string, file?: string] | { pool: number })[];
  places: [line: number, from: number, to: number][];
  of: number[];
  names: Record<string, string>;
  learned?: number[];
}

export interface Program {
  format: string;
  version: number;
  inputs: { name: string; shape: number[]; dtype: string }[];
  constants: Constant[];
  nodes: Node[];
  outputs: { name: string; value: number }[];
  source?: Written;
}

/** Where a view finds its numbers. */
export type Source = { output: string } | { control: string } | { values: any };

/** The names along an axis: a list, the tokens of a text control, or ids with a vocabulary. */
export type Labels = { values: string[] } | { text: string; unit: string; crop?: boolean } | { ids: string; vocabulary: string[] } | null;

/** The two ends of an axis. */
export type Limits = [number, number] | null;
export type Role = "query" | "key" | "value" | "weight";

interface View {
  title: string | null;
  /** the shapes of what it shows at other settings, so that its room is the same */
  others?: Record<string, { shape: number[]; data?: number[] }>[];
}

export interface Heatmap extends View {
  kind: "heatmap";
  source: Source;
  xlabel: string;
  ylabel: string;
  xticks: Labels;
  yticks: Labels;
  titles: string[] | null;
  vmin: number | "auto" | null;
  vmax: number | "auto" | null;
  scale: "sequential" | "diverging";
  annotate: boolean | "auto";
  edit: string | null;
  mask: Source | null;
  rows_axis: string;
  cols_axis: string;
  panels_axis: string;
  measure: string | null;
  words?: [string, string];
  levels?: [number, string][];
  block?: [number, number];
  span?: [number, number];
  fine?: number;
  rings?: Source;
  nonzero?: boolean;
  zoom?: boolean;
  mask_word?: string;
}

export interface Bars extends View {
  kind: "bars";
  source: Source;
  labels: Labels;
  axis: string;
  query_axis: string;
  ylim: Limits;
  xlabel: string;
  ylabel: string;
  hue?: Role | null;
  hues?: "series";
  pattern?: string;
  shares?: { pointer: Source | null };
}

export interface Strip extends View {
  kind: "strip";
  source: Source;
  columns: Source;
  scores: Source | null;
  mask: Source | null;
  pointer: Source | null;
  labels: Labels;
  axis: string;
  query_axis: string;
  hue?: Role | null;
}

export interface Arcs extends View {
  kind: "arcs";
  source: Source;
  tokens: Labels;
  query_tokens: Labels;
  names: [string, string];
  sentences: [string, string];
  muting?: { name: string; without: string };
  doubting?: { source: Source; reasons: string[] };
  axis: string;
  query_axis: string;
  query: number;
  rows: number;
  play: boolean;
}

export interface Tokens extends View {
  kind: "tokens";
  source: Source;
  tokens: Labels;
  query_tokens: Labels;
  axis: string;
  query_axis: string;
  query: number;
  vmax: number | null;
}

export interface Lines extends View {
  kind: "lines";
  x: Source;
  y: { source: Source; label: string }[];
  points: { x: Source; y: Source; label: string; axis: string | null } | null;
  drag: string[];
  drag_axes: (string | null)[];
  domains: [number, number][][];
  labels: string[] | null;
  points_label: string;
  points_axis: string | null;
  axis: string | null;
  xlabel: string;
  ylabel: string;
  xlim: Limits;
  ylim: Limits;
  xlog?: boolean;
  ylog?: boolean;
  stems?: boolean;
}

export interface PlaneGroup {
  axis: string;
  source: Source;
  prefix: string;
  labels: string[] | null;
  domain: [number, number][] | null;
  drag: boolean;
  arrows: boolean;
}

export interface Plane extends View {
  kind: "plane";
  groups: PlaneGroup[];
  drag: string[];
  weights: Source | null;
  xlabel: string;
  ylabel: string;
  xlim: Limits;
  ylim: Limits;
}

export interface NumberView extends View {
  kind: "number";
  source: Source;
  unit: string;
  format: string;
}

export interface History extends View {
  kind: "history";
  series: { output: string; label: string }[];
  xlabel: string;
  ylabel: string;
  ylim: Limits;
  log: boolean;
}

export interface Table extends View {
  kind: "table";
  parts: { source: Source; label: string; axes: string[]; sums: boolean }[];
  decimals: number;
  rows: Labels;
  cols: Labels;
  sums: boolean;
  rows_axis: string;
  cols_axis: string;
}

export interface FlowPart {
  source: Source;
  label: string;
  axes: string[];
  rows: Labels;
  cols: Labels;
  mask: Source | null;
  role?: Role | null;
}

export interface Flow extends View {
  kind: "flow";
  parts: FlowPart[];
  stages: number[][];
  steps: string[];
}

export type ViewSpec = Heatmap | Bars | Strip | Arcs | Tokens | Lines | Plane | NumberView | History | Table | Flow;

interface Control {
  name: string;
  label: string;
  description: string | null;
  /** a Program for each setting */
  variant?: boolean;
  /** where it does something: the settings of other controls */
  when?: Record<string, unknown[]>;
}

export interface Slider extends Control {
  kind: "slider";
  value: number;
  min: number;
  max: number;
  step: number;
  format: string;
  dtype: string;
  scale: "linear" | "log";
  roll?: boolean;
  options?: number[];
  curve?: { output: string; at: number; label: string };
}

export interface Dropdown extends Control {
  kind: "dropdown";
  value: number;
  options: string[];
  /** a tensor for each option, as nested lists */
  tensors?: { shape: number[]; dtype: string; data: any[] };
}

export interface Checkbox extends Control {
  kind: "checkbox";
  value: boolean;
}

export interface Text extends Control {
  kind: "text";
  value: string;
  vocabulary: string[];
  unit: "character" | "word" | "piece";
  length: number;
  pad: number;
  unknown: number | null;
  dtype: string;
  examples?: string[];
  ends?: string[];
  suggestions?: string[];
}

interface TableControl extends Control {
  shape: number[];
  dtype: string;
}

export interface Points extends TableControl {
  kind: "points";
  value: number[][];
  domain: [number, number][];
  labels: string[] | null;
  flat?: boolean;
}

export interface Mask extends TableControl {
  kind: "mask";
  value: boolean[][];
  axes?: [string, string];
}

export interface Matrix extends TableControl {
  kind: "matrix";
  value: number[][];
  min: number | null;
  max: number | null;
  step: number;
  labels?: string[];
  columns?: string[];
}

export interface State extends TableControl {
  kind: "state";
  /** nested lists, or base64 where there are many */
  value: any;
}

export type ControlSpec = Slider | Dropdown | Checkbox | Text | Points | Mask | Matrix | State;

/** What flows from step to step: control -> output. */
export interface Carry {
  names: Record<string, string>;
  /** the word on the button */
  run: string;
  pace: number;
  steps: number | null;
  restart?: string[];
}

/** A figure. */
export interface Spec {
  format: "livetorch/figure";
  version: 1;
  name: string;
  title: string | null;
  do: string | null;
  caption: string | null;
  /** output -> words */
  labels: Record<string, string>;
  controls: ControlSpec[];
  programs: Program[];
  pool: (Stored | [text: string, name: string, file?: string])[];
  /** which Program runs at which settings of the controls that choose one */
  variants: { controls: string[]; keys: Record<string, number> };
  views: ViewSpec[];
  rows: number[][] | null;
  carry: Carry | null;
  /** by the name of an axis: the control that its items set, and the setting of each */
  picks?: Record<string, { control: string; values: unknown[]; beside?: string; width?: number }>;
  /** numbers of the views that would answer the question asked before the figure */
  veil?: number[];
}
