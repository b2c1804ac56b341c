/*
 * What is drawn on a page, as far as it says where something is to be filled in. All in points of
 * the page as it is stored, from its lower left.
 */

/** A letter, or what a font draws as one. `y` is where it stands, `height` its font's size. */
export interface Letter {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A straight line, level (`y` is `top`) or upright (`x` is `right`). */
export interface Stroke {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly top: number;
}

/**
 * A rectangle with a ground of its own. Forms strike out by hatching or grey what nobody is to fill in,
 * and give a light tint to what somebody is.
 */
export interface Shade {
  readonly as: 'struck' | 'tint';
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly top: number;
}

export interface PageMarks {
  /** 1 for the first page. */
  readonly page: number;
  /** What viewers show of it. */
  readonly box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  /** Clockwise, in degrees. */
  readonly rotate: number;
  readonly letters: readonly Letter[];
  readonly strokes: readonly Stroke[];
  readonly shades: readonly Shade[];
}
