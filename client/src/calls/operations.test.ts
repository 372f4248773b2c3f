import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints } from '@heddle/api/all-endpoints.ts';
import { type Arguments, type Endpoint, responseSchemaOf } from '@heddle/api/contract.ts';
import type * as registering from '@heddle/api/endpoints/events.ts';
import type * as messages from '@heddle/api/endpoints/messages.ts';
import type * as subscriptions from '@heddle/api/endpoints/subscriptions.ts';
import type { messageEvent } from '@heddle/api/events/message.ts';
import type { realmUserEvent } from '@heddle/api/events/realm-user.ts';
import type { streamEvent } from '@heddle/api/events/stream.ts';
import type { channel } from '@heddle/api/objects/channel.ts';
import type { message } from '@heddle/api/objects/message.ts';
import type { user } from '@heddle/api/objects/user.ts';
import type { Static } from 'typebox';
import { isAddress } from '../../../scripts/client-types/operations.ts';
import type { Row } from './operation.ts';
import * as operations from './operations.ts';
import type * as types from './types.ts';

const functions: readonly { readonly path: string }[] = Object.values(operations);
const rows = functions.filter((one): one is Row => 'method' in one);

/** The key of an operation. The client marks parameters that can contain slashes. */
function key({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.replaceAll('{+', '{')}`;
}

/** Whether an endpoint of the contract is an operation with a JSON response. Other services call those with a key in the URL. */
const isOperation = (endpoint: Endpoint) => responseSchemaOf(endpoint) !== undefined && endpoint.keyInUrl !== 'bot';

test('the client has one function per JSON operation of the contract, with its method, path and kind of body', async () => {
  const contract = (await allEndpoints()).filter(isOperation);
  const byKey = new Map(rows.map((row) => [key(row), row]));
  assert.equal(byKey.size, contract.length);
  for (const endpoint of contract) {
    const row = byKey.get(key(endpoint));
    assert(row !== undefined, endpoint.operationId);
    assert.equal(row.takes, endpoint.body?.takes ?? 'form', endpoint.operationId);
    for (const [name, parameter] of Object.entries(endpoint.parameters)) {
      const isInPath: boolean = row.path.includes(`{${name}}`) || row.path.includes(`{+${name}}`);
      assert.equal(isInPath, parameter.presence === 'path', `${endpoint.operationId} ${name}`);
      assert.equal(row.path.includes(`{+${name}}`), parameter.restOfPath ?? false, `${endpoint.operationId} ${name}`);
    }
    for (const name of row.quoted) assert(name in endpoint.parameters, `${endpoint.operationId} ${name}`);
  }
});

test('the client has one URL function per file and picture of an organization', async () => {
  const paths = (await allEndpoints()).filter(isAddress).map(({ path }) => path);
  const addresses = functions.filter((one) => !('method' in one));
  assert.deepEqual(addresses.map(({ path }) => path.replaceAll('{+', '{')).sort(), paths.sort());
  for (const url of ['/avatar/{user}', '/user_uploads/{realm_id_str}/{filename}'])
    assert(paths.some((path) => path === url));
});

test('a URL function fills in and encodes the parameters', () => {
  const url = operations.fileUrl({ url: 'https://chat.example.com' }, { realm_id_str: 2, filename: 'ab/a b.txt' });
  assert.equal(url, 'https://chat.example.com/user_uploads/2/ab/a%20b.txt');
  assert.throws(
    () => operations.fileUrl({ url: 'https://a.example' }, { realm_id_str: 2, filename: 'a/../../x' }),
    TypeError,
  );
});

/** The compiler checks that values of the contract's types have the generated types. */
type Assignable<From extends To, To> = [From, To];
type StateFields = 'queue_id' | 'realm_users' | 'subscriptions' | 'unread_msgs' | 'realm_user_groups' | 'user_settings';
export type Checks = [
  Assignable<Static<typeof message>, types.Message>,
  Assignable<Static<typeof user>, types.User>,
  Assignable<Static<typeof channel>, types.Channel>,
  Assignable<Static<typeof messageEvent>, types.EventOfType<'message'>>,
  Assignable<Static<typeof realmUserEvent>, types.EventOfType<'realm_user'>>,
  Assignable<Static<typeof streamEvent>, types.EventOfType<'stream'>>,
  Assignable<
    Pick<Static<(typeof registering.registerQueue)['response']>, StateFields>,
    Pick<types.InitialState, StateFields>
  >,
  Assignable<Static<(typeof messages.getMessages)['response']>, operations.GetMessagesResponse>,
  Assignable<Arguments<typeof messages.sendMessage>, operations.SendMessageParameters>,
  Assignable<Arguments<typeof subscriptions.subscribe>, operations.SubscribeParameters>,
];
