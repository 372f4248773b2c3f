import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { userRecord } from '@heddle/client/model/people/user-record.ts';
import { Role } from '../../../directory/records.ts';
import { putUser, smallDirectory } from '../../../testing/database/small-directory.ts';
import { fc } from '../../../testing/random/property.ts';
import { startTestServer } from '../../../testing/server/server.ts';
import { profilesPart } from '../profile-fields/profiles.ts';
import { presentBrief, presentListed } from './present.ts';

const server = await startTestServer();
after(() => server.stop());

const USUAL = ['date_joined', 'email', 'full_name', 'role', 'user_id'];

// rules: register-32
test('with the capability brief_users, users have no fields with the usual value, and other clients get all fields', async () => {
  await server.user({ name: 'Ada' });
  const ask = async (capabilities: object) => {
    const parameters = { fetch_event_types: ['realm_user'], client_capabilities: capabilities };
    const { realm_users } = await server.owner.ok('POST', '/register', parameters);
    const user = realm_users.find(({ full_name }: { full_name: string }) => full_name === 'Ada');
    return Object.keys(user).sort();
  };
  assert.deepEqual(await ask({ brief_users: true }), USUAL);
  const all = await ask({});
  for (const name of ['is_owner', 'is_bot', 'bot_type', 'timezone', 'avatar_url', 'profile_data']) {
    assert.ok(all.includes(name), name);
  }
});

const FIELD = {
  id: 1,
  name: 'Craft',
  type: 1,
  hint: '',
  data: '',
  position: 1,
  isRequired: false,
  isEditableByUser: true,
  isInSummary: false,
};

const someone = fc.record({
  role: fc.constantFrom(Role.owner, Role.administrator, Role.moderator, Role.member, Role.guest),
  readerRole: fc.constantFrom(Role.owner, Role.member, Role.guest),
  fields: fc.record({
    isBot: fc.boolean(),
    botType: fc.constantFrom(null, 1, 3),
    botOwnerId: fc.constantFrom(null, 2),
    timezone: fc.constantFrom('', 'Europe/Berlin'),
    avatarVersion: fc.constantFrom(1, 4),
    deliveryEmail: fc.constantFrom('user5@example.com', 'real@example.com'),
    settings: fc.constantFrom({}, { email_address_visibility: 4 }),
  }),
  avatarFile: fc.constantFrom(undefined, 'picture'),
  clientGravatar: fc.boolean(),
  value: fc.constantFrom(undefined, 'Weaver'),
});

// rules: register-32
test('a client reads the same from a brief user as from one with all fields', () => {
  fc.assert(
    fc.property(someone, ({ role, readerRole, fields, avatarFile, clientGravatar, value }) => {
      const directory = smallDirectory({}, {}, [profilesPart]);
      const reader = putUser(directory, 2, readerRole);
      const bot = fields.isBot ? {} : { botType: null, botOwnerId: null };
      const user = putUser(directory, 5, role, { ...fields, ...bot, ...(avatarFile !== undefined && { avatarFile }) });
      const profiles = directory.indexOf(profilesPart);
      profiles.putField(FIELD);
      if (value !== undefined) profiles.putValue(FIELD.id, user.id, { value, html: value });
      const presentation = { clientGravatar, reader };
      const brief = presentBrief(directory, user, presentation);
      const listed = presentListed(directory, user, { ...presentation, withProfileData: true });
      assert.deepEqual(userRecord(brief, true), userRecord(listed, true));
    }),
  );
});
