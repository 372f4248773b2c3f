/** Each property is broken by the histories that it forbids, and by no other. What it shows of a history breaks it as well. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Done, History, Stored } from '../history/records.ts';
import type { Check } from '../history/violation.ts';
import {
  access,
  fault,
  login,
  loss,
  message,
  other,
  planned,
  poll,
  read,
  registration,
  send,
  unacknowledged,
} from '../testing/samples.ts';
import { checkAccess } from './access.ts';
import { checkEventOrder } from './event-order.ts';
import { checkExactlyOnce } from './exactly-once.ts';
import { checkJobs } from './jobs.ts';
import { checkLiveness } from './liveness.ts';
import { checkLogins } from './logins.ts';
import { checkRealTime } from './real-time.ts';
import { checkState } from './state.ts';

/** Fails unless the check finds a violation that says this, and finds it again in what it shows. */
function breaks(check: Check, history: History, says: RegExp): void {
  const [violation] = check(history);
  assert(violation !== undefined, `no violation of ${says}`);
  assert.match(violation.says, says);
  const [again] = check(violation.records);
  assert.equal(again?.says, violation.says, 'the shown records break the property alone');
  assert(violation.records.length <= history.length);
}

function holds(check: Check, history: History): void {
  assert.deepEqual(check(history), []);
}

const stored = (...messages: Stored['messages']): Stored => ({ kind: 'stored', at: 'two', messages });
const done = (times: number): Done => ({ kind: 'done', name: 'later', times });

describe('1: each message exactly once', () => {
  const sent = [send(0, 1), send(20, 2), unacknowledged(40, 3, 'unknown'), unacknowledged(60, 4, 'refused')];

  test('all acknowledged messages are stored, and unknown ones may be', () => {
    holds(checkExactlyOnce, [...sent, stored(message(1), message(2))]);
    holds(checkExactlyOnce, [...sent, stored(message(1), message(2), message(3))]);
  });

  test('an acknowledged message is missing, doubled, or has another id', () => {
    breaks(checkExactlyOnce, [...sent, stored(message(1))], /acknowledged message "message 2" is not stored at two/);
    const doubled = stored(message(1), message(2), message(5, 'message 2'));
    breaks(checkExactlyOnce, [...sent, doubled], /is stored 2 times/);
    breaks(checkExactlyOnce, [...sent, stored(message(1), message(7, 'message 2'))], /has the id 7 instead of 2/);
  });

  test('an unknown message is doubled, or a refused one is stored', () => {
    const doubled = stored(message(1), message(2), message(3), message(5, 'message 3'));
    breaks(checkExactlyOnce, [...sent, doubled], /unknown message "message 3" is stored 2 times/);
    breaks(
      checkExactlyOnce,
      [...sent, stored(message(1), message(2), message(4))],
      /refused message "message 4" is stored/,
    );
  });

  test('a promotion with loss can lose what was acknowledged just before it, and nothing else', () => {
    holds(checkExactlyOnce, [...sent, loss(15, 25), stored(message(1))]);
    breaks(checkExactlyOnce, [...sent, loss(15, 25), stored(message(2))], /"message 1" is not stored/);
  });

  test('a queue that lived has each message once', () => {
    const queue = [registration(0, 'ben'), send(20, 1), send(40, 2)];
    holds(checkExactlyOnce, [...queue, poll(30, 'ben', [message(1)]), poll(50, 'ben', [message(2)])]);
    // It may have ended before the second one.
    holds(checkExactlyOnce, [...queue, poll(30, 'ben', [message(1)])]);
    breaks(checkExactlyOnce, [...queue, poll(50, 'ben', [message(2)])], /"message 1" did not come to the queue of ben/);
    const twice = [poll(30, 'ben', [message(1)]), poll(50, 'ben', [message(1), message(2)])];
    breaks(checkExactlyOnce, [...queue, ...twice], /"message 1" came 2 times/);
  });

  test('a promotion with loss ends a queue, so that later messages need not come', () => {
    const before = [registration(0, 'ben'), send(20, 4), poll(40, 'ben', [message(4)])];
    holds(checkExactlyOnce, [...before, loss(15, 60), send(80, 3)]);
    breaks(checkExactlyOnce, [...before, send(80, 3)], /"message 3" did not come/);
  });

  test('a queue has no refused message, and none that its client cannot read must come', () => {
    const queue = [registration(0, 'ben'), unacknowledged(20, 1, 'refused')];
    breaks(checkExactlyOnce, [...queue, poll(30, 'ben', [message(1)])], /refused message "message 1" came/);
    const hidden = [registration(0, 'ben'), send(20, 1, { readers: ['ada'] }), send(40, 2)];
    holds(checkExactlyOnce, [...hidden, poll(50, 'ben', [message(2)])]);
  });
});

