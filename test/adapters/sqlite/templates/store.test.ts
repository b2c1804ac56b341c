import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrivacyStore } from '../../../../electron/adapters/sqlite/privacy/store.ts';
import { createTemplateStore } from '../../../../electron/adapters/sqlite/templates/store.ts';
import type { TemplateStore } from '../../../../electron/core/templates/ports.ts';
import { TemplateId } from '../../../../shared/model/ids.ts';
import type { Template } from '../../../../shared/contract/templates.ts';
import { startTemplate } from '../../../../shared/rules/templates/start.ts';
import { tempDatabase, type TempDatabase } from '../temp-database.ts';

let temp: TempDatabase;
let store: TemplateStore;

beforeEach(() => {
  temp = tempDatabase();
  store = createTemplateStore(temp.database);
});
afterEach(() => temp[Symbol.dispose]());

const id = (number: number) =>
  TemplateId.parse(`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`);
const template = (number: number, name = 'Lease'): Template => ({
  id: id(number),
  name,
  nextNumber: 1,
  used: 0,
  revision: 1,
  source: { kind: 'service', templateId: '871', fields: [], learntFrom: null },
  content: startTemplate('v2', name, null),
  createdAt: 1,
  updatedAt: 1,
  trashedAt: null,
});
const PDF = new Uint8Array([37, 80, 68, 70]);

describe('templates in the data file', () => {
  it('are read back unchanged, by name, with the PDF', () => {
    store.insert(template(1, 'b'), PDF);
    store.insert(template(2, 'A'), null);
    expect(store.list().map(({ name }) => name)).toEqual(['A', 'b']);
    expect(store.get(id(1))).toEqual(template(1, 'b'));
    expect(new Uint8Array(store.pdf(id(1)))).toEqual(PDF);
    expect(() => store.pdf(id(2))).toThrow('no template');
  });

  it('are not changed by a save that was based on an older revision, nor is their PDF', () => {
    store.insert(template(1), PDF);
    expect(store.save({ ...template(1), name: 'New' }, null).revision).toBe(2);
    expect(() => store.save({ ...template(1), name: 'Late' }, new Uint8Array([1]))).toThrow(
      'changed',
    );
    expect(store.get(id(1)).name).toBe('New');
    expect(new Uint8Array(store.pdf(id(1)))).toEqual(PDF);
  });

  it('return each running number once, and a save does not reset it', () => {
    store.insert(template(1), null);
    expect([store.takeNumber(id(1)), store.takeNumber(id(1))]).toEqual([1, 2]);
    store.save({ ...template(1), nextNumber: 1 }, null);
    expect(store.takeNumber(id(1))).toBe(3);
  });

  it('count uses of existing templates only', () => {
    store.insert(template(1), null);
    store.countUse(id(1));
    expect(store.get(id(1)).used).toBe(1);
    expect(() => store.countUse(id(2))).toThrow('no template');
  });

  it('are removed from the trash after their time, with the PDF', () => {
    store.insert(template(1), PDF);
    store.insert(template(2), PDF);
    store.setTrashed(id(1), 100);
    expect(createPrivacyStore(temp.database).drop('trash', 100, 9).templates).toEqual([]);
    expect(createPrivacyStore(temp.database).drop('trash', 101, 9).templates).toEqual([id(1)]);
    expect(store.list().map((one) => one.id)).toEqual([id(2)]);
    expect(() => store.pdf(id(1))).toThrow();
  });
});
