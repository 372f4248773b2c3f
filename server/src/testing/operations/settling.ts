import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/** Changes a user's own settings, the defaults of new users, or quiet hours. */
export interface Settling {
  readonly do: 'settle' | 'settle defaults' | 'hush';
  readonly who: number;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Excludes general notification settings: older clients receive their effect on subscriptions only with the next
 * registration. Also excludes the synchronization of drafts, which clients notice only by the setting.
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

const quietHours = fc.oneof(
  fc.constantFrom({ paused_until: null }, { except_direct_messages: true }, { schedule: [] }),
  fc.constantFrom(1, 2).map((hours) => ({ paused_until: Math.floor(Date.now() / 1000) + hours * 3600 })),
  fc.constantFrom(0, 60).map((to) => ({ schedule: [{ days: [1, 2, 3, 4, 5, 6, 7], from: 0, to }] })),
);

export function settling(who: fc.Arbitrary<number>): fc.Arbitrary<Settling> {
  return fc.oneof(
    { weight: 4, arbitrary: settlingOf(who) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('hush' as const), who, settings: quietHours }) },
  );
}

function settlingOf(who: fc.Arbitrary<number>): fc.Arbitrary<Settling> {
  return fc.record({
    do: fc.constantFrom('settle' as const, 'settle' as const, 'settle defaults' as const),
    who,
    settings,
  });
}

const PATHS = {
  settle: '/settings',
  'settle defaults': '/realm/user_settings_defaults',
  hush: '/users/me/quiet_hours',
} as const;

/** Performs the operation. Ignores refusals. */
export async function performSettling(operation: Settling, person: TestClient): Promise<void> {
  await person.call('PATCH', PATHS[operation.do], operation.settings);
}
