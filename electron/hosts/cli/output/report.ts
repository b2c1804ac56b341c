import type { Failure } from '../../../../shared/errors.ts';
import { type Answer, errorDocument } from './answer.ts';
import type { Io } from './io.ts';
import { nextSteps } from './next-steps.ts';
import { sentenceOf } from './service-words.ts';
import { json, plain } from './text.ts';

const BAR_WIDTH = 30;
const PROGRESS_TENTHS = 10;

interface Progress {
  readonly done: number;
  readonly total: number | null;
  readonly failed: number;
}

/** Output of a command: one result on standard output, everything else on standard error. */
export interface Report {
  answer(answer: Answer): void;
  failure(failure: Failure): void;
  /** Prints a sentence that is not part of the result. */
  note(sentence: string): void;
  /** Draws the progress of `title`: a bar on a terminal, otherwise a line for every tenth. */
  progress(title: string): { show(now: Progress): void; end(): void };
}

export function createReport(io: Io, isJson: boolean): Report {
  return {
    answer({ value, text }) {
      if (isJson) io.out(`${json({ ok: true, value })}\n`);
      else if (text !== '') io.out(`${text}\n`);
    },
    failure(failure) {
      if (isJson) io.out(`${json(errorDocument(failure))}\n`);
      else io.err(`${failureText(failure)}\n`);
    },
    note(sentence) {
      io.err(isJson ? `${json({ note: sentence })}\n` : `${plain(sentence)}\n`);
    },
    progress: (title) =>
      io.drawsBars && !isJson
        ? createProgressBar(io, title)
        : createLineProgress(io, title, isJson),
  };
}

function failureText(failure: Failure): string {
  const { reason, fields = {}, ref } = failure;
  const details = Object.entries(fields).map(
    ([field, what]) => `  ${plain(field)}: ${plain(what)}`,
  );
  const log = ref === undefined ? [] : [`  Reference in the log: ${ref}`];
  const next = reason === undefined ? undefined : nextSteps[reason];
  const step = next === undefined ? [] : [`  ${next}`];
  return [`signing-desk: ${plain(sentenceOf(failure))}`, ...details, ...step, ...log].join('\n');
}

function createProgressBar(io: Io, title: string): ReturnType<Report['progress']> {
  return {
    show({ done, total }) {
      const filled = total ? Math.round((done / total) * BAR_WIDTH) : 0;
      const drawn = '='.repeat(filled).padEnd(BAR_WIDTH);
      io.err(`\r\x1b[2K${title} [${drawn}] ${done}${total === null ? '' : `/${total}`}`);
    },
    end: () => io.err('\r\x1b[2K'),
  };
}

function createLineProgress(
  io: Io,
  title: string,
  isJson: boolean,
): ReturnType<Report['progress']> {
  let printed = 0;
  return {
    show(now) {
      const tenth = now.total ? Math.floor((now.done * PROGRESS_TENTHS) / now.total) : 0;
      if (tenth <= printed) return;
      printed = tenth;
      const { done, total, failed } = now;
      if (isJson) io.err(`${json({ progress: { title, done, total, failed } })}\n`);
      else io.err(`${title}: ${done}${total === null ? '' : ` of ${total}`}\n`);
    },
    end() {
      printed = Infinity;
    },
  };
}
