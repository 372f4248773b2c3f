import type { Fields, TestAnswer } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/** Creates a bot, or changes one of the run. */
export type Employing =
  | { readonly do: 'employ'; readonly who: number; readonly type: number }
  | {
      readonly do: 'retrain';
      readonly who: number;
      readonly bot: number;
      readonly owner: number | undefined;
      readonly role: number | undefined;
      readonly all: boolean | undefined;
      readonly isRenamed: boolean;
      readonly service: number | undefined;
      readonly regenerates: boolean;
    }
  | { readonly do: 'retire'; readonly who: number; readonly bot: number };

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

export function employing(who: fc.Arbitrary<number>): fc.Arbitrary<Employing> {
  const bot = fc.nat({ max: 3 });
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: fc.constant('employ' as const), who, type: fc.constantFrom(1, 2, 3) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('retrain' as const),
        who,
        bot,
        owner: maybe(who),
        role: maybe(fc.constantFrom(200, 400, 600)),
        all: maybe(fc.boolean()),
        isRenamed: fc.boolean(),
        service: maybe(fc.constantFrom(1, 2)),
        regenerates: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('retire' as const), who, bot }) },
  );
}

interface Naming {
  readonly name: string;
  ids(people: readonly number[]): readonly number[];
  call(method: string, path: string, fields: Fields): Promise<TestAnswer>;
}

/** An unreachable URL, so that no service is called. */
const UNREACHABLE = { payload_url: 'http://127.0.0.1:9' };

let made = 0;

/**
 * Performs the operation. Ignores refusals.
 * @param bots the bots of the run, to which a new one is added
 */
export async function performEmploying(
  operation: Employing,
  { name, ids, call }: Naming,
  bots: number[],
): Promise<void> {
  made += 1;
  if (operation.do === 'employ') {
    const fields = {
      full_name: `${name} bot ${made}`,
      short_name: `bot-${made}`,
      bot_type: operation.type,
      ...UNREACHABLE,
    };
    const { status, body } = await call('POST', '/bots', fields);
    if (status === 200) bots.push(body.user_id);
    return;
  }
  const path = `/bots/${bots.at(-1 - operation.bot) ?? 0}`;
  if (operation.do === 'retire') {
    await call('DELETE', path, {});
    return;
  }
  const { owner, role, all, isRenamed, service, regenerates } = operation;
  await call('PATCH', path, {
    role,
    bot_owner_id: owner === undefined ? undefined : ids([owner])[0],
    default_all_public_streams: all,
    ...(isRenamed && { full_name: `${name} renamed ${made}` }),
  });
  if (service !== undefined) await call('PATCH', path, { service_interface: service });
  if (regenerates) await call('POST', `${path}/api_key/regenerate`, {});
}
