import { isTextField } from '../window/text-undo.ts';

const DIALOG_SELECTOR = ':is([role=dialog], [role=alertdialog])';

/** Limits “select all” to the dialog with the focus: the page below it cannot be used. */
export function selectAllInDialog(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  const isSelectAll = key.toLowerCase() === 'a' && (ctrlKey || metaKey) && !altKey && !shiftKey;
  if (!isSelectAll || event.defaultPrevented || !(target instanceof HTMLElement)) return;
  const dialog = target.closest(DIALOG_SELECTOR);
  if (dialog === null || isTextField(target) || target.isContentEditable) return;
  event.preventDefault();
  document.getSelection()?.selectAllChildren(dialog);
}
