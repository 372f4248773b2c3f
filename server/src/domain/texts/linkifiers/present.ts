import type { linkifier } from '@heddle/api/objects/linkifier.ts';
import type { Static } from 'typebox';
import type { LinkifierRecord } from '../../../directory/records.ts';

export function presentLinkifier({ id, pattern, urlTemplate }: LinkifierRecord): Static<typeof linkifier> {
  return { id, pattern, url_template: urlTemplate };
}
