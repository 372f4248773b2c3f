import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/** An administrator changes linkifiers. */
export interface Linking {
  readonly do: 'link' | 'relink' | 'unlink' | 'reorder links' | 'offer playground';
  readonly who: number;
  /** The index among the existing linkifiers. */
  readonly linkifier: number;
}

export function linking(manager: fc.Arbitrary<number>): fc.Arbitrary<Linking> {
  return fc.record({
    do: fc.constantFrom(
      'link' as const,
      'link' as const,
      'relink' as const,
      'unlink' as const,
      'reorder links' as const,
      'offer playground' as const,
    ),
    who: manager,
    linkifier: fc.nat({ max: 4 }),
  });
}

export async function performLinking({ do: what, linkifier }: Linking, person: TestClient): Promise<void> {
  const { body } = await person.call('GET', '/realm/linkifiers');
  const ids: number[] = (body.linkifiers ?? []).map(({ id }: { readonly id: number }) => id);
  const path = `/realm/filters/${ids[linkifier] ?? 0}`;
  switch (what) {
    case 'offer playground': {
      const language = { pygments_language: 'Rust', url_template: 'https://example.com/{code}' };
      await person.call('POST', '/realm/playgrounds', { name: `playground ${linkifier}`, ...language });
      break;
    }
    case 'link':
      await person.call('POST', '/realm/filters', texts('hello', linkifier));
      break;
    case 'relink':
      await person.call('PATCH', path, texts('one', linkifier));
      break;
    case 'unlink':
      await person.call('DELETE', path);
      break;
    case 'reorder links':
      await person.call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids.toReversed() });
  }
}

/** The content and topic words of messages in the runs. */
function texts(word: string, number: number) {
  return { pattern: `(?P<word>${word}(?:${number})?)`, url_template: `https://example.com/${number}/{word}` };
}
