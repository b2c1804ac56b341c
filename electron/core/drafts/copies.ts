import type { Draft, DraftContent } from '../../../shared/contract/drafts.ts';
import type { DraftCopy } from '../../../shared/contract/draft-history.ts';
import type { ApiName } from '../../../shared/model/ids.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import { toBodyV1 } from '../../../shared/rules/drafts/convert/to-v1.ts';
import { toBodyV2 } from '../../../shared/rules/drafts/convert/to-v2.ts';
import { type AddPorts, addDraft } from './add.ts';
import { type AgreementCopyPorts, copyAgreement } from './from-agreement.ts';
import type { JobQueue } from '../job-queue.ts';

type CopyPorts = AddPorts & AgreementCopyPorts & { readonly jobs: JobQueue };

export function createDraftCopyHandlers(
  ports: CopyPorts,
): Pick<Handlers, 'drafts.duplicate' | 'drafts.convert' | 'drafts.fromAgreement'> {
  const { drafts } = ports.stores;
  const copyOf = (draft: Draft, content: DraftContent, keepsConnection: boolean): Draft =>
    addDraft(ports, content, keepsConnection ? draft.connectionId : null, (id) => {
      drafts.copyFiles(draft.id, id);
    });

  return {
    'drafts.duplicate': async ({ id }) => {
      const draft = drafts.get(id);
      return copyOf(draft, draft.content, true);
    },
    'drafts.convert': async ({ id, to }) => {
      const draft = drafts.get(id);
      const { content, losses } = convertDraftContent(draft, to, ports.clock.now());
      return { draft: copyOf(draft, content, to === draft.content.api), losses: [...losses] };
    },
    'drafts.fromAgreement': async ({ key }) => ({
      jobId: ports.jobs.start('copy-agreement', async (signal, report) => {
        const { draft, losses } = await copyAgreement(ports, key, { signal, report });
        return { result: { draft: draft.id, losses }, failure: null };
      }),
    }),
  };
}

function convertDraftContent(
  { content, files }: Draft,
  to: ApiName,
  now: number,
): { readonly content: DraftContent; readonly losses: DraftCopy['losses'] } {
  if (content.api === to) return { content, losses: [] };
  if (content.api === 'v1') {
    const { body, losses } = toBodyV2(content.body, files, now);
    return { content: { api: 'v2', body }, losses: [...losses] };
  }
  const { body, losses } = toBodyV1(content.body, now);
  return { content: { api: 'v1', body }, losses: [...losses] };
}
