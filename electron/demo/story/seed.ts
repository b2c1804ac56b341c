import { plantCrowd } from './crowd.ts';
import { legacyStories, plantForeignUpload, tellLegacyStory } from './v2.ts';
import { stories } from './v1-stories.ts';
import { tellStory } from './v1.ts';
import type { Service } from '../state/service.ts';

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
