import type { Connection } from '../../../shared/contract/connections.ts';
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import type { DraftId, FileId } from '../../../shared/model/ids.ts';
import type { TemplateContent } from '../../../shared/model/template.ts';
import { formatV1Time } from '../../../shared/rules/time/wire-time.ts';
import type { Api } from '../../../shared/contract/index.ts';
import { connectDirectly } from '../../../shared/wire.ts';
import type { DeskApp } from './desk.ts';
import { leaseForm, type PickedFile } from './pdfs.ts';

/** Calls to the core, as a second window on the same data would make them. */
export function apiOf({ desk }: Pick<DeskApp, 'desk'>): Api {
  return connectDirectly(desk.handlers, desk.toFailure).api;
}

/** A valid draft with a PDF (a form by default) and one person. */
export async function prepareDraft(
  app: DeskApp,
  api: Connection['api'],
  title: string,
  picked?: PickedFile,
): Promise<DraftId> {
  const calls = apiOf(app);
  const connections = await calls['connections.list']({});
  const connectionId = connections.find((one) => one.api === api)?.id ?? null;
  const empty = contentOf(api, title, []);
  const { id, revision } = await calls['drafts.create']({ content: empty, connectionId });
  const { name, buffer } = picked ?? (await leaseForm());
  const file = await calls['drafts.attach']({ id, name, bytes: app.desk.acceptBytes(buffer) });
  const content = contentOf(api, title, [{ name, file: file.id }]);
  await calls['drafts.save']({ id, revision, content, connectionId });
  return id;
}

/** Adds a template from this lease, for use in a batch. */
export async function addLeaseTemplate(app: DeskApp, content: TemplateContent): Promise<void> {
  const calls = apiOf(app);
  const { name: fileName, buffer } = await leaseForm();
  const about = { name: 'Hyresavtal', api: content.body.api, fileName } as const;
  const bytes = app.desk.acceptBytes(new Uint8Array(buffer));
  const { id, revision, name } = await calls['templates.add']({ ...about, bytes });
  await calls['templates.save']({ id, revision, name, content });
}

function contentOf(
  api: Connection['api'],
  title: string,
  files: readonly { readonly name: string; readonly file: FileId }[],
): DraftContent {
  const person = { firstName: 'Åsa', lastName: 'Öberg', email: 'asa.oberg@example.com' };
  if (api === 'v1') {
    const lastModifiedOn = formatV1Time(Date.UTC(2026, 0, 1));
    const attachments = files.map(
      (one) => ({ type: 'BASE64', category: 'AGREEMENT', lastModifiedOn, ...one }) as const,
    );
    const signs = { signingOrder: 1, signingConfigurations: [{ type: 'CLICK' as const }] };
    const parties = [{ type: 'PRIVATE' as const, ...person, ...signs }];
    return { api, body: { title, attachments, parties } };
  }
  const privates = [{ ...person, personNo: '198507099805', signMethods: ['EMAIL' as const] }];
  const parties = { privates, companies: [] };
  return { api, body: { name: title, type: 'ATTACHED', attachments: [...files], parties } };
}
