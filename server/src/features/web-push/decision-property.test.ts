/** Whatever the settings, presences, quiet hours, reads, edits and deletions: browsers show what a small model says. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestClient } from '../../testing/clients/client.ts';
import { fc } from '../../testing/random/property.ts';
import { leaveClients } from '../../testing/server/away.ts';
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

const CHANNEL_KINDS = ['plain', 'named', 'group', 'all'] as const;
type ChannelKind = (typeof CHANNEL_KINDS)[number];

const topic = fc.constantFrom(...TOPICS);
const which = fc.nat({ max: 20 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      kind: fc.constantFrom('direct' as const, ...CHANNEL_KINDS),
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
    arbitrary: fc.record({ do: fc.constantFrom('read' as const, 'delete' as const, 'move' as const), which }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('edit' as const), which, kind: fc.constantFrom(...CHANNEL_KINDS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read all' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

interface Message {
  readonly id: number;
  kind: 'direct' | ChannelKind;
  topic: (typeof TOPICS)[number];
  isRead: boolean;
}

const isNamed = (kind: Message['kind']) => kind === 'named' || kind === 'group';

/** The rules of `docs/interface.md`: mobile-push-12 to -19, web-push-9 and -10, quiet-6 to -8. */
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
  /** Messages that browsers show, and whether a mention is the reason. */
  readonly #shown = new Map<number, boolean>();

  get shown(): readonly number[] {
    return [...this.#shown.keys()].toSorted((a, b) => a - b);
  }

  send({ id, kind, topic: name }: Message): void {
    if (this.#isSilent(kind === 'direct')) return;
    const { settings, channel } = this;
    const mentions = settings.enable_offline_push_notifications;
    const policy = this.policies.get(name) ?? 0;
    const isMuted = policy === 1 || (channel.is_muted === true && policy !== 2);
    const isFollowed = policy === 3;
    const notifiesAll =
      (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) ||
      (!isMuted && (channel.wildcard_mentions_notify ?? settings.wildcard_mentions_notify));
    if (mentions && (isNamed(kind) || (kind === 'all' && notifiesAll))) this.#shown.set(id, true);
    else if (kind === 'direct' && mentions) this.#shown.set(id, false);
    else if (kind === 'direct') return;
    else if (isFollowed && settings.enable_followed_topic_push_notifications) this.#shown.set(id, false);
    else if (!isMuted && this.#wantsChannel) this.#shown.set(id, false);
  }

  /** A new mention by name notifies, one of everybody does not. A mention that is gone was no reason for those who want the whole channel. */
  edit({ id, kind: before, isRead }: Message, after: ChannelKind): void {
    const isNew = isNamed(after) && !isNamed(before);
    if (isNew && !isRead && !this.#isSilent(false) && this.settings.enable_offline_push_notifications) {
      if (!this.#shown.has(id)) this.#shown.set(id, true);
    }
    if (after === 'plain' && this.#shown.get(id) === true && !this.#wantsChannel) this.#shown.delete(id);
  }

  remove(id: number): void {
    this.#shown.delete(id);
  }

  removeAll(): void {
    this.#shown.clear();
  }

  #isSilent(isDirect: boolean): boolean {
    if (this.isQuiet && !(this.exceptDirect && isDirect)) return true;
    return this.isThere && !this.settings.enable_online_push_notifications;
  }

  get #wantsChannel(): boolean {
    return this.channel.push_notifications ?? this.settings.enable_stream_push_notifications;
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

// rules: web-push-7, web-push-9, web-push-10, quiet-6, quiet-8
test('browsers show exactly the unread messages that the model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      runs += 1;
      const person = await server.user({ password });
      const devices: TestWebPushDevice[] = [];
      for (let number = 1; number <= 2; number += 1) {
        devices.push(await TestWebPushDevice.of(person, { url: server.url, password, service }));
      }
      const stream_id = await server.emptyChannel(sender, `run ${runs}`, { principals: [person.userId] });
      const members = [person.userId, sender.userId];
      await server.owner.ok('POST', '/user_groups/create', { name: `group ${runs}`, description: '', members });
      const model = new Decision();
      // Else a mention changes the policy of its topic.
      const own = { ...model.settings, automatically_follow_topics_where_mentioned: false };
      await person.ok('PATCH', '/settings', own);
      const messages: Message[] = [];
      const chosen = (index: number) => (messages.length === 0 ? undefined : messages[index % messages.length]);
      let edits = 0;
      // A topic without other messages would take its policy along.
      for (const name of TOPICS) await sender.send(stream_id, name, 'the first message');
      await webPushOf(server.app).settled();
      for (const one of steps) {
        await act(one);
        await webPushOf(server.app).settled();
        // Else the browser would get only some removals (`silent-pushes.ts`).
        await sql`UPDATE sessions SET used_at = clock_timestamp() WHERE user_id = ${person.userId}`.execute(
          server.app.db,
        );
        for (const { shown } of devices) assert.deepEqual(shown, model.shown, JSON.stringify(one));
      }

      async function act(one: Step): Promise<void> {
        switch (one.do) {
          case 'send': {
            const message = { id: await send(one), kind: one.kind, topic: one.topic, isRead: false };
            messages.push(message);
            model.send(message);
            return;
          }
          case 'edit': {
            const message = chosen(one.which);
            if (message === undefined || message.kind === 'direct') return;
            edits += 1;
            await sender.ok('PATCH', `/messages/${message.id}`, { content: `${textOf(one.kind)} ${edits}` });
            model.edit(message, one.kind);
            message.kind = one.kind;
            return;
          }
          case 'move': {
            const message = chosen(one.which);
            if (message === undefined || message.kind === 'direct') return;
            message.topic = message.topic === 'loom' ? 'shuttle' : 'loom';
            const quietly = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };
            await sender.ok('PATCH', `/messages/${message.id}`, { topic: message.topic, ...quietly });
            return;
          }
          case 'read all':
            await person.ok('POST', '/mark_all_as_read');
            for (const message of messages) message.isRead = true;
            model.removeAll();
            return;
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
              await leaveClients(server, person.userId);
            }
            return;
          case 'read': {
            const message = chosen(one.which);
            if (message === undefined) return;
            await person.ok('POST', '/messages/flags', { messages: [message.id], op: 'add', flag: 'read' });
            message.isRead = true;
            model.remove(message.id);
            return;
          }
          case 'delete': {
            const message = chosen(one.which);
            if (message === undefined) return;
            messages.splice(messages.indexOf(message), 1);
            await (message.kind === 'direct' ? sender : server.owner).ok('DELETE', `/messages/${message.id}`);
            model.remove(message.id);
          }
        }
      }

      function send({ kind, topic: name }: Extract<Step, { do: 'send' }>): Promise<number> {
        return kind === 'direct'
          ? sender.direct([person.userId], 'direct')
          : sender.send(stream_id, name, textOf(kind));
      }

      function textOf(kind: ChannelKind): string {
        const texts = {
          plain: 'plain',
          named: `@**${person.name}|${person.userId}**`,
          group: `@*group ${runs}*`,
          all: '@**all**',
        };
        return texts[kind];
      }
    }),
    { numRuns: 12 },
  );
  assert.deepEqual(service.problems, []);
});
