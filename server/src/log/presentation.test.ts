import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { LoggedEvent } from './event.ts';
import { Presenters } from './presentation.ts';
import type { Queue, QueueSettings } from './queue.ts';

const event: LoggedEvent = {
  organizationId: 1,
  id: 7,
  type: 'word',
  audience: { to: 'everyone' },
  body: 'hello',
  ephemeral: false,
};

/** A queue with the given changes to the default settings. */
function queueOf(userId: number, settings: Partial<QueueSettings> = {}): Queue {
  return {
    id: `queue of ${userId}`,
    organizationId: 1,
    userId,
    client: 'test',
    epoch: null,
    settings: {
      eventTypes: null,
      narrow: [],
      allPublicChannels: false,
      applyMarkdown: true,
      clientGravatar: true,
      slimPresence: true,
      includeSubscribers: 'false',
      capabilities: {} as QueueSettings['capabilities'],
      ...settings,
    },
    lastFetchedAt: 0,
    start: 0,
    acknowledgedId: 0,
    clearFrom: 0,
    clearThrough: 0,
    dirty: false,
  };
}

const directory = { user: (id: number) => ({ id }) };

test('I4: an event is presented once for each variant, for any number of readers; personal fields are spliced in', () => {
  const presenters = new Presenters();
  let presented = 0;
  presenters.add('word', {
    variant: ({ applyMarkdown }) => `${applyMarkdown}`,
    present(event, { applyMarkdown }) {
      presented += 1;
      return { type: 'word', text: applyMarkdown ? `<p>${event.body}</p>` : event.body };
    },
    personal: (_, { userId }) => (userId % 2 === 0 ? '' : `"reader":${userId}`),
  });
  for (let userId = 0; userId < 1000; userId++) {
    const applyMarkdown = userId < 500;
    const text = presenters
      .serialize(event, queueOf(userId, { applyMarkdown, clientGravatar: userId % 3 === 0 }), { id: userId }, directory)
      ?.toString();
    assert.deepEqual(JSON.parse(text ?? ''), {
      id: 7,
      type: 'word',
      text: applyMarkdown ? '<p>hello</p>' : 'hello',
      ...(userId % 2 === 1 && { reader: userId }),
    });
  }
  assert.equal(presented, 2);
});

test('I4: a variant that omits an event is also asked only once', () => {
  const presenters = new Presenters();
  let asked = 0;
  presenters.add('word', {
    present() {
      asked += 1;
      return null;
    },
  });
  for (let userId = 0; userId < 10; userId++)
    assert.equal(presenters.serialize(event, queueOf(userId), { id: userId }, directory), null);
  assert.equal(asked, 1);
});

test('an event cannot be presented if its presenter does not handle the form of its body', () => {
  const presenters = new Presenters();
  presenters.add('word', {
    present({ body }) {
      switch (body as 'hello') {
        case 'hello':
          return { type: 'word' };
      }
    },
  });
  assert(presenters.serialize(event, queueOf(1), { id: 1 }, directory));
  const later = { ...event, body: 'welcome' };
  assert.throws(() => presenters.serialize(later, queueOf(1), { id: 1 }, directory), /does not know/);
});

test('a queue wants the types that it asked for, as far as their presenters agree', () => {
  const presenters = new Presenters();
  presenters.add('word', {
    present: () => ({ type: 'word' }),
    wants: (_, { settings }) => settings.narrow.length === 0,
  });
  assert.equal(presenters.wanted(event, queueOf(1), { id: 1 }, directory), true);
  assert.equal(presenters.wanted(event, queueOf(1, { eventTypes: ['word'] }), { id: 1 }, directory), true);
  assert.equal(presenters.wanted(event, queueOf(1, { eventTypes: ['message'] }), { id: 1 }, directory), false);
  assert.equal(presenters.wanted(event, queueOf(1, { narrow: [['topic', 'a']] }), { id: 1 }, directory), false);
});

test('each type has one presenter', () => {
  const presenters = new Presenters();
  presenters.add('word', { present: () => ({ type: 'word' }) });
  assert.throws(() => presenters.add('word', { present: () => null }), /two presenters/);
  assert.throws(
    () => presenters.wanted({ ...event, type: 'unknown' }, queueOf(1), { id: 1 }, directory),
    /no presenter/,
  );
});

test('an event that cannot be presented is counted each time, and logged once per minute and type', () => {
  const presenters = new Presenters();
  const lines: { level: number; organization: number; event: number; type: string }[] = [];
  const log = pino({ level: 'error' }, { write: (line) => lines.push(JSON.parse(line)) });
  for (let id = 1; id <= 3; id++) presenters.skip({ ...event, id }, new Error('unreadable'), log);
  presenters.skip({ ...event, id: 4, type: 'other' }, new Error('unreadable'), log);
  assert.equal(presenters.skipped, 4);
  assert.deepEqual(
    lines.map(({ level, organization, event, type }) => ({ level, organization, event, type })),
    [
      { level: 50, organization: 1, event: 1, type: 'word' },
      { level: 50, organization: 1, event: 4, type: 'other' },
    ],
  );
});
