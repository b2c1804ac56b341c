/*
 * Replaces the packager fpm, which would be downloaded: makes a .deb with Debian's dpkg-deb from
 * electron-builder's arguments. Exits with an error for arguments that it does not know.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    source: { type: 'string', short: 's' },
    target: { type: 'string', short: 't' },
    depends: { type: 'string', short: 'd', multiple: true },
    force: { type: 'boolean' },
    architecture: text,
    'after-install': text,
    'after-remove': text,
    description: text,
    version: text,
    package: text,
    name: text,
    maintainer: text,
    vendor: text,
    url: text,
    category: text,
    license: text,
    'deb-priority': text,
    'deb-compression': text,
    'deb-recommends': texts,
  },
});

/** Compression names of fpm and their names in dpkg-deb. */
const DPKG_COMPRESSIONS: Readonly<Record<string, string>> = { gz: 'gzip', xz: 'xz', zst: 'zstd' };

const root = mkdtempSync(path.join(tmpdir(), 'stand-in-fpm-'));
try {
  if (values.source !== 'dir' || values.target !== 'deb')
    throw new Error('makes a .deb of folders');
  for (const pair of positionals) copyIntoPackage(pair);
  mkdirSync(path.join(root, 'DEBIAN'));
  writeFileSync(path.join(root, 'DEBIAN/control'), debianControlFile());
  addScript('postinst', values['after-install']);
  addScript('postrm', values['after-remove']);
  const compression = `-Z${DPKG_COMPRESSIONS[values['deb-compression'] ?? 'xz'] ?? 'xz'}`;
  // The folders above have the permissions of this process, but everyone must be able to read the
  // files of a package.
  execFileSync('chmod', ['-R', 'u+w,go-w,a+rX', root]);
  execFileSync('dpkg-deb', [
    '--root-owner-group',
    compression,
    '--build',
    root,
    requiredFpmOption('package'),
  ]);
} finally {
  rmSync(root, { recursive: true, force: true });
}

/**
 * Copies `SOURCE=TARGET` into the package; a source that ends in a slash is the content of the
 * folder.
 */
function copyIntoPackage(pair: string): void {
  const at = pair.indexOf('=');
  if (at < 0) throw new Error(`no target for ${pair}`);
  const target = path.join(root, pair.slice(at + 1));
  mkdirSync(path.dirname(target), { recursive: true });
  cpSync(pair.slice(0, at), target, { recursive: true, verbatimSymlinks: true });
}

function addScript(name: string, file: string | undefined): void {
  if (file === undefined) return;
  const target = path.join(root, 'DEBIAN', name);
  copyFileSync(file, target);
  execFileSync('chmod', ['755', target]);
}

function requiredFpmOption(
  name: 'package' | 'name' | 'version' | 'architecture' | 'maintainer',
): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing`);
  return value;
}

/**
 * Returns the control file of the package. Lines of a description after the first line begin with a
 * space (deb-control(5)).
 */
function debianControlFile(): string {
  const size = execFileSync('du', ['-k', '-s', root], { encoding: 'utf8' }).split('\t')[0];
  const [synopsis = '', ...rest] = (values.description ?? '')
    .split('\n')
    .map((line) => line.trim());
  const fields = {
    Package: requiredFpmOption('name'),
    Version: requiredFpmOption('version'),
    License: values.license,
    Vendor: values.vendor,
    Architecture: requiredFpmOption('architecture'),
    Maintainer: requiredFpmOption('maintainer'),
    'Installed-Size': size,
    Depends: values.depends?.join(', '),
    Recommends: values['deb-recommends']?.join(', '),
    Section: values.category ?? 'default',
    Priority: values['deb-priority'],
    Homepage: values.url,
    Description: [synopsis, ...rest.map((line) => ` ${line === '' ? '.' : line}`)].join('\n'),
  };
  const lines = Object.entries(fields).map(([name, value]) =>
    value === undefined ? '' : `${name}: ${value}\n`,
  );
  return lines.join('');
}
