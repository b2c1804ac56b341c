/** What would be gone with what is typed in it, if another screen were shown. */
const TYPED_IN =
  '#overlays :is([role=dialog], [role=alertdialog]), main form:not([role=search], [data-applies-at-once])';

/** Whether another screen can be shown without taking anything away from the person. */
export const isFree = (): boolean => document.querySelector(TYPED_IN) === null;

/** Resolves once `holds` after something on the page changed. */
export function whenChanged(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!holds()) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
}
