import { createVault } from '../../../../electron/adapters/vault/vault.ts';

/** Writes secrets under names that begin with the third argument, after a message. */
const [, , dataDir = '', keyFile = '', name = '', count = '0'] = process.argv;
const vault = createVault({ store: 'keyfile', path: keyFile, dataDir });

process.on('message', () => {
  void writeAll().then(
    () => process.send?.('done'),
    (error: unknown) => process.send?.(String(error)),
  );
});
process.send?.('ready');

async function writeAll(): Promise<void> {
  for (let index = 0; index < Number(count); index += 1) {
    await vault.write(`${name} ${String(index)}`, `secret of ${name} ${String(index)}`);
  }
}
