/** Version in which the old names stop working. */
const OLD_NAMES_END_VERSION = '0.2';

/**
 * Old words of a command, and the words that replace them. The name of a group covers all of its
 * commands. There are never more new words than old ones.
 * @internal
 */
export const renamedCommands: readonly (readonly [old: string, now: string])[] = [
  ['digest', 'summary'],
  ['takeout', 'data'],
  ['intake', 'folders'],
  ['backup wake', 'backup reactivate'],
  ['backup look', 'backup inspect'],
  ['backup page', 'backup recovery-page'],
  ['office holders', 'office claims'],
  ['office questions', 'office conflicts'],
  ['office answer', 'office resolve'],
  ['office go-without', 'office send-unchecked'],
  ['office together', 'office share-draft'],
  ['office alone', 'office unshare-draft'],
  ['office free-draft', 'office unlock-draft'],
  ['office open', 'office pending'],
  ['office take', 'office accept'],
  ['office put-back', 'office restored'],
  ['reminders hold', 'reminders exclude'],
  ['reminders holds', 'reminders exclusions'],
  ['reminders release', 'reminders include'],
  ['agreements silence', 'agreements delete-notification'],
  ['archive bag', 'archive bagit'],
  ['archive schedule run-due', 'run-due'],
];

/**
 * Renamed options of a command, or of all commands below these words.
 * @internal
 */
export const renamedOptions: readonly (readonly [command: string, old: string, now: string])[] = [
  ['summary', '--mail', '--out'],
  ['run-due', '--leave-digest', '--skip-summary'],
  ['reminders rules', '--most', '--max'],
  ['reminders rules', '--everybody', '--everyone'],
  ['reminders rules', '--no-everybody', '--no-everyone'],
  ['archive run', '--anew', '--again'],
  ['office create', '--go-on-without', '--allow-unchecked'],
  ['office activity', '--seat', '--user'],
];

/** Options of the whole program that take a value. */
const OPTIONS_WITH_VALUE: ReadonlySet<string> = new Set(['--data', '--vault']);

interface TranslatedArguments {
  readonly argv: readonly string[];
  readonly notes: readonly string[];
}

/** Returns the arguments, with old names of commands and options replaced by the current ones. */
export function replaceOldNames(argv: readonly string[]): TranslatedArguments {
  const renamed = renamedCommands.find(([old]) => startsWithCommand(argv, old));
  if (renamed === undefined) return replaceOldOptions(argv);
  const [old, now] = renamed;
  const { argv: words, notes } = replaceOldOptions(replaceCommandWords(argv, old, now));
  return {
    argv: words,
    notes: [renameNotice(`signing-desk ${old}`, `signing-desk ${now}`), ...notes],
  };
}

function replaceCommandWords(argv: readonly string[], old: string, now: string): readonly string[] {
  const places = commandWordIndexes(argv);
  const words = now.split(' ');
  const byPlace = new Map(old.split(' ').map((_, at) => [places[at], words[at]]));
  return argv.flatMap((word, at) => (byPlace.has(at) ? (byPlace.get(at) ?? []) : word));
}

function replaceOldOptions(argv: readonly string[]): TranslatedArguments {
  const options = renamedOptions.filter(([command]) => startsWithCommand(argv, command));
  const end = argv.indexOf('--');
  const notes = new Set<string>();
  const words = argv.map((word, at) => {
    const found = options.find(([, old]) => word === old || word.startsWith(`${old}=`));
    if (found === undefined || (end >= 0 && at > end)) return word;
    const [, old, now] = found;
    notes.add(renameNotice(old, now));
    return `${now}${word.slice(old.length)}`;
  });
  return { argv: words, notes: [...notes] };
}

const renameNotice = (old: string, now: string): string =>
  `\`${old}\` is now called \`${now}\`; the old name works until version ${OLD_NAMES_END_VERSION}.`;

function startsWithCommand(argv: readonly string[], command: string): boolean {
  const places = commandWordIndexes(argv);
  return command.split(' ').every((word, at) => word === argv[places[at] ?? -1]);
}

/** Returns the indexes of the words that may name a command; `help` may come before them. */
function commandWordIndexes(argv: readonly string[]): readonly number[] {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.flatMap((word, at) => {
    const isValue = OPTIONS_WITH_VALUE.has(words[at - 1] ?? '');
    return isValue || word === 'help' || word.startsWith('-') ? [] : [at];
  });
}
