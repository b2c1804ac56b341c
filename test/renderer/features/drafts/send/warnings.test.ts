import { describe, expect, it } from 'vitest';
import { warningLines } from '../../../../../renderer/features/drafts/send/warnings.ts';
import { sectionTitles } from '../../../../../renderer/features/drafts/words.ts';
import { m } from '../../../../../renderer/ui/language.svelte.ts';
import {
  type DraftContent,
  DraftBodyV1,
  DraftBodyV2,
} from '../../../../../shared/contract/drafts.ts';
import { checkDraft } from '../../../../../shared/rules/drafts/check.ts';

const NOW = Date.UTC(2026, 10, 21);

function linesOf(content: DraftContent): readonly string[] {
  const documents = { files: [], forms: new Map() };
  const { warnings } = checkDraft(content, documents, NOW);
  return warningLines(
    content,
    warnings.map((one) => ({ ...one, level: 'warning' as const })),
  );
}

const clicks = { signingConfigurations: [{ type: 'CLICK' }] };

describe('a warning in the check before a send', () => {
  it('names the party of v1 that is not notified, and otherwise the section', () => {
    const parties = [
      { type: 'PRIVATE', firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.com', ...clicks },
      { type: 'PRIVATE', firstName: 'Bo', lastName: 'Utan', ...clicks },
      { type: 'PRIVATE', ...clicks },
    ];
    const body = DraftBodyV1.parse({ title: 'x', attachments: [], parties });
    const lines = linesOf({ api: 'v1', body });
    expect(lines).toContain(`Bo Utan: ${m.problem_party_not_told()}`);
    const nameless = m.draft_party_nameless({ letter: 'C' });
    expect(lines).toContain(`${nameless}: ${m.problem_party_not_told()}`);
    expect(lines).toContain(`${sectionTitles.dates()}: ${m.problem_no_expiry()}`);
  });

  it('names a company of v2, which follows the persons', () => {
    const parties = {
      privates: [{ firstName: 'Åsa', lastName: 'Öberg', email: 'same@example.com' }],
      companies: [{ firstName: 'Eva', lastName: 'Ek', email: 'same@example.com' }],
    };
    const body = DraftBodyV2.parse({ name: 'x', type: 'ATTACHED', parties });
    const lines = linesOf({ api: 'v2', body });
    expect(lines).toContain(`Eva Ek: ${m.problem_email_shared()}`);
  });
});
