type Key = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'isComposing' | 'getModifierState'
>;

/**
 * What a key writes into a cell that is not being edited: a letter or sign, or '' where an input
 * method or a dead key begins one that follows; null for every other key. Space leaves the row out.
 */
export function firstTyped(event: Key): string | null {
  const { key, ctrlKey, altKey, metaKey, isComposing } = event;
  if (isComposing || key === 'Process' || key === 'Dead') return '';
  if ([...key].length !== 1 || key === ' ') return null;
  // With AltGr a sign is written, as @ is on many keyboards.
  const isCommand = (ctrlKey || altKey || metaKey) && !event.getModifierState('AltGraph');
  return isCommand ? null : key;
}
