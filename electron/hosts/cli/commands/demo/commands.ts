import { type Answer, answer } from '../../output/answer.ts';
import type { Journey } from './journey.ts';
import { type AddCommands, example } from '../../session/group.ts';
import type { Io } from '../../output/io.ts';
import type { Report } from '../../output/report.ts';
import { table } from '../../output/text.ts';

interface DemoOptions {
  readonly keep?: string;
}

/** Invented person, with a test number of Sweden's tax agency. */
const demoSigner = {
  name: 'karin',
  firstName: 'Karin',
  lastName: 'Lindqvist',
  personNumber: '198112289874',
  country: 'SE',
} as const;

/** `demo`: runs the main job on the built-in service, for both APIs, and checks each step. */
async function runDemo(io: Io, report: Report, { keep = null }: { keep?: string | null }) {
  // The service's code is imported only by this command, since no other one needs it.
  const { runJourney } = await import('./journey.ts');
  const { withStage } = await import('./stage.ts');
  return withStage({ io, report, keep }, async (stage) => {
    stage.say(`Working in ${stage.folder}`);
    const { orgNo } = stage.demo.company;
    const { id } = await stage.session.api['identities.add']({ ...demoSigner, orgNo });
    const v1 = await runJourney(stage, 'v1', id);
    const v2 = await runJourney(stage, 'v2', id);
    stage.say(
      keep === null
        ? `The signed PDFs stay in ${stage.folder}: you can delete this folder afterwards`
        : `All data stays in ${stage.folder}`,
    );
    stage.say('Next: open the window (npm start, or signing-desk) and choose "Try the demo"');
    return summary([v1, v2]);
  });
}

function summary(journeys: readonly Journey[]): Answer {
  const rows = journeys.map((one) => [
    one.api,
    ...[one.synced, one.created, one.unknown, one.signed, one.archived].map(String),
    one.folder,
  ]);
  const heading = ['API', 'READ', 'SENT', 'LOST AND FOUND', 'SIGNED', 'PDFS', 'FOLDER'];
  return answer({ journeys }, table(heading, rows, ''));
}

export const demoCommands: AddCommands = (command, run) => {
  command
    .option('--keep <folder>', 'work in this folder, and keep all data there')
    .action((options: DemoOptions) => run.alone((io, report) => runDemo(io, report, options)));
  example(command, 'demo --keep /tmp/desk-demo');
};
