import type { PdfPlace } from '../../../../shared/model/pdf-place.ts';
import * as commands from './commands.svelte.ts';
import { defaultFieldSize } from './drawn.ts';
import {
  boundingBoxOf,
  isOver,
  fitOnPage,
  type Lines,
  linesOf,
  type ShownBox,
  sizeOf,
} from './seen.ts';
import { type Handle, resizedBox, snapMovedBox, snapResizedBox } from './snap.ts';
import type { FieldDrawing, Spot } from './state.svelte.ts';

/** Position on the page, in points from its upper left corner. */
interface Point {
  readonly x: number;
  readonly y: number;
}

interface DraggedBox {
  readonly place: PdfPlace;
  readonly seen: ShownBox;
}

type Gesture =
  | { readonly kind: 'draw' | 'select' }
  | { readonly kind: 'move'; readonly held: readonly DraggedBox[] }
  | { readonly kind: 'size'; readonly held: DraggedBox; readonly handle: Handle };

/** Distance at which a box snaps, and distance up to which a press is no drag (screen pixels). */
const SNAP_REACH_PX = 5;
const DRAG_THRESHOLD_PX = 3;
/** Minimum size of a dragged box (points); a smaller one is a click. */
const MIN_DRAWN_BOX_POINTS = 5;

const noSnapLines = { x: null, y: null };

/** Pointer gestures on the current page, from press to release. */
export class PointerGestures {
  ghost = $state.raw<ShownBox | null>(null);
  /** Guide lines to which the moved box snaps. */
  line = $state.raw<{ readonly x: number | null; readonly y: number | null }>(noSnapLines);
  readonly #drawing: FieldDrawing;
  #gesture: Gesture | null = null;
  #from: Point = { x: 0, y: 0 };
  #lines: Lines = { xs: [], ys: [] };
  /** Number of points per screen pixel. */
  #scale = 1;
  #isMoved = false;

  constructor(drawing: FieldDrawing) {
    this.#drawing = drawing;
  }

  /** Starts drawing with the current tool; without one, starts a selection rectangle. */
  pressPage(from: Point, scale: number): void {
    const kind = this.#drawing.tool === null ? 'select' : 'draw';
    this.#begin({ kind }, from, scale, []);
  }

  /** Chooses a place and starts dragging it, with all selected places. */
  pressPlace(spot: Spot, isMore: boolean, from: Point, scale: number): void {
    this.#drawing.choose(spot, isMore);
    const held = this.#held(this.#drawing.targets());
    if (!isMore && held.length > 0) this.#begin({ kind: 'move', held }, from, scale, held);
  }

  pressHandle(handle: Handle, from: Point, scale: number): void {
    const [held] = this.#held(this.#drawing.targets());
    if (held !== undefined) this.#begin({ kind: 'size', held, handle }, from, scale, [held]);
  }

