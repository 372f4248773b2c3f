import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROFILE_FIELD_TYPES, type ProfileFieldRecord } from '@heddle/client/model/people/profile-fields.ts';
import { CUSTOM_SERVICE, dataOf, emptyForm, formOf, isComplete, withNewOption } from './field-form.ts';

const form = emptyForm('github');

test('options keep their keys when they move, and new options get unused keys', () => {
  const data = { 0: { text: 'Wool', order: '2' }, 4: { text: 'Silk', order: '1' } };
  const field: ProfileFieldRecord = {
    id: 1,
    name: 'Yarn',
    type: PROFILE_FIELD_TYPES.select,
    hint: '',
    data,
    order: 1,
    isRequired: false,
    isEditableByUser: true,
    isInSummary: false,
  };
  const { options } = formOf(field);
  assert.deepEqual(options, [
    { key: '4', text: 'Silk' },
    { key: '0', text: 'Wool' },
  ]);
  const more = withNewOption(options).map((one) => (one.text === '' ? { ...one, text: ' Linen ' } : one));
  assert.deepEqual(dataOf({ ...formOf(field), options: withNewOption(more) }), {
    4: { text: 'Silk', order: '1' },
    0: { text: 'Wool', order: '2' },
    5: { text: 'Linen', order: '3' },
  });
});

test('an account of another service needs a URL with the place of the name', () => {
  const account = { ...form, type: PROFILE_FIELD_TYPES.externalAccount };
  assert(isComplete(account), 'all clients know the service, so it needs no name');
  const custom = { ...account, service: CUSTOM_SERVICE, name: 'Mastodon', urlPattern: 'https://example.com/' };
  assert(!isComplete(custom));
  const url_pattern = 'https://example.com/%(username)s';
  assert(isComplete({ ...custom, urlPattern: url_pattern }));
  assert.deepEqual(dataOf({ ...custom, urlPattern: url_pattern }), { subtype: 'custom', url_pattern });
  assert.deepEqual(dataOf(account), { subtype: 'github' });
});

test('a list needs an option, and every other field a name', () => {
  assert(!isComplete({ ...form, type: PROFILE_FIELD_TYPES.select, name: 'Yarn' }));
  assert(!isComplete(form));
  assert(isComplete({ ...form, name: 'Town' }));
  assert.deepEqual(dataOf({ ...form, name: 'Town' }), {});
});
