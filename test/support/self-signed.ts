import { createSign, generateKeyPairSync } from 'node:crypto';

/** DER (X.690): a tag, a length, a content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.byteLength;
  const length = size < 0x80 ? [size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (text: string) => der(0x17, Buffer.from(text));

/** A certificate for a numeric address that nobody vouches for, and its key, as PEM. */
export function selfSigned(of = '127.0.0.1'): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const commonName = sequence(oid('550403'), der(0x0c, Buffer.from(of)));
  const name = sequence(der(0x31, commonName));
  const address = der(0x87, Buffer.from(of.split('.').map(Number)));
  const altName = sequence(oid('551d11'), der(0x04, sequence(address)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(utcTime('250101000000Z'), utcTime('490101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(altName)),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const cert = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = cert.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
