import type { UpdateState, UpdateWay } from '../../../../shared/contract/updates.ts';
import { type Answer, answer } from '../output/answer.ts';
import { exits } from '../output/exit-codes.ts';
import { pairs } from '../output/text.ts';
import { iso, shown } from '../input/times.ts';
import { type AddCommands, example } from '../session/group.ts';
import type { Session } from '../session/session.ts';

interface SetOptions {
  readonly key: string;
  readonly daily?: true;
}

const ways = {
  here: 'The window downloads and installs it, after you confirmed it.',
  window: 'The window downloads and installs it, after you confirmed it.',
  'package-manager': 'The package manager of this system updates it.',
  checkout: 'It comes with the checkout: bring the sources up to date, and run npm ci.',
  'by-hand': 'It was unpacked by hand: unpack the newer one over it.',
} as const satisfies Record<UpdateWay, string>;

/** `updates status`: asks nobody. */
async function status({ api }: Session): Promise<Answer> {
  return stateAnswer(await api['updates.show']({}));
}

/** `updates check`: 6 when there is a newer version, for scripts that watch. */
async function check({ api }: Session): Promise<Answer> {
  return stateAnswer(await api['updates.check']({}));
}

/** `updates set` */
async function setFeed(
  { api }: Session,
  address: string,
  { key, daily }: SetOptions,
): Promise<Answer> {
  const feed = { url: address, key, daily: daily === true };
  const state = await api['updates.setFeed']({ feed });
  const when = daily === true ? 'once a day while the window is open' : 'when you check';
  return answer(state, `${state.feed?.url ?? ''} is asked ${when}.`);
}

/** `updates off` */
async function removeFeed({ api }: Session): Promise<Answer> {
  const state = await api['updates.setFeed']({ feed: null });
  return answer(state, 'No update feed is set: nothing is asked.');
}

function stateAnswer(state: UpdateState): Answer {
  const { version, feed, checkedAt, offer, way } = state;
  const notes = offer?.release.notes ?? null;
  const rows: (readonly [string, string])[] = [
    ['this version', version],
    ['feed', feed === null ? 'none: nothing is asked' : feed.url],
    ['asked', feed?.daily === true ? 'once a day while the window is open' : 'when you check'],
    ['last answer', shown(checkedAt)],
    ['offered', offerText(offer)],
    ...(notes === null ? [] : [['what changed', notes] as const]),
    ['a newer one', ways[way]],
  ];
  const exit = offer?.kind === 'newer' ? exits.inPart : exits.done;
  return answer({ ...state, checkedAt: iso(checkedAt) }, pairs(rows), exit);
}

function offerText(offer: UpdateState['offer']): string {
  if (offer === null) return '-';
  const { version, size } = offer.release;
  const megabytes = size === null ? '' : ` (${(size / 1e6).toFixed(1)} MB)`;
  switch (offer.kind) {
    case 'newer':
      return `${version}${megabytes}`;
    case 'same':
      return `${version}, which is this one`;
    case 'older':
      return `${version}, which is older: never installed`;
  }
}

/** `updates …` */
export const updateCommands: AddCommands = (group, run) => {
  const show = group
    .command('status')
    .description('the feed, and what it offered last; asks nobody. 6: there is a newer version')
    .action(() => run.withDesk('data', status));
  example(show, 'updates status --json');
  const ask = group
    .command('check')
    .description('ask the feed now. 6: there is a newer version')
    .action(() => run.withDesk('data', check));
  example(ask, 'updates check');
  const set = group
    .command('set <address>')
    .description('where newer versions are offered: https, and the key that signs them')
    .requiredOption('--key <key>', 'the Ed25519 public key: the Base64 of its PEM file')
    .option('--daily', 'ask once a day while the window is open')
    .action((address: string, options: SetOptions) =>
      run.withDesk('data', (session) => setFeed(session, address, options)),
    );
  example(set, 'updates set https://desk.example/updates --key MCowBQYDK2Vw… --daily');
  const off = group
    .command('off')
    .description('ask nobody any more')
    .action(() => run.withDesk('data', removeFeed));
  example(off, 'updates off');
};
