/** Selector of editors whose typed text would be lost if another screen were shown. */
const OPEN_EDITOR_SELECTOR =
  '#overlays :is([role=dialog], [role=alertdialog]), main form:not([role=search], [data-applies-at-once])';

/** Whether another screen can be shown without losing typed text. */
export const isFree = (): boolean => document.querySelector(OPEN_EDITOR_SELECTOR) === null;

/** Calls `hear` on every change of the page, until the returned function is called. */
export function watchPageChanges(hear: () => void): () => void {
  const observer = new MutationObserver(hear);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
