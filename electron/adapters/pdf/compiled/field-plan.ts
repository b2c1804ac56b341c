import {
  PDFButton,
  PDFDropdown,
  type PDFField,
  PDFOptionList,
  PDFSignature,
  PDFStream,
  PDFTextField,
  type PDFWidgetAnnotation,
} from 'pdf-lib';
import type { PdfField } from '../../../../shared/model/pdf-form.ts';
import { withPlainLineEnds } from '../../../../shared/rules/forms/field-values.ts';
import { picturesOf } from './choice-states.ts';
import {
  drawMissingStates,
  isStateField,
  setState,
  updateShownState,
  type StateField,
} from '../box-states.ts';
import { drawingOf } from '../text/draw-text.ts';
import { type Face, faceOf } from '../text/faces.ts';
import { chooseOptions, drawnTexts, showOptionLabels } from '../fill-field.ts';
import { choicesIn, shownValueIn } from '../sibling-fields.ts';
import { drawList } from '../text/list-picture.ts';
import { nameOf, valueOf } from '../list-fields.ts';
import {
  positionedPicture,
  EMPTY_PICTURE,
  type Picture,
  textPicture,
  textPictureHead,
} from './picture.ts';
import { missingLetter } from '../text/missing-letter.ts';
import type { FittingPart } from '../text/text-fit.ts';
import type { FontPen, Pen } from '../text/font-fallback.ts';

/** How to draw one field of a compiled form; appearances are in the order of its widgets. */
export interface FieldPlan {
  readonly name: string;
  /** Whether values are drawn as text, which may need a separate font. */
  readonly isText: boolean;
  /** Font for the text, if it has the characters. */
  readonly face: Face;
  /** Appearances of the field if it is not filled. */
  readonly untouched: readonly Picture[];
  /**
   * Character that no font has, if the form requires the field to be redrawn: a file with the field
   * unfilled is then refused. Otherwise null.
   */
  readonly missing: string | null;
  /** Returns the text that the field shows for a value it accepts. */
  shown(value: string): string;
  /** Returns how the text from `shown` fits the widgets; empty if the field shows no text. */
  fits(value: string, pen: Pen): readonly FittingPart[];
  /**
   * Draws the text from `shown`; `report` receives how a text fits. Throws 'invalid' with the
   * field's name if no font has the characters.
   */
  pictures(
    value: string,
    pen: Pen,
    report?: (fits: readonly FittingPart[]) => void,
  ): readonly Picture[];
}

/** How fields are drawn before they are filled. */
export interface FieldPainter {
  /**
   * Returns a pen for texts known when the form is compiled; null if no font has all their
   * characters.
   */
  penFor(text: string, face: Face): Pen | null;
  /** Returns the first character that no font has. */
  missing(text: string, face: Face): string | null;
  readonly narrow: FontPen;
  /** Whether the form requires every appearance to be drawn from the value (PDF 1.7, 12.7.2). */
  readonly isAsked: boolean;
}

/**
 * Plans how to draw a field. `described` is null for a field without a name, which cannot be
 * filled.
 */
export function planField(
  field: PDFField,
  described: PdfField | null,
  brush: FieldPainter,
): FieldPlan {
  const shown = (value: string) =>
    described === null ? value : shownValueIn(field, described, value);
  return Object.assign({ fits: () => [] }, planDrawing(field, described, brush), { shown });
}

type DrawingPlan = Omit<FieldPlan, 'shown' | 'fits'> & { readonly fits?: FieldPlan['fits'] };

function planDrawing(
  field: PDFField,
  described: PdfField | null,
  brush: FieldPainter,
): DrawingPlan {
  if (field instanceof PDFTextField || field instanceof PDFDropdown) {
    return planText(field, brush);
  }
  if (field instanceof PDFOptionList) return planList(field, described, brush);
  if (isStateField(field)) return planStates(field, brush);
  const { font } = brush.narrow;
  const untouched =
    field instanceof PDFButton
      ? picturesOf(
          field,
          () => field.defaultUpdateAppearances(font),
          () => {},
        )
      : existingPicturesOf(field);
  const pictures = () => untouched;
  return { name: nameOf(field), isText: false, face: 'sans', untouched, missing: null, pictures };
}

