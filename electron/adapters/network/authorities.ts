import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import type { TrustedAuthority } from '../../../shared/contract/network.ts';
import { AppError } from '../../../shared/errors.ts';
import { plainName } from '../../../shared/rules/network/certificate-name.ts';
import { systemCode } from '../files/durable.ts';

const PEM =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;
/**
 * Maximum number of chosen certificates. An office has a few; the whole list of a system has about
 * three hundred.
 */
const MAX_CERTIFICATES = 500;

/** Certificate bundles of Linux distributions, used when OpenSSL's default paths are empty. */
const CERTIFICATE_BUNDLE_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** Certificates of Node's own list and of `NODE_EXTRA_CA_CERTS`. */
export const builtInCertificates = (): readonly string[] => getCACertificates('default');

/**
 * Returns the authorities that this computer and its browsers trust. The first call takes about 200
 * ms.
 */
export function systemList(): readonly string[] {
  const listed = getCACertificates('system');
  return listed.length > 0 || process.platform !== 'linux'
    ? listed
    : certificatesIn(readFirstBundle());
}

function readFirstBundle(): string {
  for (const file of CERTIFICATE_BUNDLE_FILES) {
    try {
      return readFileSync(file, 'latin1');
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') return '';
    }
  }
  return '';
}

export const certificatesIn = (pem: string): readonly string[] => pem.match(PEM) ?? [];

const BEGIN = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/**
 * Returns the subject and the validity of each authority. Throws as `DescribeAuthorities` states.
 */
export function describeAuthorities(pem: string): readonly TrustedAuthority[] {
  const starts = [...pem.matchAll(BEGIN)].map(({ index }) => index);
  if (starts.length === 0) {
    throw notAnAuthorityError(
      'The file contains no certificate. Choose a PEM file with BEGIN CERTIFICATE',
    );
  }
  if (starts.length > MAX_CERTIFICATES) {
    throw notAnAuthorityError(
      `The file contains more than ${String(MAX_CERTIFICATES)} certificates`,
    );
  }
  return starts.map((start, at) => {
    const [text = ''] = certificatesIn(pem.slice(start, starts[at + 1]));
    return describeAuthority(text, at + 1);
  });
}

function describeAuthority(text: string, number: number): TrustedAuthority {
  const certificate = readCertificate(text, number);
  if (!certificate.ca) {
    throw notAnAuthorityError(
      `Certificate ${String(number)} of the file, “${plainName(certificate.subject)}”, belongs to a server, not to an authority`,
    );
  }
  return {
    subject: plainName(certificate.subject),
    fingerprint: certificate.fingerprint256,
    validUntil: certificate.validToDate.getTime(),
  };
}

function readCertificate(text: string, number: number): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw notAnAuthorityError(`Certificate ${String(number)} of the file is damaged`);
  }
}

function notAnAuthorityError(sentence: string): AppError {
  return new AppError('invalid', sentence, {
    reason: 'not-a-certificate',
    fields: { pem: sentence },
  });
}
