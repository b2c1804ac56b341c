import { seedGenerated } from './crowd.ts';
import { legacyStories, plantForeignUpload, playLegacyStory } from './v2.ts';
import { stories } from './v1-stories.ts';
import { playStory } from './v1.ts';
import type { Service } from '../state/service.ts';

/** Fills an empty service with the story, and with generated agreements if `seed` is a number. */
export async function seedStory(service: Service, seed: 'full' | 'none' | number): Promise<void> {
  if (seed === 'none') return;
  if (typeof seed === 'number') service.store.numberUuids();
  for (const story of stories) await playStory(story, service);
  for (const story of legacyStories) await playLegacyStory(story, service);
  plantForeignUpload(service);
  if (typeof seed === 'number') await seedGenerated(service, seed);
  service.store.changed();
}