describe('2: ids of events', () => {
  const queues = [registration(0, 'ada'), registration(0, 'ben')];

  test('readers agree on the events of an epoch', () => {
    holds(checkEventOrder, [...queues, poll(20, 'ada', [message(1), message(2)]), poll(20, 'ben', [message(1)])]);
    const other = poll(20, 'ben', [message(1, 'another')]);
    breaks(
      checkEventOrder,
      [...queues, poll(20, 'ada', [message(1)]), other],
      /event 1 is message 1 "message 1" for ada/,
    );
  });

  test('a new epoch gives the ids again', () => {
    const later = registration(200, 'ben', { queue: 'second' });
    const again = poll(220, 'ben', [message(1, 'another')], { queue: 'second' });
    holds(checkEventOrder, [...queues, poll(20, 'ada', [message(1)]), loss(100, 150), later, again]);
  });

  test('a reader receives events in order, and none twice', () => {
    const first = poll(20, 'ada', [message(2)]);
    breaks(checkEventOrder, [...queues, first, poll(40, 'ada', [message(1)])], /received event 1 after event 2/);
    breaks(checkEventOrder, [...queues, first, poll(40, 'ada', [message(2)])], /received event 2 after event 2/);
  });

  test('the log has no gap', () => {
    holds(checkEventOrder, [{ kind: 'logged', ids: [4, 5, 6] }]);
    breaks(checkEventOrder, [{ kind: 'logged', ids: [4, 5, 7] }], /event 7 follows event 5/);
  });
});

describe('3: real time', () => {
  test('a later send has a larger id, and concurrent ones have any', () => {
    holds(checkRealTime, [send(0, 1), send(20, 2)]);
    holds(checkRealTime, [send(0, 2), send(5, 1)]);
    breaks(checkRealTime, [send(0, 2), send(20, 1)], /message 1 was sent after message 2 was acknowledged/);
  });

  test('a promotion with loss gives ids again', () => {
    holds(checkRealTime, [send(0, 2), loss(5, 15), send(20, 1)]);
  });

  test('a client finds what it has sent, received or read', () => {
    const missing = read(40, [message(1), message(3)]);
    holds(checkRealTime, [send(0, 2), read(40, [message(1), message(2), message(3)])]);
    breaks(checkRealTime, [send(0, 2), missing], /ada saw message 2 at one, and did not find it later/);
    breaks(checkRealTime, [poll(20, 'ada', [message(2)]), missing], /saw message 2/);
    breaks(checkRealTime, [read(20, [message(1), message(2)]), missing], /saw message 2/);
  });

  test('a read may lack what its client has not seen before, and what is older', () => {
    holds(checkRealTime, [send(35, 2), read(40, [message(1), message(3)])]);
    holds(checkRealTime, [send(0, 2, { client: 'ben' }), read(40, [message(1), message(3)])]);
    holds(checkRealTime, [send(0, 1), read(40, [message(2), message(3)])]);
  });
});

test('4: a state that differs from a registration breaks the property', () => {
  const comparison = { kind: 'comparison', client: 'ada', begin: 0, end: 10 } as const;
  holds(checkState, [comparison]);
  breaks(checkState, [comparison, { ...comparison, difference: '+ starred' }], /the state of ada/);
});

