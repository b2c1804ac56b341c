import { expect, it } from 'vitest';
import type { Io } from '../../electron/hosts/cli/output/io.ts';
import { createReport } from '../../electron/hosts/cli/output/report.ts';
import { sign } from '../../electron/hosts/cli/commands/signing.ts';
import type { Session } from '../../electron/hosts/cli/session/session.ts';
import { partyOf, remoteOf } from '../support/fakes/fake-service.ts';
import { plant, startSigningDesk } from '../support/desks/signing-desk.ts';

const noUse = () => {
  throw new Error('not asked for');
};

it('desk sign reports who rejected an agreement and when, or why else it cannot be signed (SC-03)', async () => {
  const desk = await startSigningDesk();
  await plant(desk, 'rejected', 'signed', 'later');
  const bo = partyOf({ id: 'party-2', name: 'Bo Ek', state: 'rejected' });
  const closedAt = Date.UTC(2026, 10, 22, 9, 30);
  const { agreements } = desk.services.v1;
  const rejected = { id: 'rejected', state: 'rejected', parties: [partyOf({}), bo] } as const;
  agreements.set('rejected', remoteOf({ ...rejected, parties: [...rejected.parties], closedAt }));
  agreements.set('signed', remoteOf({ id: 'signed', parties: [partyOf({ state: 'signed' })] }));
  agreements.set('later', remoteOf({ id: 'later', parties: [partyOf({ state: 'waiting' })] }));
  const lines: string[] = [];
  const io: Io = {
    env: {},
    program: [],
    drawsBars: false,
    readSecret: noUse,
    onInterrupt: noUse,
    out: noUse,
    err: (line) => lines.push(line),
  };
  const session: Session = {
    api: desk.api,
    on: desk.on,
    io,
    report: createReport(io, false),
    giveBytes: noUse,
    takeBytes: noUse,
    onStop: () => {},
  };
  const order = ['rejected', 'signed', 'later'] as const;
  const { text, exit } = await sign(session, order, { as: 'Karin', confirm: 3 });
  expect(text).toContain('Failed: Title rejected: Rejected by Bo Ek on 2026-11-22T09:30Z');
  expect(text).toContain('Failed: Title signed: The agreement is already signed');
  expect(text).toContain(
    'Failed: Title later: This party cannot sign yet, because other parties must sign first',
  );
  expect(exit).not.toBe(0);
});
