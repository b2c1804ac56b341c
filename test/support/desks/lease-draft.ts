import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import { DAY } from '../../../shared/rules/time/units.ts';
import { bodyV1 } from '../fakes/memory-desk.ts';
import type { HomeDesk } from './office-desks.ts';

const MONTH = 30 * DAY;

/** A draft for API v1 that can be sent, with a PDF of one page. */
export async function addLeaseDraft(
  { api, desk }: Pick<HomeDesk, 'api' | 'desk'>,
  title: string,
): Promise<DraftId> {
  const expireOn = new Date(Date.now() + MONTH).toISOString().replace(/[-:]|\.\d+/g, '');
  const body = { ...bodyV1(title), expireOn };
  const content = { api: 'v1' as const, body };
  const { id } = await api['drafts.create']({ content, connectionId: null });
  const bytes = desk.acceptBytes(await plainPdf(title, ['Of one page.']));
  const { id: file } = await api['drafts.attach']({ id, name: 'Lease.pdf', bytes });
  const { revision } = await api['drafts.show']({ id });
  const attachments = [{ type: 'BASE64' as const, category: 'AGREEMENT' as const, file }];
  const whole = { api: 'v1' as const, body: { ...body, attachments } };
  await api['drafts.save']({ id, revision, connectionId: null, content: whole });
  return id;
}
