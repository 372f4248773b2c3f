import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { fc } from '../../../testing/random/property.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { createUser, deactivateUser } from './actions.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

type Operation =
  | { readonly do: 'create'; readonly role: Role }
  /** `which` selects an existing user, modulo the number of users. */
  | { readonly do: 'deactivate'; readonly which: number };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ do: fc.constant('create' as const), role: fc.constantFrom(...Object.values(Role)) }),
  fc.record({ do: fc.constant('deactivate' as const), which: fc.nat(1000) }),
);

/** Applies an event of type `realm_user` or `user_group` to the state, as a client does. */
function apply(state: Json, event: Json): void {
  if (event.type === 'user_group') {
    const group = state.realm_user_groups.find(({ id }: Json) => id === event.group_id);
    group.members.push(...event.user_ids);
    return;
  }
  if (event.op === 'add') {
    const { is_active: _, ...listed } = event.person;
    state.realm_users.push(listed);
    return;
  }
  const { user_id, is_active } = event.person;
  const [from, to] = is_active ? ['realm_non_active_users', 'realm_users'] : ['realm_users', 'realm_non_active_users'];
  const user = state[from].find((candidate: Json) => candidate.user_id === user_id);
  assert(user !== undefined, `no user ${user_id} in ${from}`);
  state[from] = state[from].filter((candidate: Json) => candidate !== user);
  state[to].push(user);
  for (const group of state.realm_user_groups) group.members = group.members.filter((id: number) => id !== user_id);
}

/** Returns the state without the queue, with users ordered by id. */
function comparable({ queue_id, last_event_id, server_timestamp, ...state }: Json): Json {
  const byId = (a: Json, b: Json) => a.user_id - b.user_id;
  return {
    ...state,
    realm_users: state.realm_users.toSorted(byId),
    realm_non_active_users: state.realm_non_active_users.toSorted(byId),
  };
}

let made = 0;

async function carryOut(operations: readonly Operation[]): Promise<void> {
  const organization = await server.app.organizations.bySubdomain('');
  assert(organization !== undefined);
  for (const step of operations) {
    if (step.do === 'create') {
      made += 1;
      await createUser(organization, { email: `fold${made}@example.com`, fullName: `Fold ${made}`, role: step.role });
    } else {
      const { owner } = server;
      const others = [...organization.directory.users.keys()].filter((id) => id !== owner.userId);
      const userId = others[step.which % Math.max(1, others.length)];
      if (userId !== undefined) await deactivateUser(server.app, organization, userId);
    }
  }
}

// rules: register-30
test('a client that applies realm_user and user_group events has the initial state of a new client (I7)', async () => {
  const register = () => server.owner.register({ event_types: ['realm_user', 'user_group'] });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (operations) => {
      const queue = await register();
      await carryOut(operations);
      for (const event of await queue.now()) apply(queue.state, event);
      assert.deepEqual(comparable(queue.state), comparable((await register()).state));
    }),
    { numRuns: 15 },
  );
});
