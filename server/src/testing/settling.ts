import fc from 'fast-check';
import type { TestClient } from './client.ts';

/** Somebody changes settings of their own, or those that new accounts begin with. */
export interface Settling {
  readonly do: 'settle' | 'settle defaults';
  readonly who: number;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Not among them: what general settings of notifications say in subscriptions, which older clients hear of when they register next,
 * and whether drafts are synchronized, of which clients hear only by the setting.
 */
const settings = fc
  .uniqueArray(
    fc.oneof(
      fc.tuple(
        fc.constantFrom('enter_sends', 'enable_sounds', 'receives_typing_notifications', 'allow_private_data_export'),
        fc.boolean(),
      ),
      fc.tuple(fc.constantFrom('automatically_follow_topics_policy'), fc.constantFrom(1, 3, 4)),
      fc.tuple(fc.constantFrom('automatically_unmute_topics_in_muted_streams_policy'), fc.constantFrom(2, 4)),
      fc.tuple(fc.constantFrom('resolved_topic_notice_auto_read_policy'), fc.constantFrom('always', 'never')),
      fc.tuple(fc.constantFrom('default_language'), fc.constantFrom('en', 'de')),
      fc.tuple(fc.constantFrom('timezone'), fc.constantFrom('UTC', 'Europe/Berlin')),
      fc.tuple(fc.constantFrom('user_list_style'), fc.constantFrom(1, 2, 3)),
    ),
    { minLength: 1, maxLength: 3, selector: ([name]) => name },
  )
  .map((chosen) => Object.fromEntries<unknown>(chosen));

export function settling(who: fc.Arbitrary<number>): fc.Arbitrary<Settling> {
  return fc.record({
    do: fc.constantFrom('settle' as const, 'settle' as const, 'settle defaults' as const),
    who,
    settings,
  });
}

/** Whatever comes of it. */
export async function performSettling(operation: Settling, person: TestClient): Promise<void> {
  const path = operation.do === 'settle' ? '/settings' : '/realm/user_settings_defaults';
  await person.call('PATCH', path, operation.settings);
}
