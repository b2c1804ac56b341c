import { plainPdf } from './pdf.ts';
import { personV1, personV2 } from './seed-parties.ts';
import { someone } from './seed-people.ts';
import { legacyStories, plantForeignUpload, tellLegacyStory } from './seed-v2.ts';
import { stories, type Ending } from './seed-v1-stories.ts';
import { tellStory } from './seed-v1.ts';
import type { Service } from './service.ts';

/** How the generated agreements are spread over the endings, in turn. */
const ENDINGS: readonly Ending[] = ['closed', 'sent', 'closed', 'partly', 'closed', 'rejected'];
/** Generated agreements lie this far apart. */
const DAYS_APART = 0.02;

/** Fills an empty service: with the story, and with a generated crowd when a number is given. */
export async function plantStory(service: Service, seed: 'full' | 'none' | number): Promise<void> {
  if (seed === 'none') return;
  for (const story of stories) await tellStory(story, service);
  for (const story of legacyStories) await tellLegacyStory(story, service);
  plantForeignUpload(service);
  if (typeof seed === 'number') await plantCrowd(service, seed);
  service.store.changed();
}

async function plantCrowd(service: Service, count: number): Promise<void> {
  const pdf = (await plainPdf('Avtal', ['Ett av många.'])).toString('base64');
  for (let n = 0; n < count; n += 1) {
    const { firstName, lastName } = someone(n);
    const title = `Avtal ${String(n + 1)} ${firstName} ${lastName}`;
    const age = 1 + n * DAYS_APART;
    const end = ENDINGS[n % ENDINGS.length] ?? 'closed';
    await tellStory(
      { title, parties: [personV1('oliver'), personV1('siobhan')], end, age, pdf },
      service,
    );
    await tellLegacyStory(
      {
        name: title,
        end: end === 'closed' ? 'closed' : 'posted',
        age: age % 50,
        privates: [personV2('oliver', 'EMAIL')],
        content: { type: 'FREE_TEXT', text: title },
      },
      service,
    );
  }
}
