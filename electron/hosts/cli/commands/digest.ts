import { type Digest, digestKinds } from '../../../../shared/contract/digest.ts';
import { toShownTime } from '../input/times.ts';
import { writeNewFile } from '../input/local-files.ts';
import { type Answer, answer } from '../output/answer.ts';
import { count, plain } from '../output/text.ts';
import { type AddCommands, example } from '../session/group.ts';
import type { Session } from '../session/session.ts';

const digestTexts = {
  signed: 'signed',
  rejected: 'rejected',
  expired: 'expired',
  revoked: 'revoked',
  bounced: 'with bounced messages',
  expiring: 'about to expire within three days',
} as const;

/**
 * Returns the daily summary that is due, for a scheduler's run; null if none is due or nothing
 * happened.
 */
export async function readDueDigest(session: Session): Promise<Answer | null> {
  const taken = await session.api['digest.take']({});
  return taken === null ? null : digestAnswer(taken);
}

function digestAnswer(digest: Digest): Answer {
  return answer(digest, digestLines(digest).join('\n'));
}

function digestLines({ since, counts, entries, decisions, troubles }: Digest): readonly string[] {
  const lines = digestKinds.flatMap((kind) => {
    if (counts[kind] === 0) return [];
    const named = entries.filter((entry) => entry.kind === kind);
    const rest = counts[kind] - named.length;
    return [
      `${counts[kind]} ${digestTexts[kind]}`,
      ...named.map(({ title, parties, at, reason }) =>
        [
          `  ${plain(title)}`,
          ...(kind === 'bounced' ? parties.map(plain) : []),
          ...(at === null ? [] : [toShownTime(at)]),
          ...(reason === null ? [] : [plain(reason)]),
        ].join('  '),
      ),
      ...(rest > 0 ? [`  and ${rest} more`] : []),
    ];
  });
  if (decisions > 0)
    lines.push(
      `${count(decisions, 'send')} ${decisions === 1 ? 'needs' : 'need'} a decision: outbox list`,
    );
  lines.push(...troubles.map(({ name }) => `The rule ${plain(name)} could not finish its work.`));
  if (lines.length === 0) return ['There is no news.'];
  return since === null ? lines : [`Since ${toShownTime(since)}`, ...lines];
}

/** `summary`: shows the events since the last daily summary. Reading them starts no new period. */
async function showDigest(session: Session, { out }: { readonly out?: string }): Promise<Answer> {
  const digest = await session.api['digest.read']({});
  if (out === undefined) return digestAnswer(digest);
  const subject = `Agreements on ${toShownTime(digest.until).slice(0, 10)}`;
  const mail = await session.api['digest.mail']({ subject, lines: [...digestLines(digest)] });
  const file = await writeNewFile(out, await session.takeBytes(mail.out));
  return answer({ file }, `Wrote ${file}.`);
}

export const digestCommands: AddCommands = (command, run) => {
  command
    .option(
      '--out <file.eml>',
      'save the summary as an email draft; an existing file is never overwritten',
    )
    .action((options: { readonly out?: string }) =>
      run.withDesk('data', (session) => showDigest(session, options)),
    );
  example(command, 'summary --out today.eml');
};
