import type { TestClient } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';
import { fc } from '../random/property.ts';

/** Creates drafts, and replaces or deletes one of the user's drafts. */
export type Drafting =
  | { readonly do: 'draft'; readonly who: number; readonly drafts: readonly DraftOf[] }
  /** The index among the user's drafts. */
  | { readonly do: 'redraft'; readonly who: number; readonly which: number; readonly draft: DraftOf }
  | { readonly do: 'discard'; readonly who: number; readonly which: number };

type DraftOf =
  | { readonly channel: number; readonly topic: string }
  | { readonly whom: readonly number[] }
  | { readonly content: string };

interface Arbitraries {
  readonly who: fc.Arbitrary<number>;
  readonly whom: fc.Arbitrary<number[]>;
  readonly channel: fc.Arbitrary<number>;
}

export function drafting({ who, whom, channel }: Arbitraries): fc.Arbitrary<Drafting> {
  const draft: fc.Arbitrary<DraftOf> = fc.oneof(
    fc.record({ channel, topic: fc.constantFrom('', 'one') }),
    fc.record({ whom }),
    fc.record({ content: fc.constantFrom('hm', '') }),
  );
  const which = fc.nat({ max: 2 });
  return fc.oneof(
    fc.record({
      do: fc.constant('draft' as const),
      who,
      drafts: fc.array(draft, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ do: fc.constant('redraft' as const), who, which, draft }),
    fc.record({ do: fc.constant('discard' as const), who, which }),
  );
}

/** The names and ids that the operations stand for in a run. */
interface Naming {
  readonly person: TestClient;
  ids(people: readonly number[]): readonly number[];
  /** 0 if the acting user does not know the channel. */
  channelId(channel: number): Promise<number>;
}

/** Performs the operation. Ignores refusals. */
export async function performDrafting(operation: Drafting, naming: Naming): Promise<void> {
  const { person } = naming;
  if (operation.do === 'draft') {
    const drafts = await Promise.all(operation.drafts.map((draft) => written(draft, naming)));
    await person.call('POST', '/drafts', { drafts });
    return;
  }
  const { body } = await person.call('GET', '/drafts');
  const path = `/drafts/${body.drafts?.[operation.which]?.id ?? 0}`;
  if (operation.do === 'discard') await person.call('DELETE', path);
  else await person.call('PATCH', path, { draft: await written(operation.draft, naming) });
}

async function written(draft: DraftOf, { ids, channelId }: Naming): Promise<Json> {
  if ('content' in draft) return { type: '', to: [], topic: '', content: draft.content };
  if ('whom' in draft) return { type: 'private', to: ids(draft.whom), topic: '', content: 'psst' };
  return { type: 'stream', to: [await channelId(draft.channel)], topic: draft.topic, content: 'to all' };
}
