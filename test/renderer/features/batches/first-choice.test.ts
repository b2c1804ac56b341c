import { describe, expect, it } from 'vitest';
import { firstChoice } from '../../../../renderer/features/batches/first-choice.ts';
import { ConnectionId, TemplateId } from '../../../../shared/model/ids.ts';

const uuid = (digit: number): string => `0b5f6f0e-5b0d-4c51-9a51-6c1f5c1f7a0${String(digit)}`;
const template = (digit: number, api: 'v1' | 'v2', trashedAt: number | null = null) => ({
  id: TemplateId.parse(uuid(digit)),
  api,
  trashedAt,
});
const connection = (digit: number, api: 'v1' | 'v2') => ({
  id: ConnectionId.parse(uuid(digit)),
  api,
});

const lease = template(1, 'v1');
const permit = template(2, 'v2');
const office = connection(3, 'v1');
const legacy = connection(4, 'v2');

describe('a new batch', () => {
  it('starts with the only template, and with the only connection that can use it', () => {
    const started = { templateId: lease.id, connectionId: office.id };
    expect(firstChoice([lease], [office], null)).toEqual(started);
    expect(firstChoice([lease], [legacy, office], null)).toEqual(started);
    expect(firstChoice([template(5, 'v1', 1), lease], [office], null)).toEqual(started);
  });

  it('leaves the connection to the user if several can use the template', () => {
    const started = { templateId: lease.id, connectionId: null };
    expect(firstChoice([lease], [office, connection(6, 'v1')], null)).toEqual(started);
    expect(firstChoice([lease], [legacy], null)).toEqual(started);
  });

  it('leaves the template to the user if there are several or none', () => {
    const started = { templateId: null, connectionId: null };
    expect(firstChoice([], [office], null)).toEqual(started);
    expect(firstChoice([lease, template(5, 'v1')], [office], null)).toEqual(started);
    expect(firstChoice([lease, permit], [office, legacy], null)).toEqual(started);
  });

  it('keeps the selected connection, and takes the only template that it can use', () => {
    expect(firstChoice([lease, permit], [office, legacy], legacy)).toEqual({
      templateId: permit.id,
      connectionId: legacy.id,
    });
    expect(firstChoice([lease], [office, legacy], legacy)).toEqual({
      templateId: null,
      connectionId: legacy.id,
    });
  });
});
