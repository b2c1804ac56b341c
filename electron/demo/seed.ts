import { plantCrowd } from './seed-crowd.ts';
import { legacyStories, plantForeignUpload, tellLegacyStory } from './seed-v2.ts';
import { stories } from './seed-v1-stories.ts';
import { tellStory } from './seed-v1.ts';
import type { Service } from './service.ts';

/** Fills an empty service: with the story, and with a generated crowd when a number is given. */
export async function plantStory(service: Service, seed: 'full' | 'none' | number): Promise<void> {
  if (seed === 'none') return;
  if (typeof seed === 'number') service.store.numberUuids();
  for (const story of stories) await tellStory(story, service);
  for (const story of legacyStories) await tellLegacyStory(story, service);
  plantForeignUpload(service);
  if (typeof seed === 'number') await plantCrowd(service, seed);
  service.store.changed();
}
