/** What would be gone with what is typed in it, if another screen were shown. */
const TYPED_IN =
  '#overlays :is([role=dialog], [role=alertdialog]), main form:not([role=search], [data-applies-at-once])';

/** Whether another screen can be shown without taking anything away from the person. */
export const isFree = (): boolean => document.querySelector(TYPED_IN) === null;

/** Tells of every change of what the page shows, until the returned function is called. */
export function watchPage(hear: () => void): () => void {
  const observer = new MutationObserver(hear);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