describe('5: access', () => {
  const queue = registration(0, 'ben');

  test('a reader receives the messages between the begin and the end of the access', () => {
    const history = [
      queue,
      access(20, true),
      send(40, 1),
      access(60, false),
      send(80, 2),
      access(100, true),
      send(120, 3),
    ];
    holds(checkAccess, [...history, poll(140, 'ben', [message(1), message(3)])]);
    breaks(checkAccess, [...history, poll(140, 'ben', [message(3)])], /ben missed "message 1" after the begin/);
    const all = poll(140, 'ben', [message(1), message(2), message(3)]);
    breaks(checkAccess, [...history, all], /ben received "message 2" after the end/);
  });

  test('a message beside a change may come or not', () => {
    const history = [queue, access(20, true), send(55, 1), access(60, false), send(65, 2)];
    holds(checkAccess, [...history, poll(140, 'ben', [message(1), message(2)])]);
    holds(checkAccess, [...history, poll(140, 'ben', [])]);
  });

  test('a promotion with loss can undo a change', () => {
    const undone = [queue, access(20, true), access(40, false), loss(30, 60)];
    holds(checkAccess, [...undone, send(80, 1), poll(100, 'ben', [message(1)])]);
  });

  test('a change without an outcome can take effect later', () => {
    const unknown = access(20, true, { outcome: 'unknown' });
    holds(checkAccess, [queue, unknown, access(40, false), send(60, 1), poll(80, 'ben', [message(1)])]);
  });
});

describe('6: jobs', () => {
  test('acknowledged work happens once, unknown work at most once, and refused work never', () => {
    const scheduled = planned('scheduled message');
    holds(checkJobs, [scheduled, done(1)]);
    holds(checkJobs, [planned('scheduled message', { outcome: 'unknown' }), done(0)]);
    breaks(checkJobs, [scheduled, done(0)], /"later" did not happen/);
    breaks(checkJobs, [scheduled, done(2)], /"later" happened 2 times/);
    breaks(checkJobs, [planned('mail', { outcome: 'refused' }), done(1)], /refused mail "later" happened 1 times/);
  });

  test('a mail is sent twice only if a process died', () => {
    const mail = planned('mail');
    breaks(checkJobs, [mail, done(2)], /happened 2 times/);
    holds(checkJobs, [mail, fault(5, 10, { kills: true }), done(2)]);
    holds(checkJobs, [mail, loss(50, 60), done(2)]);
    breaks(checkJobs, [mail, fault(5, 10, { kills: true }), done(3)], /happened 3 times/);
    breaks(checkJobs, [planned('scheduled message'), fault(5, 10, { kills: true }), done(2)], /happened 2 times/);
  });
});

describe('7: liveness', () => {
  const limits = { requestMs: 2_000, pollMs: 7_000, recoveryMs: 2_000 };
  const check: Check = (history) => checkLiveness(history, limits);
  const slow = (begin: number, more: object = {}) => other(begin, { end: begin + 2_500, ...more });
  const failed = (begin: number) => other(begin, { outcome: 'unknown', status: 502 });

  test('a request ends in time, except at a host that a fault silences', () => {
    holds(check, [other(0)]);
    breaks(check, [slow(0)], /a status of ada at one took 2500 ms/);
    holds(check, [fault(1_000, 3_000), slow(0)]);
    breaks(check, [fault(1_000, 3_000), slow(0, { at: 'two' })], /at two took 2500 ms/);
    breaks(check, [fault(1_000, 3_000), slow(6_000)], /took 2500 ms/);
  });

  test('a poll is held', () => {
    holds(check, [poll(0, 'ada', [], { end: 6_000 })]);
    breaks(check, [poll(0, 'ada', [], { end: 7_500 })], /a poll of ada at one took 7500 ms/);
  });

  test('requests succeed soon after a fault', () => {
    holds(check, [fault(0, 1_000), failed(500), failed(2_900)]);
    breaks(check, [fault(0, 1_000), failed(3_100)], /failed 2100 ms after the last fault \(502\)/);
    breaks(check, [failed(0)], /failed without a fault/);
    // A request that a rule refuses has succeeded.
    holds(check, [login(0, 429)]);
  });

  test('a queue ends only with a loss', () => {
    const history = [registration(0, 'ada'), poll(100, 'ada', [], { outcome: 'refused', status: 400, isGone: true })];
    breaks(check, history, /the queue of ada ended, and nothing was lost/);
    holds(check, [...history, loss(50, 60)]);
  });
});

describe('8: failed logins', () => {
  const attempts = Array.from({ length: 10 }, (_, index) => login(index * 100));

  test('ten passwords in a window of fifteen minutes are tried, and no more', () => {
    holds(checkLogins, [...attempts, login(1_000, 429)]);
    breaks(checkLogins, [...attempts, login(1_000)], /11 passwords for ben were tried/);
    holds(checkLogins, [...attempts, login(15 * 60_000 + 1_000)]);
  });

  test('attempts during a fault of the database do not count', () => {
    holds(checkLogins, [...attempts, fault(950, 2_000), login(1_000)]);
  });
});
