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
import { positionedPicture, EMPTY_PICTURE, type Picture } from './picture.ts';

/** Fields with few appearances. An appearance that the form itself has is kept. */
export type FieldWithStates = PDFCheckBox | PDFRadioGroup | PDFOptionList | PDFButton;

const NORMAL_APPEARANCE_KEY = PDFName.of('N');
const RESTORED_KEYS = ['AP', 'AS', 'DA', 'V', 'I'].map((key) => PDFName.of(key));

/**
 * Returns the appearances of a field after `change`, in the order of its widgets. The field is
 * restored afterwards. Missing appearances are drawn, or all of them if `isAsked`.
 */
export function picturesOf(
  field: FieldWithStates,
  draw: () => void,
  change: () => void,
  isAsked = false,
): Picture[] {
  const widgets = field.acroField.getWidgets();
  const restore = rememberEntries([field.acroField.dict, ...widgets.map(({ dict }) => dict)]);
  for (const { dict } of widgets) detachPictures(dict);
  change();
  if (isAsked || isIncomplete(field)) draw();
  const pictures = widgets.map((widget) => currentPictureOf(widget));
  restore();
  return pictures;
}

/** Whether a field lacks appearances. A button lacks them only if none of its widgets has one. */
function isIncomplete(field: FieldWithStates): boolean {
  if (!(field instanceof PDFButton)) return field.needsAppearancesUpdate();
  return field.acroField.getWidgets().every((widget) => widget.getAppearances() === undefined);
}

/** Gives the widget its own appearance dictionary, because drawing changes it in place. */
function detachPictures(widget: PDFDict): void {
  const pictures = widget.lookup(PDFName.of('AP'));
  if (pictures instanceof PDFDict) widget.set(PDFName.of('AP'), pictures.clone(widget.context));
}

function rememberEntries(dictionaries: readonly PDFDict[]): () => void {
  const before = dictionaries.map((dict) =>
    RESTORED_KEYS.map((key) => [key, dict.get(key)] as const),
  );
  return () => {
    for (const [at, dict] of dictionaries.entries()) {
      for (const [key, value] of before[at] ?? []) {
        if (value === undefined) dict.delete(key);
        else dict.set(key, value);
      }
    }
  };
}

function currentPictureOf(widget: PDFWidgetAnnotation): Picture {
  const normal: PDFObject | undefined = widget.AP()?.lookup(NORMAL_APPEARANCE_KEY);
  if (normal instanceof PDFStream) return positionedPicture(normal, widget.dict);
  if (!(normal instanceof PDFDict)) return EMPTY_PICTURE;
  // Viewers show the widget's state regardless of the field's value (PDF 1.7, 12.5.5).
  const value = widget.getAppearanceState() ?? PDFName.of('Off');
  const shown = normal.lookup(value) ?? normal.lookup(PDFName.of('Off'));
  return shown instanceof PDFStream ? positionedPicture(shown, widget.dict) : EMPTY_PICTURE;
}