/** Returns the existing appearances of a field; an unsigned signature field usually has none. */
function existingPicturesOf(field: PDFField): readonly Picture[] {
  return field.acroField.getWidgets().map((widget) => {
    const normal = widget.getAppearances()?.normal;
    const isOwn = field instanceof PDFSignature && normal instanceof PDFStream;
    return isOwn ? positionedPicture(normal, widget.dict) : EMPTY_PICTURE;
  });
}

function planStates(field: StateField, { isAsked }: FieldPainter): DrawingPlan {
  const draw = () => drawMissingStates(field);
  const pictures = withPictureCache((value) =>
    picturesOf(field, draw, () => setState(field, value === '' ? null : value), true),
  );
  const untouched = picturesOf(field, draw, () => updateShownState(field, isAsked), true);
  return { name: nameOf(field), isText: false, face: 'sans', untouched, missing: null, pictures };
}

/** Plans how to draw a list, which shows all its options, and marks the chosen ones. */
function planList(
  field: PDFOptionList,
  described: PdfField | null,
  brush: FieldPainter,
): DrawingPlan {
  const name = nameOf(field);
  const texts = drawnTexts(field).join('\n');
  const pen = brush.penFor(texts, 'sans');
  if (pen === null) {
    const missing = brush.missing(texts, 'sans') ?? '';
    const pictures = () => {
      throw missingLetter(missing, name);
    };
    const untouched = streamPicturesOf(field);
    return {
      name,
      isText: false,
      face: 'sans',
      untouched,
      pictures,
      missing: brush.isAsked ? missing : null,
    };
  }
  const draw = () => drawList(field, pen, brush.narrow.font);
  const untouched = picturesOf(field, draw, () => showOptionLabels(field), brush.isAsked);
  const pictures = withPictureCache((value) =>
    picturesOf(field, draw, () => chooseOptions(field, choicesIn(described, value))),
  );
  return { name, isText: false, face: 'sans', untouched, missing: null, pictures };
}

/** Caches the drawing of each value, for fields with few values. */
function withPictureCache(
  draw: (value: string) => readonly Picture[],
): (value: string) => readonly Picture[] {
  const known = new Map<string, readonly Picture[]>();
  return (value) => {
    const drawn = known.get(value) ?? draw(value);
    known.set(value, drawn);
    return drawn;
  };
}

function planText(field: PDFTextField | PDFDropdown, brush: FieldPainter): DrawingPlan {
  const name = nameOf(field);
  const held = withPlainLineEnds(valueOf(field));
  const most = field instanceof PDFTextField ? field.getMaxLength() : undefined;
  const value = held.slice(0, most);
  const isDrawnAnew = brush.isAsked || field.needsAppearancesUpdate();
  const own = streamPicturesOf(field);
  const drawing = drawingOf(field, brush.narrow.font);
  const heads = field.acroField.getWidgets().map(pictureHeadCache);
  const draw: FieldPlan['pictures'] = (text, { measure, resources }, report) => {
    const drawn = drawing.draw(text, measure);
    report?.(drawn.fits());
    return drawn.pictures.map((operators, at) =>
      textPicture(heads[at]?.(resources) ?? '', operators),
    );
  };
  const face = faceOf(field);
  const pen = isDrawnAnew ? brush.penFor(value, face) : null;
  return {
    name,
    isText: true,
    face,
    untouched: pen === null ? own : draw(value, pen),
    missing: pen === null && brush.isAsked ? brush.missing(value, face) : null,
    fits: (text, { measure }) => drawing.fits(text, measure),
    pictures: draw,
  };
}

/**
 * Returns the start of a widget's appearance, up to the value of `/Length`, for the resources of a
 * pen.
 */
function pictureHeadCache(widget: PDFWidgetAnnotation): (resources: string) => string {
  const heads = new Map<string, string>();
  return (resources) => {
    const head = heads.get(resources) ?? textPictureHead(widget, resources);
    heads.set(resources, head);
    return head;
  };
}

function streamPicturesOf(field: PDFField): readonly Picture[] {
  return field.acroField.getWidgets().map((widget) => {
    const normal = widget.getAppearances()?.normal;
    return normal instanceof PDFStream ? positionedPicture(normal, widget.dict) : EMPTY_PICTURE;
  });
}
