/*
 * Content of a page that shows where something is to be filled in. All coordinates are in points of
 * the stored page, from its lower left corner.
 */

/**
 * A character, or anything that a font draws as a character. `y` is its baseline, `height` its font
 * size.
 */
export interface PageCharacter {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A straight line, horizontal (`y` is `top`) or vertical (`x` is `right`). */
export interface PageStroke {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly top: number;
}

/**
 * A filled rectangle. Forms use hatching or grey (`struck`) for parts that must stay blank, and a
 * light tint for parts to fill in.
 */
export interface ShadedArea {
  readonly as: 'struck' | 'tint';
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly top: number;
}

export interface PageMarks {
  /** Page number; 1 for the first page. */
  readonly page: number;
  /** The part of the page that viewers show. */
  readonly box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  /** Rotation of the page, clockwise, in degrees. */
  readonly rotate: number;
  readonly letters: readonly PageCharacter[];
  readonly strokes: readonly PageStroke[];
  readonly shades: readonly ShadedArea[];
}
