import { describe, expect, it } from 'vitest';
import { UnreadFields } from '../../../renderer/ui/fields/unread.svelte.ts';

describe('a form with fields whose text cannot be read', () => {
  it('is unread as long as one of its fields contains such a text', () => {
    const fields = new UnreadFields();
    let text: string | null = null;
    fields.add('day', () => text);
    expect(fields.isAny).toBe(false);
    text = '31.02.2027';
    expect(fields.isAny).toBe(true);
    fields.remove('day');
    expect(fields.isAny).toBe(false);
  });

  it('reports each text that goes away with its field, and no other', () => {
    const dropped: string[] = [];
    const fields = new UnreadFields((text) => dropped.push(text));
    fields.add('day', () => '31.02.2027');
    fields.add('time', () => null);
    for (const field of ['day', 'time', 'never added']) fields.remove(field);
    expect(dropped).toEqual(['31.02.2027']);
  });
});
