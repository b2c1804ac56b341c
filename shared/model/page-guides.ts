import * as z from 'zod';
import { PdfPlace } from './pdf-place.ts';

/**
 * Maximum number of guides in one direction: more than a normal page has, but a picture traced into
 * lines has thousands.
 */
export const MAX_GUIDES = 400;

const Guides = z.array(z.number()).max(MAX_GUIDES);

/**
 * A page for drawing fields, with its alignment guides. All coordinates are in points of the stored
 * page, before rotation.
 */
export const PageGuides = z.object({
  /** Page number; 1 for the first page. */
  page: z.number().int(),
  /** The part of the page that viewers show. */
  box: PdfPlace.shape.box,
  /** Rotation of the page, clockwise, in degrees. */
  rotate: z.number().int(),
  /**
   * Horizontal positions of guides: vertical lines, and both ends of horizontal lines and of pieces
   * of text.
   */
  xs: Guides,
  /**
   * Vertical positions of guides: horizontal lines, both ends of vertical lines, and baselines of
   * text.
   */
  ys: Guides,
});
export type PageGuides = z.infer<typeof PageGuides>;
