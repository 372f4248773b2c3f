import type { playground } from '@heddle/api/objects/playground.ts';
import type { Static } from 'typebox';
import type { Directory } from '../../directory/directory.ts';
import type { PlaygroundRecord } from '../../directory/records.ts';

/** In the order of their creation. */
export function playgroundsOf({ organization }: Directory): readonly PlaygroundRecord[] {
  return organization.playgrounds ?? [];
}

export function presentPlayground({ id, name, language, urlTemplate }: PlaygroundRecord): Static<typeof playground> {
  return { id, name, pygments_language: language, url_template: urlTemplate };
}
