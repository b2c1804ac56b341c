import type { FontFace, PlacedKind } from '../../../../shared/model/placed-field.ts';
import { m } from '../../../ui/language.svelte.ts';
import type { Arrangement } from './arrange.ts';
import type { DrawnProblem } from './drawn.ts';

const kindNames = {
  text: m.draw_kind_text,
  lines: m.draw_kind_lines,
  date: m.draw_kind_date,
  number: m.draw_kind_number,
  checkbox: m.draw_kind_checkbox,
  choice: m.draw_kind_choice,
  signature: m.draw_kind_signature,
  initials: m.draw_kind_initials,
  seal: m.draw_kind_seal,
} as const satisfies Record<PlacedKind, () => string>;

export const kindName = (kind: PlacedKind): string => kindNames[kind]();

const fontNames = {
  sans: m.draw_font_sans,
  serif: m.draw_font_serif,
  mono: m.draw_font_mono,
} as const satisfies Record<FontFace, () => string>;

export const fontName = (font: FontFace): string => fontNames[font]();

const arrangementNames = {
  left: m.draw_arrange_left,
  center: m.draw_arrange_center,
  right: m.draw_arrange_right,
  top: m.draw_arrange_top,
  middle: m.draw_arrange_middle,
  bottom: m.draw_arrange_bottom,
  'same-width': m.draw_arrange_width,
  'same-height': m.draw_arrange_height,
  across: m.draw_arrange_across,
  down: m.draw_arrange_down,
} as const satisfies Record<Arrangement, () => string>;

export const arrangementName = (how: Arrangement): string => arrangementNames[how]();

const drawnProblemTexts = {
  'name-missing': m.draw_problem_name_missing,
  'name-long': m.draw_problem_name_long,
  'name-dot': m.draw_problem_name_dot,
  'name-taken': m.draw_problem_name_taken,
  options: m.draw_problem_options,
  outside: m.draw_problem_outside,
  value: m.draw_problem_value,
} as const satisfies Record<DrawnProblem, () => string>;

export const problemName = (problem: DrawnProblem): string => drawnProblemTexts[problem]();
