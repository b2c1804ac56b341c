/*
 * Signs the update feeds in a folder, `latest*.yml`, for the programs that read them: writes a file
 * `.sig` next to each. UPDATE_KEY is an Ed25519 private key as PEM (openssl genpkey -algorithm
 * ed25519); an office sets the public key (openssl pkey -pubout) with the feed's address.
 */
import { createPrivateKey, sign } from 'node:crypto';
import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const [folder] = process.argv.slice(2);
const pem = process.env['UPDATE_KEY'];
if (folder === undefined || pem === undefined) {
  console.error('usage: UPDATE_KEY=… node build/package/sign-feed.ts FOLDER');
  process.exitCode = 2;
} else {
  await signFeeds(folder, pem);
}

async function signFeeds(folder: string, pem: string): Promise<void> {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('UPDATE_KEY is no Ed25519 key');
  for await (const name of glob('latest*.yml', { cwd: folder })) {
    const file = path.join(folder, name);
    const signature = sign(null, await readFile(file), key).toString('base64');
    await writeFile(`${file}.sig`, `${signature}\n`);
    console.log(`signed ${name}`);
  }
}
