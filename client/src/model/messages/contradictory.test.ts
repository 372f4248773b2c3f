import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isContradictory } from './contradictory.ts';
import type { Term } from './narrow.ts';

const CHANNEL: Term = { operator: 'channel', operand: 5 };
const DIRECT: Term = { operator: 'dm', operand: [3] };

test('conditions contradict each other if some ask for channel messages and others for direct ones', () => {
  const ofChannels: readonly Term[] = [
    CHANNEL,
    { operator: 'channels', operand: 'public' },
    { operator: 'topic', operand: 'looms' },
    { operator: 'is', operand: 'dm', negated: true },
  ];
  const ofPeople: readonly Term[] = [
    DIRECT,
    { operator: 'dm-including', operand: 3 },
    { operator: 'is', operand: 'dm' },
  ];
  for (const one of ofChannels) {
    for (const other of ofPeople) assert(isContradictory([one, other]), JSON.stringify([one, other]));
    assert(!isContradictory([one, CHANNEL]), JSON.stringify(one));
  }
  for (const one of ofPeople) assert(!isContradictory([one, DIRECT]), JSON.stringify(one));
});

test('negated places and other conditions contradict nothing', () => {
  const free: readonly Term[] = [
    { ...CHANNEL, negated: true },
    { operator: 'topic', operand: 'looms', negated: true },
    { ...DIRECT, negated: true },
    { operator: 'dm-including', operand: 3, negated: true },
    { operator: 'is', operand: 'starred' },
    { operator: 'sender', operand: 3 },
    { operator: 'search', operand: 'dm' },
  ];
  for (const one of free)
    assert(!isContradictory([one, CHANNEL]) && !isContradictory([one, DIRECT]), JSON.stringify(one));
});
