import { DraftId } from '../../../../shared/model/ids.ts';
import { openDatabase } from '../../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../../electron/adapters/sqlite/stores.ts';
import { content } from '../samples.ts';

/** Edits a draft endlessly, and reports each stored edit, until it is killed. */
const [, , file = '', key = '', draft = ''] = process.argv;
const database = openDatabase({ file, key: Buffer.from(key, 'hex'), now: Date.now() });
const { drafts } = createStores(database);
const id = DraftId.parse(draft);
for (;;) {
  const { revision } = drafts.get(id);
  const saved = drafts.save(id, revision, content(`Edit ${String(revision)}`), null, Date.now());
  process.send?.(saved.revision);
  await new Promise((resolve) => setImmediate(resolve));
}
