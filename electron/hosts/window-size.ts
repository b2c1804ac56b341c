/** Width and height in device-independent pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Minimum size of a first window on a screen that has the room for it. */
export const FIRST_WINDOW_SIZE: Size = { width: 1280, height: 840 };

/** Share of the screen that a first window takes, of the area that no bar of the desktop covers. */
const WINDOW_SHARE_OF_SCREEN = 0.85;

/**
 * Returns the size of a first window in `room`, the free area of the screen: at least `least`,
 * larger on a large screen, and never larger than `room`.
 */
export function firstWindowSize(room: Size, least: Size): Size {
  const fit = (asked: number, whole: number): number =>
    Math.min(whole, Math.max(asked, Math.round(whole * WINDOW_SHARE_OF_SCREEN)));
  return { width: fit(least.width, room.width), height: fit(least.height, room.height) };
}
