import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeProblems, lineProblems, subjectProblem } from '../../build/checks/changes.ts';

describe('the subject of a commit', () => {
  it.each([
    'Release a claim only after the epoch check',
    'Process every row once',
    'Pass the signal on',
    'Need no network at the start',
  ])('may be “%s”', (subject) => {
    expect(subjectProblem(subject)).toBeNull();
  });

  it.each([
    ['Releases a claim', 'Releases'],
    ['Released a claim', 'Released'],
    ['Releasing a claim', 'Releasing'],
    ['fix: a claim', 'capitalised'],
    ['release a claim', 'capitalised'],
    ['Release a claim.', 'full stop'],
    [`Release ${'x'.repeat(65)}`, '73 characters, not 72'],
  ])('may not be “%s”', (subject, why) => {
    expect(subjectProblem(subject)).toContain(why);
  });
});

describe('an added line of code', () => {
  it.each([
    '  // Whoever asks again waits.',
    '/** Whoever asks again waits. */',
    ' * Whoever asks again waits.',
    "  it('is sent by whoever asks', () => {",
    "describe.each(all)('whoever asks for %s', (one) => {",
  ])('is checked if it is a comment or a title: %s', (line) => {
    expect(lineProblems(line).join()).toMatch(/whoever/i);
  });

  it.each([
    "const text = 'whoever';",
    '// The name `whoever` is stored.',
    '// The desk of a seat.',
    "const word = whoever('asks');",
  ])('is not checked if it is code, a name or a term of the code: %s', (line) => {
    expect(lineProblems(line)).toEqual([]);
  });
});

describe('the check of new commits', () => {
  let folder = '';
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
      cwd: folder,
      encoding: 'utf8',
    });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'changes-'));
    git('init', '--quiet');
    await writeFile(path.join(folder, 'a.ts'), '// Whoever was here before.\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'old things, which stay');
    await writeFile(path.join(folder, 'a.ts'), '// Whoever was here before.\n// Begin anew.\n');
    git('commit', '--quiet', '--all', '-m', 'Begins again');
    return () => rm(folder, { recursive: true });
  });

  it('covers the added lines of a range, and no earlier ones', () => {
    const [subject, line, ...others] = changeProblems(folder, 'HEAD~1..HEAD');
    expect(subject).toMatch(/^[0-9a-f]+ “Begins again” does not begin with an imperative: Begins$/);
    expect(line).toBe('a.ts: "anew": write again');
    expect(others).toEqual([]);
  });
});
