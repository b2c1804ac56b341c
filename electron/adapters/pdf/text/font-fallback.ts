import {
  type PDFDocument,
  type PDFField,
  type PDFFont,
  PDFName,
  type PDFObject,
  type PDFRef,
} from 'pdf-lib';
import type { FontFace } from '../../../../shared/model/placed-field.ts';
import { type Face, STANDARD_FACES, faceOf } from './faces.ts';
import type { KeptFont } from './kept-font.ts';
import type { MixedLetters } from '../fonts/mixed-letters.ts';
import type { FontRegistry } from '../fonts/font-registry.ts';
import { FONT_RESOURCE } from './text-frame.ts';
import {
  createNarrowMeasure,
  type FontMeasure,
  UNDRAWN_CHARACTERS,
  type TextMeasure,
} from './text-width.ts';
import { embedWide, ownFace } from './wide-font.ts';
import { EXCESS_COMBINING_MARKS } from '../../../../shared/rules/text/long-marks.ts';

/** Measures and draws a text, and names the resources of its appearance. */
export interface Pen {
  readonly measure: TextMeasure;
  /** Null if the text needs several fonts. */
  readonly font: PDFFont | null;
  readonly ref: PDFRef;
  /** The reference as written in a dictionary: `12 0 R`. */
  readonly resources: string;
}

export interface FontPen extends Pen {
  readonly font: PDFFont;
}

/** Pens of fonts that every viewer has; all of them have the same Western characters. */
export type StandardFonts = Readonly<Record<FontFace, FontPen>>;

interface MixedPen {
  readonly letters: MixedLetters;
  readonly pen: Pen;
}

/**
 * Pens of one document, the cheapest first: the standard font of the field, which needs no
 * embedding; the program's own font, character by character; and fonts of this computer, with
 * shaping. Each text uses the first pen that has all of its characters.
 */
export class FontFallback {
  readonly narrow: StandardFonts;
  readonly #document: PDFDocument;
  readonly #shelf: FontRegistry;
  readonly #letters = new Set<string>();
  readonly #kept = new Map<KeptFont, Pen>();
  #wide: FontPen | null = null;
  #mixed: MixedPen | null = null;

  constructor(document: PDFDocument, narrow: StandardFonts, shelf: FontRegistry) {
    this.#document = document;
    this.#shelf = shelf;
    this.narrow = narrow;
  }

