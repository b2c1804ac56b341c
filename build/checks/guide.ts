import { glob, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Block, GuidePage, Inline } from '../../renderer/features/help/text.ts';
import { guideLanguages, PICTURES } from '../guide/compile.ts';
import { inlinesOf, linksIn, readGuide } from '../guide/read.ts';

/** Language with which all others are compared. */
const BASE_LANGUAGE = 'en';
/** Maximum total size of all pictures (bytes); they are shipped with the program. */
const MAX_PICTURE_BYTES = 1_600_000;

interface GuideTranslation {
  readonly language: string;
  readonly pages: readonly GuidePage[];
}

/**
 * Pattern of the keys of a command or of a list in the page's sources, which are always on one
 * line.
 */
const KEYS_PATTERN = /\bkeys: (.*)/g;
/** Keys that have the same meaning everywhere, and belong to no command. */
const COMMON_KEYS = ['Tab', 'Alt'];

/**
 * Returns one sentence for each problem of the guide under `renderer`, the page's folder: content
 * that another language lacks, broken links, and names that the window does not use.
 */
export async function guideProblems(renderer: string): Promise<string[]> {
  const folder = path.join(renderer, 'guide');
  const languages = await guideLanguages(folder);
  try {
    const guides = await Promise.all(
      languages.map(async (language): Promise<GuideTranslation> => {
        const { pages } = await readGuide(path.join(folder, language));
        return { language, pages };
      }),
    );
    return [
      ...guideDifferences(guides),
      ...guides.flatMap(linkProblems),
      ...(await pictureProblems(path.join(folder, PICTURES), guides)),
      ...(await nameProblems(renderer, guides)),
      ...(await keyProblems(renderer, guides)),
    ];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

const nestedBlocksOf = (blocks: readonly Block[]): readonly Block[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'list') return [block, ...block.items.flatMap(nestedBlocksOf)];
    return block.kind === 'note' ? [block, ...nestedBlocksOf(block.inside)] : [block];
  });

/**
 * Returns the elements of a page in their order, without its texts: headings, pictures, commands,
 * names, keys.
 */
function pageOutline({ blocks }: GuidePage): Readonly<Record<string, readonly string[]>> {
  const all = nestedBlocksOf(blocks);
  return {
    headings: all.flatMap((block) => (block.kind === 'heading' ? [`${block.level}`] : [])),
    pictures: all.flatMap((block) => (block.kind === 'picture' ? [block.file] : [])),
    commands: all.flatMap((block) => (block.kind === 'code' ? [block.text] : [])),
    names: namesOn(blocks).toSorted(),
  };
}

const namesOn = (blocks: readonly Block[]): readonly string[] => [
  ...new Set(blocks.flatMap(inlinesOf).flatMap((one) => (one.kind === 'name' ? [one.key] : []))),
];

function guideDifferences(guides: readonly GuideTranslation[]): string[] {
  const base = guides.find(({ language }) => language === BASE_LANGUAGE);
  if (base === undefined) return ['the guide is not written in English'];
  return guides.flatMap(({ language, pages }) => {
    const extra = pages
      .filter(({ name }) => !base.pages.some((page) => page.name === name))
      .map(({ name }) => `guide/${language}/${name}.md: English has no such page`);
    const lacking = base.pages.flatMap((page) => {
      const own = pages.find(({ name }) => name === page.name);
      if (own === undefined) return [`guide/${language} lacks ${page.name}.md`];
      const [mine, theirs] = [pageOutline(own), pageOutline(page)];
      return Object.keys(theirs)
        .filter((kind) => mine[kind]?.join('\n') !== theirs[kind]?.join('\n'))
        .map((kind) => {
          const odd = describeDifference(mine[kind] ?? [], theirs[kind] ?? []);
          return `guide/${language}/${page.name}.md: its ${kind} are not those of English${odd}`;
        });
    });
    return [...extra, ...lacking];
  });
}

function describeDifference(mine: readonly string[], theirs: readonly string[]): string {
  const odd = [
    ...mine.filter((one) => !theirs.includes(one)),
    ...theirs.filter((one) => !mine.includes(one)),
  ];
  return odd.length === 0 ? '' : `: ${odd.join(', ')}`;
}

