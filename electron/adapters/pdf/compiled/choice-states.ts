import {
  PDFCheckBox,
  PDFDict,
  PDFName,
  type PDFObject,
  PDFButton,
  PDFOptionList,
  PDFRadioGroup,
  PDFStream,
  type PDFWidgetAnnotation,
} from 'pdf-lib';
import { movedPicture, NOTHING, type Picture } from './picture.ts';

/** Fields whose pictures are few, and the form's own where it has any. */
export type StatedField = PDFCheckBox | PDFRadioGroup | PDFOptionList | PDFButton;

const N = PDFName.of('N');
const KEPT = ['AP', 'AS', 'DA', 'V', 'I'].map((key) => PDFName.of(key));

/**
 * The pictures of a field's places once `change` was made, in the order of its widgets. The field
 * is left as it was. What the form has no picture of is drawn, or everything where `isAsked`.
 */
export function picturesOf(
  field: StatedField,
  draw: () => void,
  change: () => void,
  isAsked = false,
): Picture[] {
  const widgets = field.acroField.getWidgets();
  const restore = remember([field.acroField.dict, ...widgets.map(({ dict }) => dict)]);
  for (const { dict } of widgets) detach(dict);
  change();
  if (isAsked || isIncomplete(field)) draw();
  const pictures = widgets.map((widget) => pictureNow(widget));
  restore();
  return pictures;
}

/** Whether pictures are missing. A button has its own in whatever shape it has them. */
function isIncomplete(field: StatedField): boolean {
  if (!(field instanceof PDFButton)) return field.needsAppearancesUpdate();
  return field.acroField.getWidgets().every((widget) => widget.getAppearances() === undefined);
}

/** Drawing changes the dictionary of pictures in place. */
function detach(widget: PDFDict): void {
  const pictures = widget.lookup(PDFName.of('AP'));
  if (pictures instanceof PDFDict) widget.set(PDFName.of('AP'), pictures.clone(widget.context));
}

function remember(dictionaries: readonly PDFDict[]): () => void {
  const before = dictionaries.map((dict) => KEPT.map((key) => [key, dict.get(key)] as const));
  return () => {
    for (const [at, dict] of dictionaries.entries()) {
      for (const [key, value] of before[at] ?? []) {
        if (value === undefined) dict.delete(key);
        else dict.set(key, value);
      }
    }
  };
}

function pictureNow(widget: PDFWidgetAnnotation): Picture {
  const normal: PDFObject | undefined = widget.AP()?.lookup(N);
  if (normal instanceof PDFStream) return movedPicture(normal, widget.dict);
  if (!(normal instanceof PDFDict)) return NOTHING;
  // Viewers show the state that a place is in, whatever the field's value says (PDF 1.7, 12.5.5).
  const value = widget.getAppearanceState() ?? PDFName.of('Off');
  const shown = normal.lookup(value) ?? normal.lookup(PDFName.of('Off'));
  return shown instanceof PDFStream ? movedPicture(shown, widget.dict) : NOTHING;
}
