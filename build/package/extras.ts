import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createProgram } from '../../electron/hosts/cli/program.ts';
import type { Io } from '../../electron/hosts/cli/output/io.ts';
import { runCli } from '../../electron/hosts/cli/run.ts';
import { place } from '../places.ts';
import { type Manifest, descriptionParagraphs, readManifest } from './about.ts';
import { createManPage } from './man-page.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/**
 * Writes into `folder` the files that a Linux package installs in addition to the program
 * (electron-builder.yml).
 */
export async function writeExtras(folder: string): Promise<void> {
  const manifest = await readManifest();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const shell of SHELLS) {
    const script = await captureOutput(['completion', shell]);
    await writeFile(path.join(folder, `${manifest.name}.${shell}`), script);
  }
  const man = await createManual(manifest);
  await writeFile(path.join(folder, `${manifest.name}.1.gz`), gzipSync(man, { level: 9 }));
  await writeFile(path.join(folder, 'metainfo.xml'), createMetainfo(manifest));
  await writeFile(path.join(folder, 'copyright'), await createCopyright(manifest));
  for (const script of ['after-install', 'after-remove']) {
    await writeFile(path.join(folder, `${script}.tpl`), await linkCommandScript(`${script}.tpl`));
  }
}

/** Target of the link in electron-builder's package scripts; `COMMAND_TARGET` replaces it. */
const LINK_TARGET = "'/opt/${sanitizedProductName}/${executable}'";
const COMMAND_TARGET = "'/opt/${sanitizedProductName}/command/${executable}'";

/**
 * Returns electron-builder's package script, changed so that /usr/bin/signing-desk is a link to the
 * program for terminals, not to the program of the window.
 */
async function linkCommandScript(script: string): Promise<string> {
  const own = place('node_modules/app-builder-lib/templates/linux', script);
  const text = await readFile(own, 'utf8');
  if (!text.includes(LINK_TARGET))
    throw new Error(`${script} links nothing to ${LINK_TARGET} any more`);
  return text.replaceAll(LINK_TARGET, COMMAND_TARGET);
}

async function createManual(manifest: Manifest): Promise<string> {
  // The command `completion`, which lists all commands, loads every command.
  const all = ['completion'];
  const idle = { withDesk: () => Promise.resolve(), alone: () => Promise.resolve() };
  const program = await createProgram(createSilentIo(), manifest.version, idle, all);
  const short = await createProgram(createSilentIo(), manifest.version, idle, []);
  const help = await captureOutput(['--help']);
  return createManPage(program, help.slice(short.helpInformation().trimEnd().length), manifest);
}

async function captureOutput(args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const io: Io = Object.assign(createSilentIo(), { out: (text: string) => void lines.push(text) });
  const exit = await runCli(args, io);
  if (exit !== 0) throw new Error(`${args.join(' ')} ended with ${exit}`);
  return `${lines.join('')}\n`;
}

function createSilentIo(): Io {
  return {
    env: {},
    program: ['signing-desk'],
    out: () => undefined,
    err: () => undefined,
    drawsBars: false,
    readSecret: () => Promise.reject(new Error('nobody is there')),
    onInterrupt: () => () => undefined,
  };
}

/** Returns AppStream's catalogue entry, which a software centre shows. */
function createMetainfo(manifest: Manifest): string {
  const { name, description, license, author, homepage, bugs } = manifest;
  return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>org.signingdesk.app</id>
  <metadata_license>MIT</metadata_license>
  <project_license>${license}</project_license>
  <name>Signing Desk</name>
  <summary>${description}</summary>
  <description>
${descriptionParagraphs.map((text) => `    <p>${text}</p>`).join('\n')}
  </description>
  <launchable type="desktop-id">${name}.desktop</launchable>
  <provides>
    <binary>${name}</binary>
    <mediatype>application/vnd.signingdesk.draft+json</mediatype>
  </provides>
  <developer_name>${author.name}</developer_name>
  <url type="homepage">${homepage}</url>
  <url type="bugtracker">${bugs.url}</url>
  <content_rating type="oars-1.1" />
</component>
`;
}

/** Returns Debian's machine-readable copyright file, with the path of the third-party notices. */
async function createCopyright({ name, author, homepage, license }: Manifest): Promise<string> {
  const text = (await readFile(place('LICENSE'), 'utf8')).trim();
  const [, holder = author.name] = /^Copyright \(c\) (.+)$/im.exec(text) ?? [];
  const indented = text.split('\n').map((line) => ` ${line === '' ? '.' : line}`);
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ${name}
Upstream-Contact: ${author.name} <${author.email}>
Source: ${homepage}
Comment: The notices of what the program is made of lie beside it: LICENSE.electron.txt and
 LICENSES.chromium.html, and dist/electron/licences.md and dist/renderer/licences.md in its archive.

Files: *
Copyright: ${holder}
License: ${license}
${indented.join('\n')}
`;
}
