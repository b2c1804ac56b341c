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
import { picturesOf, type StatedField } from './choice-states.ts';
import { drawnTexts, refusal } from './fill-field.ts';
import { layOutCells, layOutLine, layOutLines, type Layout } from './lay-out.ts';
import { optionsOf, valueOf } from './list-fields.ts';
import { movedPicture, NOTHING, type Picture, textPicture, textPictureHead } from './picture.ts';
import type { Ruler } from './ruler.ts';
import { frameOf, type TextFrame } from './text-frame.ts';

/** How one field of a compiled form is drawn; pictures stand in the order of its widgets. */
export interface FieldPlan {
  readonly name: string;
  /** Whether a value is drawn by letters, which may need a font of their own. */
  readonly isText: boolean;
  /** The pictures of a field nobody fills. */
  readonly untouched: readonly Picture[];
  /** Throws 'invalid' with the field named when it does not take the value. */
  pictures(value: string, pen: Pen): readonly Picture[];
}

/** A font, and the resources of a picture that is drawn in it. */
export interface Pen {
  readonly ruler: Ruler;
  /** As it stands in the picture's dictionary: `12 0 R`. */
  readonly resources: string;
}

/** A pen for texts known when the form is compiled: what the form holds already. */
export type PenFor = (text: string) => Pen;

export function planField(field: PDFField, penFor: PenFor): FieldPlan {
  if (field instanceof PDFTextField || field instanceof PDFDropdown) return planText(field, penFor);
  if (
    field instanceof PDFCheckBox ||
    field instanceof PDFRadioGroup ||
    field instanceof PDFOptionList
  ) {
    return planStates(field, penFor);
  }
  const untouched =
    field instanceof PDFButton
      ? picturesOf(field, penFor('').ruler.font, () => {})
      : ownPictures(field);
  const takesNone = () => {
    throw refusal(field.getName(), 'pdf-no-such-field', 'The field takes no value');
  };
  return { name: field.getName(), isText: false, untouched, pictures: takesNone };
}

/** A signature that is not there yet has no picture as a rule. */
function ownPictures(field: PDFField): readonly Picture[] {
  return field.acroField.getWidgets().map((widget) => {
    const normal = widget.getAppearances()?.normal;
    const isOwn = field instanceof PDFSignature && normal instanceof PDFStream;
    return isOwn ? movedPicture(normal, widget.dict) : NOTHING;
  });
}

function planStates(field: Exclude<StatedField, PDFButton>, penFor: PenFor): FieldPlan {
  const { font } = penFor(drawnTexts(field).join('')).ruler;
  const options = optionsOf(field) ?? [];
  const known = new Map<string, readonly Picture[]>();
  const untouched = picturesOf(field, font, () => {});
  return {
    name: field.getName(),
    isText: false,
    untouched,
    pictures(value) {
      const drawn = known.get(value) ?? picturesOf(field, font, changeTo(field, value, options));
      known.set(value, drawn);
      return drawn;
    },
  };
}

function changeTo(
  field: Exclude<StatedField, PDFButton>,
  value: string,
  options: readonly string[],
): () => void {
  const noSuchOption = () =>
    refusal(field.getName(), 'pdf-no-such-option', 'The field does not offer this');
  if (field instanceof PDFCheckBox) {
    if (value === 'true' || options.includes(value)) return () => field.check();
    if (value === 'false' || value === '') return () => field.uncheck();
    throw noSuchOption();
  }
  if (value === '') return () => field.clear();
  if (!options.includes(value)) throw noSuchOption();
  return () => field.select(value);
}

interface TextPlace {
  readonly frame: TextFrame;
  /** The picture up to its length, without the resources that the pen decides. */
  readonly headFor: (resources: string) => string;
}

function planText(field: PDFTextField | PDFDropdown, penFor: PenFor): FieldPlan {
  const name = field.getName();
  const value = valueOf(field);
  const isDrawnAnew = field.needsAppearancesUpdate();
  const mostLetters = field instanceof PDFTextField ? field.getMaxLength() : undefined;
  const options = field instanceof PDFDropdown && !field.isEditable() ? field.getOptions() : null;
  const layOut = layouter(field);
  const own = isDrawnAnew ? [] : streamPictures(field);
  const { font } = penFor('').ruler;
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
  return {
    name,
    isText: true,
    untouched: isDrawnAnew ? draw(value.slice(0, mostLetters), penFor(value)) : own,
    pictures(text, pen) {
      if (mostLetters !== undefined && text.length > mostLetters) {
        throw refusal(name, 'pdf-value-too-long', `At most ${mostLetters} characters fit`);
      }
      if (options !== null && text !== '' && !options.includes(text)) {
        throw refusal(name, 'pdf-no-such-option', 'The field does not offer this');
      }
      return draw(text, pen);
    },
  };
}

function streamPictures(field: PDFField): readonly Picture[] {
  return field.acroField.getWidgets().map((widget) => {
    const normal = widget.getAppearances()?.normal;
    return normal instanceof PDFStream ? movedPicture(normal, widget.dict) : NOTHING;
  });
}

type LayOut = (text: string, frame: TextFrame, size: number, ruler: Ruler) => Layout;

function layouter(field: PDFTextField | PDFDropdown): LayOut {
  const box = ({ bounds, alignment }: TextFrame, size: number, ruler: Ruler) => ({
    ...{ bounds, alignment },
    ...{ size, ruler },
  });
  if (field instanceof PDFTextField && field.isMultiline()) {
    return (text, frame, size, ruler) => layOutLines(text, box(frame, size, ruler));
  }
  if (field instanceof PDFTextField && field.isCombed()) {
    const cells = field.getMaxLength() ?? 0;
    return (text, frame, size, ruler) => layOutCells(text, box(frame, size, ruler), cells);
  }
  return (text, frame, size, ruler) => layOutLine(text, box(frame, size, ruler));
}

/** The size that fits in one place is the field's from then on, unless the place has its own. */
function drawPlaces(
  places: readonly TextPlace[],
  text: string,
  { ruler, resources }: Pen,
  layOut: LayOut,
): readonly Picture[] {
  let passedOn: number | undefined;
  return places.map(({ frame, headFor }) => {
    const size = frame.ownSize ?? passedOn ?? frame.fieldSize ?? 0;
    const layout = layOut(text, frame, size, ruler);
    if (!frame.keepsSize) passedOn = layout.size;
    return textPicture(headFor(resources), frame.draw(layout, ruler));
  });
}
