import assert from 'node:assert/strict';
import type { Json } from '../clients/json.ts';

/**
 * Applies events about the settings of the user and about the defaults of new users, as a client does. A part of
 * `Picture` (fold.ts).
 */
export function changeOwnSettings(state: Json, event: Json): void {
  const { type, op, property, value, setting_name, notification_name, setting, language_name } = event;
  const name = property ?? setting_name ?? notification_name;
  assert.equal(language_name !== undefined, name === 'default_language' && type !== 'realm_user_settings_defaults');
  switch (type) {
    case 'user_settings':
    case 'realm_user_settings_defaults': {
      assert.equal(op, 'update');
      assert(name in state[type], `the client knows ${name}`);
      state[type][name] = value;
      break;
    }
    default:
      assert(name in state, `the client knows ${name}`);
      state[name] = setting;
  }
}
