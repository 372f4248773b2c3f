/** Linkifiers and code playgrounds of archives, as the API would accept them. */
import type { LinkifierRecord, PlaygroundRecord } from '@heddle/server/directory/records.ts';
import { checkedLinkifier, MAX_LINKIFIERS } from '@heddle/server/domain/texts/linkifiers/actions.ts';
import { checkedPlayground, MAX_PLAYGROUNDS } from '@heddle/server/features/playgrounds/actions.ts';
import { accepted } from './mended-names.ts';
import type { ImportReport } from './report.ts';

/** The report names those that are left out. */
export function acceptedLinkifiers<Linkifier extends LinkifierRecord>(
  given: readonly Linkifier[],
  report: ImportReport,
): readonly Linkifier[] {
  const kept: Linkifier[] = [];
  for (const one of given) {
    const texts = { pattern: one.pattern, url_template: one.urlTemplate };
    const checked = accepted(() => checkedLinkifier(texts, kept));
    if (checked !== undefined && kept.length < MAX_LINKIFIERS) kept.push({ ...one, ...checked });
    else report.skip('Linkifiers whose pattern or address does not work here, or too many', one.pattern);
  }
  return kept;
}

/** The report names those that are left out. */
export function acceptedPlaygrounds(
  given: readonly PlaygroundRecord[],
  report: ImportReport,
): readonly PlaygroundRecord[] {
  const kept: PlaygroundRecord[] = [];
  for (const one of given) {
    const { name, language, urlTemplate } = one;
    const texts = { name, pygments_language: language, url_template: urlTemplate };
    const checked = accepted(() => checkedPlayground(texts));
    const isNew = kept.every((other) => other.name !== checked?.name || other.language !== checked.language);
    if (checked !== undefined && isNew && kept.length < MAX_PLAYGROUNDS) kept.push({ ...one, ...checked });
    else report.skip('Code playgrounds that are not valid, or too many', name);
  }
  return kept;
}
