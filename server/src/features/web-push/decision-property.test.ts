/** Whatever the settings, presences, reads and deletions: a browser shows what a small model says. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../testing/clients/client.ts';
import { fc } from '../../testing/random/property.ts';
import { inSeconds } from '../../testing/server/due.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { TestWebPushDevice, TestWebPushService } from '../../testing/services/web-push-service.ts';
import { webPushOf } from './running.ts';

const password = 'correct horse battery';
const TOPICS = ['loom', 'shuttle'] as const;
const SETTINGS = [
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_stream_push_notifications',
  'enable_followed_topic_push_notifications',
  'enable_followed_topic_wildcard_mentions_notify',
  'wildcard_mentions_notify',
] as const;
type Setting = (typeof SETTINGS)[number];
const CHANNEL_SETTINGS = ['is_muted', 'push_notifications', 'wildcard_mentions_notify'] as const;
type ChannelSetting = (typeof CHANNEL_SETTINGS)[number];

const ALWAYS = [{ days: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 0 }];

const topic = fc.constantFrom(...TOPICS);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      kind: fc.constantFrom('direct', 'plain', 'named', 'all'),
      topic,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('set' as const), name: fc.constantFrom(...SETTINGS), value: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('channel' as const),
      name: fc.constantFrom(...CHANNEL_SETTINGS),
      value: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('policy' as const), topic, value: fc.integer({ min: 0, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('presence' as const), isThere: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('quiet' as const),
      by: fc.constantFrom('nothing', 'pause', 'schedule'),
      exceptDirect: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('read' as const, 'delete' as const), which: fc.nat({ max: 20 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** The rules of `docs/interface.md`, mobile-push-12 to -19 and quiet-6 to -8. */
class Decision {
  readonly settings: Record<Setting, boolean> = {
    enable_offline_push_notifications: true,
    enable_online_push_notifications: true,
    enable_stream_push_notifications: false,
    enable_followed_topic_push_notifications: true,
    enable_followed_topic_wildcard_mentions_notify: true,
    wildcard_mentions_notify: true,
  };
  readonly channel: Partial<Record<ChannelSetting, boolean>> = {};
  readonly policies = new Map<string, number>();
  isThere = false;
  isQuiet = false;
  exceptDirect = false;

  notifies({ kind, topic: name }: Extract<Step, { do: 'send' }>): boolean {
    const { settings, channel } = this;
    if (this.isQuiet && !(this.exceptDirect && kind === 'direct')) return false;
    if (this.isThere && !settings.enable_online_push_notifications) return false;
    const mentions = settings.enable_offline_push_notifications;
    if (kind === 'direct') return mentions;
    if (kind === 'named' && mentions) return true;
    const policy = this.policies.get(name) ?? 0;
    const isMuted = policy === 1 || (channel.is_muted === true && policy !== 2);
    const isFollowed = policy === 3;
    if (kind === 'all' && mentions) {
      if (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) return true;
      if (!isMuted && (channel.wildcard_mentions_notify ?? settings.wildcard_mentions_notify)) return true;
    }
    if (isFollowed && settings.enable_followed_topic_push_notifications) return true;
    return !isMuted && (channel.push_notifications ?? settings.enable_stream_push_notifications);
  }
}

let service: TestWebPushService;
let server: TestServer;
let sender: TestClient;
let runs = 0;
before(async () => {
  service = await TestWebPushService.start();
  server = await startTestServer({ environment: service.environment });
  sender = await server.user({ name: 'Sendra' });
});
after(async () => {
  await server.stop();
  await service.stop();
});

// rules: web-push-7, web-push-9, quiet-6, quiet-8
test('a browser shows exactly the unread messages that the model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      runs += 1;
      const person = await server.user({ password });
      const device = await TestWebPushDevice.of(person, { url: server.url, password, service });
      const stream_id = await server.emptyChannel(sender, `run ${runs}`, { principals: [person.userId] });
      const model = new Decision();
      // Else a mention changes the policy of its topic.
      const own = { ...model.settings, automatically_follow_topics_where_mentioned: false };
      await person.ok('PATCH', '/settings', own);
      const messages: { readonly id: number; readonly isDirect: boolean }[] = [];
      const expected = new Set<number>();
      for (const one of steps) {
        await act(one);
        await webPushOf(server.app).settled();
        // Else the browser would get only some removals (`silent-pushes.ts`).
        await sql`UPDATE sessions SET used_at = clock_timestamp() WHERE user_id = ${person.userId}`.execute(
          server.app.db,
        );
        assert.deepEqual(
          device.shown,
          [...expected].toSorted((a, b) => a - b),
          JSON.stringify(one),
        );
      }

      async function act(one: Step): Promise<void> {
        switch (one.do) {
          case 'send': {
            const id = await send(one);
            messages.push({ id, isDirect: one.kind === 'direct' });
            if (model.notifies(one)) expected.add(id);
            return;
          }
          case 'set':
            model.settings[one.name] = one.value;
            await person.ok('PATCH', '/settings', { [one.name]: one.value });
            return;
          case 'channel':
            model.channel[one.name] = one.value;
            await person.ok('POST', '/users/me/subscriptions/properties', {
              subscription_data: [{ stream_id, property: one.name, value: one.value }],
            });
            return;
          case 'policy':
            model.policies.set(one.topic, one.value);
            await person.ok('POST', '/user_topics', { stream_id, topic: one.topic, visibility_policy: one.value });
            return;
          case 'quiet':
            model.isQuiet = one.by !== 'nothing';
            model.exceptDirect = one.exceptDirect;
            await person.ok('PATCH', '/users/me/quiet_hours', {
              ...(one.by === 'pause' && { paused_until: inSeconds(3600) }),
              ...(one.by === 'nothing' && { paused_until: null }),
              schedule: one.by === 'schedule' ? ALWAYS : [],
              except_direct_messages: one.exceptDirect,
            });
            return;
          case 'presence':
            model.isThere = one.isThere;
            if (one.isThere) {
              await person.ok('POST', '/users/me/presence', { status: 'active' });
              await person.register({ event_types: ['message'] });
            } else {
              await sql`
                UPDATE queues SET last_fetched_at = now() - interval '2 minutes' WHERE user_id = ${person.userId}`.execute(
                server.app.db,
              );
            }
            return;
          default: {
            const [message] = messages.length === 0 ? [] : messages.splice(one.which % messages.length, 1);
            if (message === undefined) return;
            expected.delete(message.id);
            const { id, isDirect } = message;
            if (one.do === 'read')
              await person.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
            else await (isDirect ? sender : server.owner).ok('DELETE', `/messages/${id}`);
          }
        }
      }

      function send({ kind, topic: name }: Extract<Step, { do: 'send' }>): Promise<number> {
        if (kind === 'direct') return sender.direct([person.userId], 'direct');
        const texts = { plain: 'plain', named: `@**${person.name}|${person.userId}**`, all: '@**all**' };
        return sender.send(stream_id, name, texts[kind as keyof typeof texts]);
      }
    }),
    { numRuns: 12 },
  );
  assert.deepEqual(service.problems, []);
});
