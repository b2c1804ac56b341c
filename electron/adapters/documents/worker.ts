import { serveThread } from '../threads/serve.ts';

/* Each task loads its modules at first use: a picture needs none of Word's. */
const tasks = {
  async prepare(data: Uint8Array, codes: boolean) {
    const { prepareDocument } = await import('./word/prepare.ts');
    return prepareDocument(data, codes);
  },
  async clean(data: Uint8Array) {
    const { withoutAnchors } = await import('./office/anchors.ts');
    return withoutAnchors(data);
  },
  async rejectOutside(data: Uint8Array, kind: 'rtf' | 'doc') {
    const { rejectOutside } = await import('./outside/refuse-outside.ts');
    const { rejectLinkedPackages } = await import('./word/clean-parts.ts');
    for (const object of rejectOutside(data, kind)) await rejectLinkedPackages(object);
  },
  async picture(data: Uint8Array, kind: 'jpeg' | 'png') {
    const { pictureAsPdf } = await import('./picture.ts');
    return pictureAsPdf(data, kind);
  },
};
export type DocumentTasks = typeof tasks;

serveThread(tasks);
