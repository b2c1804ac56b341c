/*
 * `node build/checks/changes.ts RANGE`: checks the commits of a range such as `origin/main..HEAD`:
 * their subjects, and the English of the comments and test titles that they add. Only new commits
 * are checked, because older ones cannot be changed.
 */
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { root } from '../places.ts';
import { HABITS } from './plain-english.ts';

/** Maximum number of characters of a subject; lists of commits cut longer ones. */
const MAX_SUBJECT_LENGTH = 72;
const MAX_GIT_OUTPUT = 256 * 1024 * 1024;
/** Imperatives that look like another form of a verb. */
const IMPERATIVES = new Set([
  ...['Access', 'Address', 'Bring', 'Compress', 'Cross', 'Dismiss', 'Embed', 'Express', 'Feed'],
  ...['Focus', 'Miss', 'Need', 'Pass', 'Press', 'Process', 'Shed', 'Speed', 'Suppress', 'Witness'],
]);
/**
 * Habits that are checked in comments and test titles. Words that only texts of the window must not
 * have are allowed, because code names things by them.
 */
const CODE_HABITS = HABITS.filter(
  ({ isOfScreens, isTerm }) => isOfScreens !== true && isTerm !== true,
);
const COMMENT_LINE_PATTERN = /^\s*(?:\/\/|\/\*\*?|\*)(?: (.*))?$/;
const TEST_TITLE_PATTERN = /\b(?:it|describe)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*(['"`])(.*?)\1/;

/**
 * Returns one sentence if the subject of a commit is not an imperative sentence of at most 72
 * characters; otherwise null.
 */
export function subjectProblem(subject: string): string | null {
  const [first = ''] = subject.split(' ');
  if (subject.length > MAX_SUBJECT_LENGTH)
    return `has ${subject.length} characters, not ${MAX_SUBJECT_LENGTH}`;
  if (!/^[A-Z][a-z]+$/.test(first)) return 'does not begin with a capitalised verb';
  if (subject.endsWith('.')) return 'ends with a full stop';
  const isOtherForm = /(?:[^s]s|ed|ing)$/.test(first) && !IMPERATIVES.has(first);
  return isOtherForm ? `does not begin with an imperative: ${first}` : null;
}

/** Returns one sentence for each habit in a comment or test title of an added line. */
export function lineProblems(line: string): readonly string[] {
  const text = COMMENT_LINE_PATTERN.exec(line)?.[1] ?? TEST_TITLE_PATTERN.exec(line)?.[2];
  if (text === undefined) return [];
  const words = text.replace(/`[^`]*`/g, '…');
  return CODE_HABITS.flatMap(({ find, use }) => {
    const found = find.exec(words)?.[0].trim();
    return found === undefined ? [] : [`"${found}": write ${use}`];
  });
}

const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: folder, encoding: 'utf8', maxBuffer: MAX_GIT_OUTPUT });

/** Returns one sentence for each fault of the commits of `range` in the repository at `folder`. */
export function changeProblems(folder: string, range: string): readonly string[] {
  const subjects = git(folder, 'log', '--no-merges', '--format=%h %s', range).split('\n');
  const ofSubjects = subjects.flatMap((line) => {
    const [id = '', ...words] = line.split(' ');
    const problem = id === '' ? null : subjectProblem(words.join(' '));
    return problem === null ? [] : [`${id} “${words.join(' ')}” ${problem}`];
  });
  const between = range.includes('..') ? range : `${range}^..${range}`;
  const files = ['*.ts', '*.svelte', '*.js', ':!*/migrations/*', ':!test/build/plain-english*'];
  const changes = git(folder, 'diff', '--unified=0', between, '--', ...files).split('\n');
  let file = '';
  const ofLines = changes.flatMap((line) => {
    if (line.startsWith('+++ ')) file = line.slice('+++ b/'.length);
    else if (line.startsWith('+')) {
      return lineProblems(line.slice(1)).map((problem) => `${file}: ${problem}`);
    }
    return [];
  });
  return [...ofSubjects, ...ofLines];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = changeProblems(root, process.argv[2] ?? 'HEAD');
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
