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
} from 'pdf-lib';
import type { PdfField } from '../../../shared/model/pdf-form.ts';
import { withPlainLineEnds } from '../../../shared/rules/forms/field-values.ts';
import { picturesOf } from './choice-states.ts';
import { choose, drawnTexts, optionsNamed, showLabels } from './fill-field.ts';
import { layOutCells, layOutLine, layOutLines, type Layout } from './lay-out.ts';
import { nameOf, valueOf } from './list-fields.ts';
import { movedPicture, NOTHING, type Picture, textPicture, textPictureHead } from './picture.ts';
import type { TextMeasure } from './text-width.ts';
import { frameOf, type TextFrame } from './text-frame.ts';
import { missingLetter } from './wide-font.ts';

/** How one field of a compiled form is drawn; pictures stand in the order of its widgets. */
export interface FieldPlan {
  readonly name: string;
  /** Whether a value is drawn by letters, which may need a font of their own. */
  readonly isText: boolean;
  /** The pictures of a field nobody fills. */
  readonly untouched: readonly Picture[];
  /** A letter in it that no font has, where the form asks to draw it anew: it cannot stay so. */
  readonly missing: string | null;
  /** For a value that fits. Throws 'invalid' with the field named when letters are in no font. */
  pictures(value: string, pen: Pen): readonly Picture[];
}

/** A font, and the resources of a picture that is drawn in it. */
export interface Pen {
  readonly measure: TextMeasure;
  /** As it stands in the picture's dictionary: `12 0 R`. */
  readonly resources: string;
}

/** How fields are drawn before anybody fills them. */
export interface Brush {
  /** A pen for texts known when the form is compiled; null when no font has all their letters. */
  penFor(text: string): Pen | null;
  /** The first letter that no font has. */
  missing(text: string): string | null;
  readonly narrow: Pen;
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
    return planStates(field, brush);
  }
  const untouched =
    field instanceof PDFButton
      ? picturesOf(field, brush.narrow.measure.font, () => {})
      : ownPictures(field);
  const pictures = () => untouched;
  return { name: nameOf(field), isText: false, untouched, missing: null, pictures };
}

/** A signature that is not there yet has no picture as a rule. */
function ownPictures(field: PDFField): readonly Picture[] {
  return field.acroField.getWidgets().map((widget) => {
    const normal = widget.getAppearances()?.normal;
    const isOwn = field instanceof PDFSignature && normal instanceof PDFStream;
    return isOwn ? movedPicture(normal, widget.dict) : NOTHING;
  });
}

function planStates(field: PDFCheckBox | PDFRadioGroup, brush: Brush): FieldPlan {
  const { font } = brush.narrow.measure;
  const change = (value: string) => () => {
    if (field instanceof PDFCheckBox) {
      if (value === 'true') field.check();
      else field.uncheck();
    } else if (value === '') field.clear();
    else field.select(value);
  };
  const pictures = remembered((value) => picturesOf(field, font, change(value)));
  const untouched = picturesOf(field, font, () => {});
  return { name: nameOf(field), isText: false, untouched, missing: null, pictures };
}

/** A list shows all its options, and marks those that are chosen. */
function planList(field: PDFOptionList, described: PdfField | null, brush: Brush): FieldPlan {
  const name = nameOf(field);
  const texts = drawnTexts(field).join('');
  const font = brush.penFor(texts)?.measure.font;
  if (font === undefined) {
    const missing = brush.missing(texts) ?? '';
    const pictures = () => {
      throw missingLetter(missing, name);
    };
    const untouched = streamPictures(field);
    return { name, isText: false, untouched, pictures, missing: brush.isAsked ? missing : null };
  }
  const untouched = picturesOf(field, font, () => showLabels(field), brush.isAsked);
  const pictures = remembered((value) =>
    picturesOf(field, font, () =>
      choose(field, described === null ? [] : optionsNamed(described, value)),
    ),
  );
  return { name, isText: false, untouched, missing: null, pictures };
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

interface TextPlace {
  readonly frame: TextFrame;
  /** The picture up to its length, without the resources that the pen decides. */
  readonly headFor: (resources: string) => string;
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
  const layOut = layouter(field);
  const own = streamPictures(field);
  const { font } = brush.narrow.measure;
  const places = field.acroField.getWidgets().map((widget): TextPlace => {
    const heads = new Map<string, string>();
    return {
      frame: frameOf(field, widget, font),
      headFor(resources) {
        const head = heads.get(resources) ?? textPictureHead(widget, resources);
        heads.set(resources, head);
        return head;
      },
    };
  });
  const draw = (text: string, pen: Pen) => drawPlaces(places, text, pen, layOut);
  const pen = isDrawnAnew ? brush.penFor(value) : null;
  return {
    name,
    isText: true,
    untouched: pen === null ? own : draw(value, pen),
    missing: pen === null && brush.isAsked ? brush.missing(value) : null,
    pictures(text, given) {
      const shown = described?.type === 'choice' ? optionsNamed(described, text).join('') : text;
      return draw(shown, given);
    },
  };
}

function streamPictures(field: PDFField): readonly Picture[] {
  return field.acroField.getWidgets().map((widget) => {
    const normal = widget.getAppearances()?.normal;
    return normal instanceof PDFStream ? movedPicture(normal, widget.dict) : NOTHING;
  });
}

type LayOut = (text: string, frame: TextFrame, size: number, measure: TextMeasure) => Layout;

function layouter(field: PDFTextField | PDFDropdown): LayOut {
  const box = ({ bounds, alignment }: TextFrame, size: number, measure: TextMeasure) => ({
    bounds,
    alignment,
    size,
    measure,
  });
  if (field instanceof PDFTextField && field.isMultiline()) {
    return (text, frame, size, measure) => layOutLines(text, box(frame, size, measure));
  }
  if (field instanceof PDFTextField && field.isCombed()) {
    const cells = field.getMaxLength() ?? 0;
    return (text, frame, size, measure) => layOutCells(text, box(frame, size, measure), cells);
  }
  return (text, frame, size, measure) => layOutLine(text, box(frame, size, measure));
}

/** The size that fits in one place is the field's from then on, unless the place has its own. */
function drawPlaces(
  places: readonly TextPlace[],
  text: string,
  { measure, resources }: Pen,
  layOut: LayOut,
): readonly Picture[] {
  let passedOn: number | undefined;
  return places.map(({ frame, headFor }) => {
    const size = frame.ownSize ?? passedOn ?? frame.fieldSize ?? 0;
    const layout = layOut(text, frame, size, measure);
    if (!frame.keepsSize) passedOn = layout.size;
    return textPicture(headFor(resources), frame.draw(layout, measure));
  });
}
