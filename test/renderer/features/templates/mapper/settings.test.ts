import { describe, expect, it } from 'vitest';
import { checkTemplateDefaults } from '../../../../../renderer/features/templates/mapper/settings.ts';
import { startTemplate } from '../../../../../shared/rules/templates/start.ts';

const NOW = Date.UTC(2026, 10, 22);

function found(api: 'v1' | 'v2', rest: object): readonly string[] {
  const start = startTemplate(api, 'Lease', null);
  const content = { ...start, body: { ...start.body, rest } } as typeof start;
  const { errors, warnings } = checkTemplateDefaults(content, NOW);
  return [...errors, ...warnings].map(({ field, code }) => `${field}: ${code}`);
}

describe('the default settings of a template’s drafts', () => {
  it.each(['v1', 'v2'] as const)('are complete while none is set, in %s', (api) => {
    expect(found(api, {})).toEqual([]);
  });

  it('are checked like a draft, and only for the given settings (T1-57, T1-48)', () => {
    const right = { type: 'GRANT_BY_NAME', actorType: 'group', actorName: '', action: 'read' };
    expect(found('v1', { accessRights: [right], tags: { 'a#b': 'c' } })).toEqual([
      'accessRights.0.actorName: required',
      'tags.a#b: format',
    ]);
    expect(found('v2', { webhook: { events: [], url: 'ftp://example.com' } })).toEqual([
      'webhook.events: required',
      'webhook.url: format',
    ]);
  });

  it('may include a signature text once a field is filled by a drawn signature (T2-32)', () => {
    const start = startTemplate('v2', 'Lease', null);
    const rest = { signatureMessage: 'Rita här' };
    const source = { from: 'signature', role: 'a' } as const;
    const content = { ...start, body: { ...start.body, rest } } as typeof start;
    expect(checkTemplateDefaults(content, NOW).errors).toHaveLength(1);
    const drawn = { ...content, mapping: [{ field: 'sign', source }] };
    expect(checkTemplateDefaults(drawn, NOW).errors).toEqual([]);
  });
});
