import { createSign, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';

/** Encodes a value in DER (X.690): a tag, a length, and the content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.byteLength;
  const length = size < 0x80 ? [size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (text: string) => der(0x17, Buffer.from(text));

/** A certificate and its key, as PEM. */
export interface Issued {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority of an office, which issues certificates for names and IP addresses. */
export interface TestAuthority extends Issued {
  issue(host: string, until?: string): Issued;
  /** Creates an intermediate authority below this one. */
  below(name: string): TestAuthority;
}

const YEARS = '490101000000Z';
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const named = (name: string): Buffer =>
  sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));

type Signing = Pick<Certified, 'issuer' | 'signing'>;

export function createAuthority(name: string): TestAuthority {
  return authorityBelow(name, null);
}

function authorityBelow(name: string, above: Signing | null): TestAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // Basic constraints (2.5.29.19): an authority.
  const isAuthority = sequence(
    oid('551d13'),
    der(0x01, Buffer.from([0xff])),
    der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
  );
  const { issuer, signing } = above ?? { issuer: name, signing: keys };
  const own = certify({ subject: name, issuer, keys, signing, extension: isAuthority });
  return {
    ...own,
    issue(host, until) {
      const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const extension = alternativeName(host);
      return certify({ subject: host, issuer: name, keys: leaf, signing: keys, extension, until });
    },
    below: (lower) => authorityBelow(lower, { issuer: name, signing: keys }),
  };
}

/** An untrusted certificate for an IP address, and its key, as PEM. */
export function selfSigned(of = '127.0.0.1'): Issued {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extension = alternativeName(of);
  return certify({ subject: of, issuer: of, keys, signing: keys, extension });
}

function alternativeName(host: string): Buffer {
  const isNumeric = /^[\d.]+$/.test(host);
  const name = isNumeric
    ? der(0x87, Buffer.from(host.split('.').map(Number)))
    : der(0x82, Buffer.from(host));
  return sequence(oid('551d11'), der(0x04, sequence(name)));
}

interface Certified {
  readonly subject: string;
  readonly issuer: string;
  readonly keys: KeyPairKeyObjectResult;
  readonly signing: KeyPairKeyObjectResult;
  readonly extension: Buffer;
  readonly until?: string | undefined;
}

let serial = 1;

function certify({ subject, issuer, keys, signing, extension, until = YEARS }: Certified): Issued {
  serial += 1;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([serial % 100])),
    ecdsaWithSha256,
    named(issuer),
    sequence(utcTime('240101000000Z'), utcTime(until)),
    named(subject),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = createSign('sha256').update(body).sign(signing.privateKey);
  const cert = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = cert.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
