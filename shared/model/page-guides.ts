import * as z from 'zod';
import { PdfPlace } from './pdf-place.ts';

/** More than a page has of its own; a picture that was traced into lines has thousands. */
export const MAX_GUIDES = 400;

const Guides = z.array(z.number()).max(MAX_GUIDES);

/** A page as fields are drawn on it, and what of it they can be put in line with. In points, as it is stored. */
export const PageGuides = z.object({
  /** 1 for the first page. */
  page: z.number().int(),
  /** What viewers show of it. */
  box: PdfPlace.shape.box,
  /** Clockwise, in degrees. */
  rotate: z.number().int(),
  /** Upright lines, and where level ones and pieces of text begin and end. */
  xs: Guides,
  /** Level lines, where upright ones begin and end, and what letters stand on. */
  ys: Guides,
});
export type PageGuides = z.infer<typeof PageGuides>;
