/**
 * Messages that are sent, flagged and edited, for the operations of the property tests. Users and channels are given by
 * number.
 */

import type { Fields, TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

export type Writing =
  | {
      readonly do: 'send';
      readonly who: number;
      readonly channel: number;
      readonly topic: string;
      readonly content: string;
      readonly read: boolean;
    }
  | { readonly do: 'write to'; readonly who: number; readonly whom: readonly number[]; readonly read: boolean }
  | {
      readonly do: 'flag';
      readonly who: number;
      readonly op: 'add' | 'remove';
      readonly flag: 'read' | 'starred';
      /** The indexes from the run's newest message on. */
      readonly messages: readonly number[];
    }
  /** The sender edits their message. */
  | { readonly do: 'edit'; readonly message: number; readonly content: string };

const content = fc.constantFrom(
  'hello',
  '@**all** hello',
  '@**topic** hello',
  '@**Guest** and @**Member** hello',
  '@*group* hello',
  '/poll hello\nyes\nno',
);

interface Arbitraries {
  readonly who: fc.Arbitrary<number>;
  readonly whom: fc.Arbitrary<number[]>;
  readonly channel: fc.Arbitrary<number>;
}

export function writing({ who, whom, channel }: Arbitraries) {
  const send: fc.Arbitrary<Writing> = fc.record({
    do: fc.constant('send' as const),
    who,
    channel,
    topic: fc.constantFrom('', 'one', 'two'),
    content,
    read: fc.boolean(),
  });
  const flag: fc.Arbitrary<Writing> = fc.record({
    do: fc.constant('flag' as const),
    who,
    op: fc.constantFrom('add', 'remove'),
    flag: fc.constantFrom('read', 'read', 'starred'),
    messages: fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 6 }),
  });
  return [
    { weight: 12, arbitrary: send },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('edit' as const), message: fc.nat({ max: 8 }), content }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('write to' as const), who, whom, read: fc.boolean() }) },
    { weight: 8, arbitrary: flag },
  ];
}

/** A message of the run. */
export interface Written {
  readonly id: number;
  readonly sender: TestClient;
}

/** The names and ids that the operations stand for in a run. */
interface Naming {
  /** The name of the run, the prefix of the names of its groups. */
  readonly name: string;
  readonly channel: string;
  readonly person: TestClient;
  ids(people: readonly number[]): readonly number[];
}

/** @param messages the messages of the run, to which a sent one is added */
export async function performWriting(operation: Writing, naming: Naming, messages: Written[]): Promise<void> {
  const { name, channel, person, ids } = naming;
  const text = (content: string) => content.replace('@*group*', `@*${name} 1*`);
  const send = async (fields: Fields) => {
    const { body } = await person.call('POST', '/messages', fields);
    if (body.result === 'success') messages.push({ id: body.id, sender: person });
  };
  switch (operation.do) {
    case 'send': {
      const { topic, read } = operation;
      const content = text(operation.content);
      await send({ type: 'channel', to: channel, topic, content, read_by_sender: read });
      break;
    }
    case 'write to':
      await send({ type: 'direct', to: ids(operation.whom), content: 'hello', read_by_sender: operation.read });
      break;
    case 'flag': {
      const { op, flag } = operation;
      const flagged = operation.messages.flatMap((index) => messages.at(-1 - index)?.id ?? []);
      await person.call('POST', '/messages/flags', { op, flag, messages: flagged });
      break;
    }
    case 'edit': {
      const message = messages.at(-1 - operation.message);
      await message?.sender.call('PATCH', `/messages/${message.id}`, { content: text(operation.content) });
    }
  }
}