function linkProblems({ language, pages }: GuideTranslation): string[] {
  const anchors = new Map(
    pages.map(({ name, blocks }) => [
      name,
      new Set(blocks.flatMap((block) => (block.kind === 'heading' ? [block.anchor] : []))),
    ]),
  );
  return pages.flatMap(({ name, blocks }) =>
    blocks
      .flatMap(linksIn)
      .filter(({ page, anchor }) => {
        const known = anchors.get(page);
        return known === undefined || (anchor !== '' && !known.has(anchor));
      })
      .map(
        ({ page, anchor }) =>
          `guide/${language}/${name}.md leads to ${page}.md${anchor === '' ? '' : `#${anchor}`}, which is not there`,
      ),
  );
}

async function pictureProblems(
  folder: string,
  guides: readonly GuideTranslation[],
): Promise<string[]> {
  const files = await readdir(folder).catch((): string[] => []);
  const shown = guides.flatMap(({ language, pages }) =>
    pages.flatMap(({ name, blocks }) =>
      nestedBlocksOf(blocks).flatMap((block) =>
        block.kind === 'picture'
          ? [{ at: `guide/${language}/${name}.md`, file: block.file, words: block.words }]
          : [],
      ),
    ),
  );
  const sizes = await Promise.all(files.map((file) => readFile(path.join(folder, file))));
  const bytes = sizes.reduce((sum, { length }) => sum + length, 0);
  return [
    ...shown
      .filter(({ file }) => !files.includes(file))
      .map(({ at, file }) => `${at} shows ${file}, which is not there`),
    ...shown
      .filter(({ words }) => words.length === 0)
      .map(({ at, file }) => `${at}: nobody who cannot see ${file} is told what it shows`),
    ...files
      .filter((file) => !shown.some((picture) => picture.file === file))
      .map((file) => `guide/${PICTURES}/${file} is shown nowhere`),
    ...(bytes > MAX_PICTURE_BYTES ? [`guide/${PICTURES} has ${bytes} bytes`] : []),
  ];
}

async function keyProblems(
  renderer: string,
  guides: readonly GuideTranslation[],
): Promise<string[]> {
  const known = new Set<string>();
  for await (const file of glob('{app,features,window}/**/*.{ts,svelte}', { cwd: renderer })) {
    const text = await readFile(path.join(renderer, file), 'utf8');
    for (const [, line = ''] of text.matchAll(KEYS_PATTERN)) {
      for (const [, keys = ''] of line.matchAll(/['"]([^'"]+)['"]/g)) {
        known.add(keys.replaceAll(/\[\w+\]\+/g, '').toLowerCase());
      }
    }
  }
  return guides.flatMap(({ language, pages }) =>
    pages.flatMap(({ name, blocks }) =>
      blocks
        .flatMap(inlinesOf)
        .filter((inline) => inline.kind === 'keys')
        .filter(({ keys }) => !known.has(keys.toLowerCase()) && !COMMON_KEYS.includes(keys))
        .map(({ keys }) => `guide/${language}/${name}.md: no command has the keys ${keys}`),
    ),
  );
}

const PluralMessage = z.object({ declarations: z.array(z.string()) });
const MessageCatalogue = z.record(z.string(), z.union([z.string(), z.array(PluralMessage)]));

async function nameProblems(
  renderer: string,
  guides: readonly GuideTranslation[],
): Promise<string[]> {
  const file = path.join(renderer, 'messages', `${BASE_LANGUAGE}.json`);
  const messages = MessageCatalogue.parse(JSON.parse(await readFile(file, 'utf8')));
  return guides.flatMap(({ language, pages }) =>
    pages.flatMap(({ name, blocks }) =>
      blocks
        .flatMap(inlinesOf)
        .flatMap((inline) => wrongNameSentence(inline, messages))
        .map((what) => `guide/${language}/${name}.md: ${what}`),
    ),
  );
}

function wrongNameSentence(inline: Inline, messages: z.infer<typeof MessageCatalogue>): string[] {
  if (inline.kind !== 'name') return [];
  const { key, values } = inline;
  const message = messages[key];
  if (message === undefined) return [`the window has no message ${key}`];
  const lacking = valuesOf(message).filter((one) => !(one in values));
  return lacking.length === 0 ? [] : [`${key} needs ${lacking.join(', ')}`];
}

/** Returns the names of the values in a message. */
function valuesOf(message: z.infer<typeof MessageCatalogue>[string]): string[] {
  const found =
    typeof message === 'string'
      ? message.matchAll(/\{(\w+)\}/g)
      : message.flatMap(({ declarations }) => [
          ...declarations.join('\n').matchAll(/^input (\w+)/gm),
        ]);
  return [...found].map(([, name = '']) => name);
}