  /** Prepares pens for these texts; returns true if a pen was added or changed. */
  async prepare(texts: Iterable<string>): Promise<boolean> {
    const unusual: string[] = [];
    const { measure } = this.narrow.sans;
    for (const text of texts) {
      const composed = text.replaceAll(EXCESS_COMBINING_MARKS, '').normalize('NFC');
      if (measure.missing(composed) !== undefined) unusual.push(composed);
      // The form's own values are drawn unchanged.
      if (text !== composed && measure.missing(text) !== undefined) unusual.push(text);
    }
    if (unusual.length === 0) return false;
    const isOwn = Map.groupBy(unusual, (text) => hasAllCharacters(text));
    const wanted = (isOwn.get(true) ?? []).flatMap((text) => [...text]);
    const isWider = wanted.some((letter) => !this.#letters.has(letter));
    if (isWider) {
      for (const letter of wanted) this.#letters.add(letter);
      this.#wide = penOf(this.#document, await embedWide(this.#document, this.#letters));
    }
    const others = isOwn.get(false) ?? [];
    if (others.length > 0) {
      this.#mixed ??= await this.#openMixed();
      await this.#mixed.letters.add(others);
    }
    return isWider;
  }

  /**
   * Returns a pen for a text; null if no font has a character, or the form's required font does not
   * have it.
   */
  penFor(text: string, face: Face): Pen | null {
    if (typeof face !== 'string') {
      return face.measure.missing(text) === undefined ? this.#keptPen(face) : null;
    }
    // Fast path for nearly every text.
    const narrow = this.narrow[face];
    if (narrow.measure.missing(text) === undefined) return narrow;
    return this.#candidates().find(({ measure }) => measure.missing(text) === undefined) ?? null;
  }

  /**
   * Returns the first character that no font has, or that the field's own font lacks; null if a
   * font has all.
   */
  missing(text: string, face: Face = 'sans'): string | null {
    if (typeof face !== 'string') return face.measure.missing(text) ?? null;
    if (this.penFor(text, 'sans') !== null) return null;
    return this.#candidates().at(-1)?.measure.missing(text) ?? null;
  }

  /** Writes newly used glyphs into the document; returns true if there were any. */
  async write(): Promise<boolean> {
    if (this.#mixed === null || this.#mixed.letters.isWritten) return false;
    const { letters, pen } = this.#mixed;
    await letters.write();
    const { context } = this.#document;
    const { font } = this.narrow.sans;
    const fonts = context.obj({ [FONT_RESOURCE]: font.ref, [font.name]: font.ref });
    for (const [name, ref] of letters.resources()) fonts.set(PDFName.of(name), ref);
    context.assign(pen.ref, context.obj({ Font: fonts }));
    return true;
  }

  /** Returns the objects that a file needs if its appearances were drawn with these pens. */
  rootsOf(pens: Iterable<Pen>): readonly PDFObject[] {
    return [...pens].flatMap(({ ref }) => [ref, this.#document.context.lookup(ref) ?? ref]);
  }

  #keptPen(kept: KeptFont): Pen {
    const { context } = this.#document;
    const known = this.#kept.get(kept);
    if (known !== undefined) return known;
    const font = context.getObjectRef(kept.dict) ?? context.register(kept.dict);
    const ref = context.register(context.obj({ Font: { [FONT_RESOURCE]: font } }));
    const pen = { measure: kept.measure, font: null, ref, resources: ref.toString() };
    this.#kept.set(kept, pen);
    return pen;
  }

  #candidates(): readonly Pen[] {
    return [this.narrow.sans, this.#wide, this.#mixed?.pen ?? null].filter((pen) => pen !== null);
  }

  async #openMixed(): Promise<MixedPen> {
    // Imported only when needed: most forms are filled without this module.
    const { MixedLetters } = await import('../fonts/mixed-letters.ts');
    const letters = new MixedLetters({
      document: this.#document,
      shelf: this.#shelf,
      own: ownFace().face,
      height: this.narrow.sans.measure.height,
    });
    const ref = this.#document.context.nextRef();
    return { letters, pen: { measure: letters, font: null, ref, resources: ref.toString() } };
  }
}

/** Whether the program's own font has all characters, which are then drawn one after the other. */
function hasAllCharacters(text: string): boolean {
  const { letters } = ownFace();
  return [...text.replaceAll(UNDRAWN_CHARACTERS, '')].every((one) =>
    letters.has(one.codePointAt(0) ?? 0),
  );
}

/** Returns a pen for each font that a field uses; the sans pen replaces the unused ones. */
export async function narrowPens(
  document: PDFDocument,
  fields: readonly PDFField[],
): Promise<StandardFonts> {
  const used = new Set(fields.map(faceOf));
  const penIn = async (face: FontFace) => {
    const font = await document.embedFont(STANDARD_FACES[face]);
    await font.embed();
    return penOf(document, createNarrowMeasure(font));
  };
  const sans = await penIn('sans');
  const serif = used.has('serif') ? await penIn('serif') : sans;
  const mono = used.has('mono') ? await penIn('mono') : sans;
  return { sans, serif, mono };
}

function penOf(document: PDFDocument, measure: FontMeasure): FontPen {
  const { context } = document;
  const { font } = measure;
  const ref = context.register(
    context.obj({ Font: { [FONT_RESOURCE]: font.ref, [font.name]: font.ref } }),
  );
  return { measure, font, ref, resources: ref.toString() };
}