  /** Continues the gesture; `isFree` turns snapping off. */
  drag({ x, y }: Point, isFree: boolean): void {
    const gesture = this.#gesture;
    if (gesture === null) return;
    const [dx, dy] = [x - this.#from.x, y - this.#from.y];
    if (!this.#isMoved && Math.hypot(dx, dy) < DRAG_THRESHOLD_PX * this.#scale) return;
    this.#isMoved = true;
    const reach = isFree ? -1 : SNAP_REACH_PX * this.#scale;
    switch (gesture.kind) {
      case 'move':
        return this.#move(gesture.held, dx, dy, reach);
      case 'size': {
        const pulled = resizedBox(gesture.held.seen, gesture.handle, dx, dy);
        const snapped = snapResizedBox(pulled, gesture.handle, this.#lines, reach);
        this.line = snapped;
        this.#drawing.put(gesture.held.place, snapped.box);
        return;
      }
      case 'draw':
      case 'select':
        this.#stretch(gesture.kind, { x, y }, reach);
    }
  }

  release(): void {
    const [gesture, ghost] = [this.#gesture, this.ghost];
    const from = this.#from;
    const isMoved = this.#isMoved;
    this.#end();
    if (gesture === null) return;
    if (gesture.kind === 'draw') this.#draw(from, ghost);
    else if (gesture.kind === 'select') this.#select(ghost);
    else if (isMoved) this.#drawing.touch(null);
  }

  /** Restores the positions before the gesture. Returns whether one was in progress. */
  cancel(): boolean {
    const gesture = this.#gesture;
    if (gesture === null) return false;
    const held =
      gesture.kind === 'move' ? gesture.held : gesture.kind === 'size' ? [gesture.held] : [];
    for (const { place, seen } of held) this.#drawing.put(place, seen);
    this.#end();
    return true;
  }

  #begin(gesture: Gesture, from: Point, scale: number, held: readonly DraggedBox[]): void {
    this.#gesture = gesture;
    this.#from = from;
    this.#scale = scale;
    this.#isMoved = false;
    this.#lines = this.#linesBeside(held);
  }

  #end(): void {
    this.#gesture = null;
    this.ghost = null;
    this.line = noSnapLines;
  }

  #held(places: readonly PdfPlace[]): readonly DraggedBox[] {
    return places.flatMap((place) => {
      const seen = this.#drawing.seen(place);
      return seen === null ? [] : [{ place, seen }];
    });
  }

  /** Snap lines of the page: its lines and texts, and the sides of all boxes not being dragged. */
  #linesBeside(held: readonly DraggedBox[]): Lines {
    const drawing = this.#drawing;
    const shape = drawing.shapeOf(drawing.page);
    if (shape === undefined) return { xs: [], ys: [] };
    const own = linesOf(shape);
    const moved = new Set(held.map(({ place }) => place));
    const others = [
      ...drawing.drawing.fields.flatMap(({ places }) => places),
      ...(drawing.board?.others ?? []).flatMap(({ places }) => places),
    ];
    const boxes = others
      .filter((place) => place.page === shape.page && !moved.has(place))
      .flatMap((place) => drawing.seen(place) ?? []);
    return {
      xs: [...own.xs, ...boxes.flatMap(({ left, width }) => [left, left + width])],
      ys: [...own.ys, ...boxes.flatMap(({ top, height }) => [top, top + height])],
    };
  }

  #move(held: readonly DraggedBox[], dx: number, dy: number, reach: number): void {
    const drawing = this.#drawing;
    const shape = drawing.shapeOf(drawing.page);
    if (shape === undefined) return;
    const whole = boundingBoxOf(held.map(({ seen }) => seen));
    const moved = { ...whole, left: whole.left + dx, top: whole.top + dy };
    const snapped = snapMovedBox(moved, this.#lines, reach);
    const kept = fitOnPage(sizeOf(shape), snapped.box);
    this.line = snapped;
    const [right, down] = [kept.left - whole.left, kept.top - whole.top];
    for (const { place, seen } of held) {
      drawing.put(place, { ...seen, left: seen.left + right, top: seen.top + down });
    }
  }

  #stretch(kind: 'draw' | 'select', { x, y }: Point, reach: number): void {
    const { x: left, y: top } = this.#from;
    const box = {
      left: Math.min(left, x),
      top: Math.min(top, y),
      width: Math.abs(x - left),
      height: Math.abs(y - top),
    };
    if (kind === 'select') {
      this.ghost = box;
      return;
    }
    const handle = { across: x < left ? -1 : 1, down: y < top ? -1 : 1 } as const;
    const snapped = snapResizedBox(box, handle, this.#lines, reach);
    this.line = snapped;
    this.ghost = snapped.box;
  }

  #draw({ x, y }: Point, ghost: ShownBox | null): void {
    const { tool } = this.#drawing;
    if (tool === null) return;
    const isBox =
      ghost !== null && ghost.width >= MIN_DRAWN_BOX_POINTS && ghost.height >= MIN_DRAWN_BOX_POINTS;
    const size = defaultFieldSize(tool);
    commands.add(
      this.#drawing,
      tool,
      isBox ? ghost : { ...size, left: x, top: y - size.height / 2 },
    );
    this.#drawing.tool = null;
  }

  #select(ghost: ShownBox | null): void {
    const drawing = this.#drawing;
    drawing.marked.clear();
    if (ghost === null) {
      drawing.current = null;
      return;
    }
    let last: Spot | null = null;
    for (const { id, places } of drawing.drawing.fields) {
      for (const [at, place] of places.entries()) {
        const seen = place.page === drawing.page ? drawing.seen(place) : null;
        if (seen === null || !isOver(seen, ghost)) continue;
        drawing.marked.add(id);
        last ??= { id, at };
      }
    }
    drawing.current = last;
  }
}
