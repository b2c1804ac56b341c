import type { UpdateState, UpdateMethod } from '../../../../shared/contract/updates.ts';
import { type Answer, answer } from '../output/answer.ts';
import { exits } from '../output/exit-codes.ts';
import { pairs } from '../output/text.ts';
import { toIsoText, toShownTime } from '../input/times.ts';
import { type AddCommands, example, addExitSixHelp } from '../session/group.ts';
import type { Session } from '../session/session.ts';

interface FeedOptions {
  readonly key: string;
  readonly daily?: true;
}

const updateMethodTexts = {
  here: 'After you confirm it, the window downloads and installs the newer version.',
  window: 'After you confirm it, the window downloads and installs the newer version.',
  'package-manager': 'The package manager of this system installs newer versions.',
  checkout: 'The program runs from its sources: update them, and run npm ci.',
  'by-hand': 'The program was unpacked by hand: unpack the newer version over it.',
} as const satisfies Record<UpdateMethod, string>;

/** `updates status`: shows the known state, and sends no request. */
async function showUpdateStatus({ api }: Session): Promise<Answer> {
  return updateStateAnswer(await api['updates.show']({}));
}

/**
 * `updates check`: looks for a newer version. Ends with exit code 6 if there is one, for scripts
 * that monitor it.
 */
async function lookForUpdates({ api }: Session): Promise<Answer> {
  return updateStateAnswer(await api['updates.check']({}));
}

async function setUpdateFeed(
  { api }: Session,
  address: string,
  { key, daily }: FeedOptions,
): Promise<Answer> {
  const feed = { url: address, key, daily: daily === true };
  const state = await api['updates.setFeed']({ feed });
  const when = daily === true ? 'once a day while the window is open' : 'only when you check';
  return answer(state, `${state.feed?.url ?? ''} is checked ${when}.`);
}

async function removeUpdateFeed({ api }: Session): Promise<Answer> {
  const state = await api['updates.setFeed']({ feed: null });
  return answer(state, 'The update feed is removed. Signing Desk no longer checks for updates.');
}

function updateStateAnswer(state: UpdateState): Answer {
  const { version, feed, checkedAt, offer, way } = state;
  const notes = offer?.release.notes ?? null;
  const rows: (readonly [string, string])[] = [
    ['this version', version],
    ['feed', feed === null ? 'none: updates are not checked' : feed.url],
    ['checked', feed?.daily === true ? 'once a day while the window is open' : 'when you check'],
    ['last answer', toShownTime(checkedAt)],
    ['offered', offerText(offer)],
    ...(notes === null ? [] : [['changes', notes] as const]),
    ['how to update', updateMethodTexts[way]],
  ];
  const exit = offer?.kind === 'newer' ? exits.inPart : exits.done;
  return answer({ ...state, checkedAt: toIsoText(checkedAt) }, pairs(rows), exit);
}

function offerText(offer: UpdateState['offer']): string {
  if (offer === null) return '-';
  const { version, size } = offer.release;
  const megabytes = size === null ? '' : ` (${(size / 1e6).toFixed(1)} MB)`;
  switch (offer.kind) {
    case 'newer':
      return `${version}${megabytes}`;
    case 'same':
      return `${version}, the same as this version`;
    case 'older':
      return `${version}, which is older and is never installed`;
  }
}

export const updateCommands: AddCommands = (group, run) => {
  const show = group
    .command('status')
    .description('show the update feed and its last answer, without a new check')
    .action(() => run.withDesk('data', showUpdateStatus));
  addExitSixHelp(show, 'a newer version is available');
  example(show, 'updates status --json');
  const ask = group
    .command('check')
    .description('check the update feed now')
    .action(() => run.withDesk('data', lookForUpdates));
  addExitSixHelp(ask, 'a newer version is available');
  example(ask, 'updates check');
  const set = group
    .command('set')
    .argument('<address>', 'https address of the update feed of your office')
    .description('set the update feed, and the public key that verifies its updates')
    .requiredOption('--key <key>', 'Ed25519 public key: the Base64 text of its PEM file')
    .option('--daily', 'check once a day while the window is open')
    .action((address: string, options: FeedOptions) =>
      run.withDesk('data', (session) => setUpdateFeed(session, address, options)),
    );
  example(set, 'updates set https://desk.example/updates --key MCowBQYDK2Vw… --daily');
  const off = group
    .command('off')
    .description('remove the update feed, and stop checking for updates')
    .action(() => run.withDesk('data', removeUpdateFeed));
  example(off, 'updates off');
};
