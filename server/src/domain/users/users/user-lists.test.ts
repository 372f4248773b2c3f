import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MutableDirectory } from '../../../directory/mutable-directory.ts';
import { Role } from '../../../directory/records.ts';
import type { StateDelta } from '../../../directory/state-deltas.ts';
import { isShared, type RawJson } from '../../../http/answers/raw-json.ts';
import { putUser, smallDirectory } from '../../../testing/database/small-directory.ts';
import { fc } from '../../../testing/random/property.ts';
import { type ProfileDelta, profilesPart } from '../profile-fields/profiles.ts';
import { presentListed } from './present.ts';
import { USERS_PER_CHUNK, UserChunks } from './user-chunks.ts';
import { prepareUserLists, userLists } from './user-lists.ts';

/** This number of users takes three chunks. */
const PEOPLE = 2 * USERS_PER_CHUNK + 20;
const READER = 3;
const FIELD = {
  id: 1,
  name: 'Field',
  type: 1,
  hint: '',
  data: '',
  position: 1,
  isRequired: false,
  isEditableByUser: true,
  isInSummary: false,
};

function organization(): MutableDirectory {
  const directory = smallDirectory({}, {}, [profilesPart]);
  for (let id = 1; id <= PEOPLE; id++) putUser(directory, id, Role.member);
  directory.indexOf(profilesPart).putField(FIELD);
  return directory;
}

function change(directory: MutableDirectory, ...deltas: readonly (StateDelta | ProfileDelta)[]): void {
  const id = directory.appliedThrough + 1;
  directory.apply({
    organizationId: 1,
    id,
    ephemeral: false,
    type: 'realm_user',
    audience: { to: 'everyone' },
    body: {},
    deltas,
  });
}

function parsed({ body }: RawJson): unknown {
  return JSON.parse(Array.isArray(body) ? Buffer.concat(body).toString() : body.toString());
}

const aUser = fc.integer({ min: 1, max: PEOPLE });

/** The changes that affect the lists. */
const aChange: fc.Arbitrary<(directory: MutableDirectory) => StateDelta | ProfileDelta> = fc.oneof(
  fc.tuple(aUser, fc.boolean(), fc.string()).map(([id, isActive, fullName]) => (directory: MutableDirectory) => {
    const user = directory.user(id);
    assert(user !== undefined);
    return { delta: 'user', user: { ...user, isActive, fullName } } as const;
  }),
  fc.tuple(aUser, fc.constantFrom(1, 4)).map(([id, email_address_visibility]) => (directory: MutableDirectory) => {
    const user = directory.user(id);
    assert(user !== undefined);
    return { delta: 'user', user: { ...user, settings: { email_address_visibility } } } as const;
  }),
  fc.constant((directory: MutableDirectory) => {
    const [user] = directory.users.values();
    assert(user !== undefined);
    const id = directory.users.size + 1;
    const email = `user${id}@example.com`;
    return { delta: 'user', user: { ...user, id, email, deliveryEmail: email } } as const;
  }),
  fc.tuple(aUser, fc.string()).map(
    ([userId, value]) =>
      () =>
        ({ delta: 'profile-value', fieldId: FIELD.id, userId, value }) as const,
  ),
  fc
    .boolean()
    .map(
      (isThere) => () =>
        isThere
          ? ({ delta: 'profile-field', field: FIELD } as const)
          : ({ delta: 'profile-field-gone', fieldId: FIELD.id } as const),
    ),
);

test('user lists match the current directory, whichever chunks were cached before a change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(aChange, fc.boolean()), { maxLength: 8 }), async (changes) => {
      const directory = organization();
      const options = { clientGravatar: true, isIncomplete: false };
      const check = (): void => {
        const reader = directory.user(READER);
        assert(reader !== undefined);
        const lists = userLists(directory, reader, options);
        const presentation = { clientGravatar: true, withProfileData: true, reader };
        const listed = (isActive: boolean) => {
          const users = [...directory.users.values()].filter((user) => user.isActive === isActive);
          return JSON.parse(JSON.stringify(users.map((user) => presentListed(directory, user, presentation))));
        };
        assert.deepEqual(parsed(lists.realm_users), listed(true));
        assert.deepEqual(parsed(lists.realm_non_active_users), listed(false));
      };
      check();
      for (const [makeDelta, isPrepared] of changes) {
        const reader = directory.user(READER);
        assert(reader !== undefined);
        const prepared = isPrepared ? prepareUserLists(directory, reader, options) : undefined;
        change(directory, makeDelta(directory));
        await prepared;
        check();
      }
    }),
    { numRuns: 20 },
  );
});

test('a change of one user rebuilds only that user’s chunk', () => {
  const directory = organization();
  let made = 0;
  const chunks = new UserChunks((_, users) => {
    made += users.length;
    return users.length;
  });
  assert.deepEqual(chunks.of(directory), [USERS_PER_CHUNK, USERS_PER_CHUNK, 20]);
  assert.equal(made, PEOPLE);
  change(directory, { delta: 'profile-value', fieldId: FIELD.id, userId: PEOPLE, value: 'x' });
  assert.deepEqual(chunks.of(directory), [USERS_PER_CHUNK, USERS_PER_CHUNK, 20]);
  assert.equal(made, PEOPLE + 20);
});

test('preparing chunks yields between them, and rebuilds chunks that change meanwhile', async () => {
  const directory = organization();
  let made = 0;
  let most = 0;
  const chunks = new UserChunks((_, users) => {
    made += 1;
    return users.map(({ fullName }) => fullName);
  });
  let isOver = false;
  const others = (): void => {
    most = Math.max(most, made);
    made = 0;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const prepared = chunks.prepare(directory);
  const user = directory.user(PEOPLE);
  assert(prepared !== undefined && user !== undefined);
  change(directory, { delta: 'user', user: { ...user, fullName: 'Somebody else' } });
  await prepared;
  isOver = true;
  assert.equal(most, 1);
  made = 0;
  assert.equal(chunks.of(directory).flat().at(-1), 'Somebody else');
  assert.equal(made, 0);
  assert.equal(chunks.prepare(directory), undefined);
});

test('after a change of one user, the list has the same pieces for the others, so they are not compressed again', () => {
  const directory = organization();
  const pieces = (): readonly Buffer[] => {
    const reader = directory.user(READER);
    assert(reader !== undefined);
    const { body } = userLists(directory, reader, { clientGravatar: true, isIncomplete: false }).realm_users;
    assert(Array.isArray(body));
    return body.filter(isShared);
  };
  const before = pieces();
  assert.equal(before.length, 3);
  const again = pieces();
  assert.ok(before.every((piece, index) => piece === again[index]));
  const user = directory.user(PEOPLE);
  assert(user !== undefined);
  change(directory, { delta: 'user', user: { ...user, fullName: 'Somebody else' } });
  const after = pieces();
  assert.deepEqual(
    before.map((piece, index) => piece === after[index]),
    [true, true, false],
  );
});
