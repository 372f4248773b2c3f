import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

export interface SnippetChange {
  readonly do: 'save' | 'reword' | 'forget';
  readonly who: number;
  /** The index among the user's snippets. */
  readonly snippet: number;
}

export function snippetChange(who: fc.Arbitrary<number>): fc.Arbitrary<SnippetChange> {
  return fc.record({
    do: fc.constantFrom('save' as const, 'save' as const, 'reword' as const, 'forget' as const),
    who,
    snippet: fc.nat({ max: 3 }),
  });
}

export async function changeSnippets(change: SnippetChange, client: TestClient): Promise<void> {
  if (change.do === 'save') {
    await client.call('POST', '/saved_snippets', { title: 'greeting', content: 'Good morning' });
    return;
  }
  const { body } = await client.call('GET', '/saved_snippets');
  const path = `/saved_snippets/${body.saved_snippets?.[change.snippet]?.id ?? 0}`;
  if (change.do === 'forget') await client.call('DELETE', path);
  else await client.call('PATCH', path, { content: `Good evening, ${change.snippet}` });
}
