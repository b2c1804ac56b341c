import type {
  ArchiveCounts,
  ArchiveItem,
  ArchiveResult,
  ArchiveRuleView,
  ArchiveVerification,
  BagResult,
} from '../../../shared/contract/archive.ts';
import { unknownToken } from '../../../shared/rules/files/file-name.ts';
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDay,
  formatNames,
} from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';
import { failuresLook, lastRunText, runLook } from '../../window/rule-words.ts';
import type { ArchiveCheck } from './items.ts';

const NO_VALUE = '–';

/** Sentence about the first unknown token of a pattern; null if all tokens are known. */
export function tokenProblem(pattern: string): string | null {
  const token = unknownToken(pattern);
  return token === null ? null : m.archive_token_unknown({ token });
}

/**
 * Result and time of the last check of the file's content, whose hash was stored when it was saved.
 */
export function checkText(
  { savedAt, checkedAt, finding }: Pick<ArchiveItem, 'savedAt' | 'checkedAt' | 'finding'>,
  now: number,
): string {
  if (savedAt === null) return NO_VALUE;
  const day = formatDay(checkedAt ?? savedAt, now);
  switch (finding) {
    case null:
      return m.archive_check_saved({ day });
    case 'intact':
      return m.archive_check_intact({ day });
    case 'changed':
      return m.archive_check_changed({ day });
    case 'missing':
      return m.archive_check_missing({ day });
  }
}

const checkWords = {
  verified: m.archive_word_verified,
  changed: m.archive_word_changed,
  missing: m.archive_missing_file,
  unchecked: m.archive_word_unchecked,
  waiting: m.archive_word_waiting,
  endangered: m.archive_word_waiting,
  deleted: m.archive_word_deleted,
} as const satisfies Record<ArchiveCheck, () => string>;

export const checkWord = (check: ArchiveCheck): string => checkWords[check]();

/** How many signed agreements are safe, and why the others are not. */
export function safetyText(counts: ArchiveCounts): string {
  const { notArchived, archived, changed, missing, copied, here, elsewhere } = counts;
  const all = notArchived + archived;
  if (all === 0) return m.archive_safe_none();
  const counted = {
    safe: formatCount(archived - changed - missing + copied),
    total: formatCount(all),
  };
  const problems = [
    elsewhere > 0 ? m.archive_count_elsewhere({ count: formatCount(elsewhere) }) : null,
    changed > 0 ? m.archive_count_changed({ count: changed }) : null,
    missing > 0 ? m.archive_count_missing({ count: missing }) : null,
    notArchived > 0 ? m.archive_count_waiting({ count: notArchived }) : null,
  ].filter((text) => text !== null);
  if (problems.length === 0) return m.archive_safe(counted);
  if (elsewhere > 0) {
    const { total } = counted;
    return m.archive_here({ here: formatCount(here), total, problems: problems.join(', ') });
  }
  return m.archive_safe_except({ ...counted, problems: problems.join(', ') });
}

/** Names of the folders in a sentence, each shortened. */
export function foldersText(folders: Iterable<string | null>): string {
  const known = [...new Set(folders)].filter((folder) => folder !== null);
  return formatNames(known.map(shortPath));
}

/** When the archived files were verified; null if there are none. */
export function verifiedText(
  { archived, unchecked, checkedAt }: ArchiveCounts,
  now: number,
): string | null {
  if (archived === 0) return null;
  if (checkedAt === null) return m.archive_checked_never();
  const day = formatDay(checkedAt, now);
  return unchecked === 0
    ? m.archive_checked({ day })
    : m.archive_checked_except({ day, count: unchecked });
}

export const runText = ({ saved, present, failed, bytes }: ArchiveResult): string =>
  m.archive_done({ saved, present, failed: failed.length, size: formatBytes(bytes) });

export const verdictText = ({ ok, files, agreements }: ArchiveVerification): string =>
  m.archive_verified({ ok, files, ...agreements });

export const bagText = ({ files, bytes, folder }: BagResult): string =>
  m.archive_bag_done({ files, size: formatBytes(bytes), folder });

/** Maximum length of a path that is shown as a whole (characters). */
const MAX_PATH_LENGTH = 44;

/** The last folders of a long path, because the end of the path distinguishes it. */
export function shortPath(path: string): string {
  let end = '';
  for (const part of path.split(/(?=[\\/])/u).toReversed()) {
    if (end !== '' && part.length + end.length > MAX_PATH_LENGTH) return `…${end}`;
    end = part + end;
  }
  return end;
}

export function archiveRuleLook(shown: ArchiveRuleView) {
  const { rule, last } = shown;
  const { saved = 0, failed = 0, doneBy } = last ?? {};
  const words =
    doneBy === undefined
      ? [
          m.archive_result_saved({ count: saved }),
          ...(failed > 0 ? [m.rule_result_failed({ count: failed })] : []),
        ]
      : [m.archive_result_elsewhere({ seat: doneBy })];
  return {
    sentence: archiveRuleSentence(rule),
    times: [lastRunText(shown), nextRunText(shown)],
    failures: failuresLook(shown.failures, failed),
    ...runLook(shown, { words, isGood: failed === 0 }),
  };
}

function archiveRuleSentence({ when, folder }: ArchiveRuleView['rule']): string {
  switch (when.kind) {
    case 'by-hand':
      return m.archive_says_by_hand({ folder });
    case 'completion':
      return m.archive_says_completion({ folder });
    case 'daily':
      return m.archive_says_daily({ folder, time: when.at });
  }
}

function nextRunText({ rule, isPaused, dueAt }: ArchiveRuleView): string | null {
  if (rule.when.kind === 'by-hand') return null;
  if (!rule.isOn || isPaused) return m.rule_off();
  return dueAt === null ? null : m.rule_next({ time: formatDateTime(dueAt) });
}
