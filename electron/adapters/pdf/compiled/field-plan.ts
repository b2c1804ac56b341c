import {
  PDFButton,
  PDFCheckBox,
  PDFDropdown,
  type PDFField,
  PDFOptionList,
  PDFRadioGroup,
  PDFSignature,
  PDFStream,
  PDFTextField,
  type PDFWidgetAnnotation,
} from 'pdf-lib';
import type { PdfField } from '../../../../shared/model/pdf-form.ts';
import type { FontFace } from '../../../../shared/model/placed-field.ts';
import { withPlainLineEnds } from '../../../../shared/rules/forms/field-values.ts';
import { picturesOf } from './choice-states.ts';
import { drawingOf } from '../text/draw-text.ts';
import { faceOf } from '../text/faces.ts';
import { choose, drawnTexts, optionsNamed, showLabels } from '../fill-field.ts';
import { drawList } from '../text/list-picture.ts';
import { nameOf, valueOf } from '../list-fields.ts';
import { movedPicture, NOTHING, type Picture, textPicture, textPictureHead } from './picture.ts';
import { missingLetter } from '../text/missing-letter.ts';
import type { FontPen, Pen } from '../text/pens.ts';

/** How one field of a compiled form is drawn; pictures stand in the order of its widgets. */
export interface FieldPlan {
  readonly name: string;
  /** Whether a value is drawn by letters, which may need a font of their own. */
  readonly isText: boolean;
  /** The font such letters are written in, where it has them. */
  readonly face: FontFace;
  /** The pictures of a field nobody fills. */
  readonly untouched: readonly Picture[];
  /** A letter in it that no font has, where the form asks to draw it anew: it cannot stay so. */
  readonly missing: string | null;
  /** For a value that fits. Throws 'invalid' with the field named when letters are in no font. */
  pictures(value: string, pen: Pen): readonly Picture[];
}

/** How fields are drawn before anybody fills them. */
export interface Brush {
  /** A pen for texts known when the form is compiled; null when no font has all their letters. */
  penFor(text: string, face: FontFace): Pen | null;
  /** The first letter that no font has. */
  missing(text: string): string | null;
  readonly narrow: FontPen;
  /** The form asks for every picture to be drawn from the value (PDF 1.7, 12.7.2). */
  readonly isAsked: boolean;
}

/** `described` is null for a field without a name, which nobody fills. */
export function planField(field: PDFField, described: PdfField | null, brush: Brush): FieldPlan {
  if (field instanceof PDFTextField || field instanceof PDFDropdown) {
    return planText(field, described, brush);
  }
  if (field instanceof PDFOptionList) return planList(field, described, brush);
  if (field instanceof PDFCheckBox || field instanceof PDFRadioGroup) {
    return planStates(field);
  }
  const { font } = brush.narrow;
  const untouched =
    field instanceof PDFButton
      ? picturesOf(
          field,
          () => field.defaultUpdateAppearances(font),
          () => {},
        )
      : ownPictures(field);
  const pictures = () => untouched;
  return { name: nameOf(field), isText: false, face: 'sans', untouched, missing: null, pictures };
}

/** A signature that is not there yet has no picture as a rule. */
function ownPictures(field: PDFField): readonly Picture[] {
  return field.acroField.getWidgets().map((widget) => {
    const normal = widget.getAppearances()?.normal;
    const isOwn = field instanceof PDFSignature && normal instanceof PDFStream;
    return isOwn ? movedPicture(normal, widget.dict) : NOTHING;
  });
}

function planStates(field: PDFCheckBox | PDFRadioGroup): FieldPlan {
  const change = (value: string) => () => {
    if (field instanceof PDFCheckBox) {
      if (value === 'true') field.check();
      else field.uncheck();
    } else if (value === '') field.clear();
    else field.select(value);
  };
  const draw = () => field.defaultUpdateAppearances();
  const pictures = remembered((value) => picturesOf(field, draw, change(value)));
  const untouched = picturesOf(field, draw, () => {});
  return { name: nameOf(field), isText: false, face: 'sans', untouched, missing: null, pictures };
}

/** A list shows all its options, and marks those that are chosen. */
function planList(field: PDFOptionList, described: PdfField | null, brush: Brush): FieldPlan {
  const name = nameOf(field);
  const texts = drawnTexts(field).join('\n');
  const pen = brush.penFor(texts, 'sans');
  if (pen === null) {
    const missing = brush.missing(texts) ?? '';
    const pictures = () => {
      throw missingLetter(missing, name);
    };
    const untouched = streamPictures(field);
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
  const untouched = picturesOf(field, draw, () => showLabels(field), brush.isAsked);
  const pictures = remembered((value) =>
    picturesOf(field, draw, () =>
      choose(field, described === null ? [] : optionsNamed(described, value)),
    ),
  );
  return { name, isText: false, face: 'sans', untouched, missing: null, pictures };
}

/** Their values are few, and each is drawn once. */
function remembered(
  draw: (value: string) => readonly Picture[],
): (value: string) => readonly Picture[] {
  const known = new Map<string, readonly Picture[]>();
  return (value) => {
    const drawn = known.get(value) ?? draw(value);
    known.set(value, drawn);
    return drawn;
  };
}

function planText(
  field: PDFTextField | PDFDropdown,
  described: PdfField | null,
  brush: Brush,
): FieldPlan {
  const name = nameOf(field);
  const held = withPlainLineEnds(valueOf(field));
  const most = field instanceof PDFTextField ? field.getMaxLength() : undefined;
  const value = held.slice(0, most);
  const isDrawnAnew = brush.isAsked || field.needsAppearancesUpdate();
  const own = streamPictures(field);
  const drawing = drawingOf(field, brush.narrow.font);
  const heads = field.acroField.getWidgets().map(headsOf);
  const draw = (text: string, { measure, resources }: Pen) =>
    drawing(text, measure).map((operators, at) =>
      textPicture(heads[at]?.(resources) ?? '', operators),
    );
  const face = faceOf(field);
  const pen = isDrawnAnew ? brush.penFor(value, face) : null;
  return {
    name,
    isText: true,
    face,
    untouched: pen === null ? own : draw(value, pen),
    missing: pen === null && brush.isAsked ? brush.missing(value) : null,
    pictures(text, given) {
      const shown = described?.type === 'choice' ? optionsNamed(described, text).join('') : text;
      return draw(shown, given);
    },
  };
}

/** Everything of a widget's picture up to its length, for the resources of a pen. */
function headsOf(widget: PDFWidgetAnnotation): (resources: string) => string {
  const heads = new Map<string, string>();
  return (resources) => {
    const head = heads.get(resources) ?? textPictureHead(widget, resources);
    heads.set(resources, head);
    return head;
  };
}

function streamPictures(field: PDFField): readonly Picture[] {
  return field.acroField.getWidgets().map((widget) => {
    const normal = widget.getAppearances()?.normal;
    return normal instanceof PDFStream ? movedPicture(normal, widget.dict) : NOTHING;
  });
}
