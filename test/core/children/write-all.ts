import { createHash } from 'node:crypto';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { originOf, systemClock } from '../../../electron/adapters/system/platform.ts';
import { openDatabase } from '../../../electron/adapters/sqlite/open/open.ts';
import { createStores } from '../../../electron/adapters/sqlite/stores.ts';
import { createVault } from '../../../electron/adapters/vault/vault.ts';
import { dataKey } from '../../../electron/adapters/vault/data-key.ts';
import { createExternalState } from '../../../electron/adapters/vault/external-state.ts';
import { databaseFile } from '../../../electron/compose/data.ts';
import { EvidenceLog } from '../../../electron/core/evidence/log.ts';
import { newBatch } from '../../adapters/sqlite/samples.ts';
import { reviewed } from '../../support/evidence-facts.ts';

/**
 * Uses a data folder at the same time as another process of this kind, on a signal: appends and
 * records evidence, writes batches and their cells, and stores secrets.
 */
const [, , folder = '', keyFile = '', name = '', rounds = '0'] = process.argv;
const vault = createVault({ store: 'keyfile', path: keyFile, dataDir: folder });
const file = databaseFile(folder);
const key = await dataKey(vault, { databaseExists: true });
const stores = createStores(openDatabase({ file, key, now: Date.now() }));
const log = new EvidenceLog({
  evidence: stores.evidence,
  vault,
  externalState: createExternalState({ stateDir: `${folder}.state`, dataDir: folder, file }),
  origin: originOf('0'),
  clock: systemClock,
  sha256: (data) => createHash('sha256').update(data).digest('hex'),
  encoding: createEncoding(),
  emit: () => undefined,
});

process.on('message', () => {
  void work().then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(error instanceof Error ? error.stack : String(error)),
  );
});
process.send?.('ready');

async function work(): Promise<void> {
  for (let index = 0; index < Number(rounds); index += 1) {
    const label = `${name} ${String(index)}`;
    log.append(reviewed(label));
    await log.note();
    const entry = newBatch(['Astrid', 'Nils'], { name: label });
    stores.batches.insert(entry);
    stores.batches.edit(entry.batch.id, [{ row: 3, column: 0, text: label }], Date.now());
    await vault.write(label, `secret of ${label}`);
  }
}
