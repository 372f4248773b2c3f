import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelSection } from '@heddle/client/model/channels/channel-order.ts';
import { directPlace } from '@heddle/client/model/messages/places.ts';
import { fixedRows, type SidebarInput, shownTopics, sidebarRows } from './rows.ts';

const folder = {
  id: 9,
  name: 'Atelier',
  description: '',
  descriptionHtml: '',
  creatorId: 1,
  createdAt: 0,
  isArchived: false,
};
const section = (kind: ChannelSection['kind'], active: number[], muted: number[] = [], inactive: number[] = []) => ({
  kind,
  folder: kind === 'folder' ? folder : null,
  active,
  muted,
  inactive,
});
const direct = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ place: directPlace([index + 1], 0), maxId: 100 - index }));

function keys(more: Partial<SidebarInput>, closed: readonly string[] = [], opened: readonly string[] = []): string[] {
  return rowsOf(more, closed, opened).map(({ key }) => key);
}

function rowsOf(more: Partial<SidebarInput>, closed: readonly string[] = [], opened: readonly string[] = []) {
  const input: SidebarInput = {
    views: ['inbox'],
    direct: [],
    lists: { sections: [], archived: [] },
    unjoined: undefined,
    hasOtherChannels: false,
    isOpen: (name, otherwise = true) => (opened.includes(name) ? true : closed.includes(name) ? false : otherwise),
    isExpanded: () => false,
    topicsOf: () => ({ topics: [], hasMore: false, isLoading: false }),
    hasUnread: () => false,
    currentKey: undefined,
    filter: undefined,
    ...more,
  };
  return sidebarRows(input);
}

test('without an account there is no section of direct messages', () => {
  const lists = { sections: [section('other', [3])], archived: [] };
  assert.deepEqual(keys({ direct: undefined, lists }), ['section views', 'view inbox', 'section other', 'c3']);
});

test('views come first, then direct messages, then channels by section', () => {
  const lists = { sections: [section('pinned', [1]), section('folder', [2]), section('other', [3])], archived: [] };
  assert.deepEqual(keys({ direct: direct(1), lists }), [
    'section views',
    'view inbox',
    'section direct',
    'd1',
    'section pinned',
    'c1',
    'section folder-9',
    'c2',
    'section other',
    'c3',
  ]);
});

test('a closed section shows only the open conversation', () => {
  const lists = { sections: [section('other', [3, 4])], archived: [] };
  const closed = ['views', 'direct', 'other'];
  const rows = keys({ direct: direct(3), lists, currentKey: '4:logo' }, closed);
  assert.deepEqual(rows, ['section views', 'section direct', 'section other', 'c4']);
});

test('muted and inactive channels are behind a row that opens them, unless there are no others', () => {
  const lists = { sections: [section('other', [3], [4], [5])], archived: [] };
  assert.deepEqual(keys({ lists }).slice(3), ['section other', 'c3', 'quiet other']);
  assert.deepEqual(keys({ lists }, [], ['quiet other']).slice(4), ['c3', 'quiet other', 'c4', 'c5']);
  assert.deepEqual(keys({ lists: { sections: [section('other', [], [4])], archived: [] } }).slice(3), [
    'section other',
    'c4',
  ]);
});

test('eight direct conversations are shown, and all with unread messages', () => {
  const rows = keys({ direct: direct(12), hasUnread: (key) => key === 'd11' });
  assert.deepEqual(rows.slice(-3), ['d8', 'd11', 'more direct']);
});

test('a filter opens everything and leaves out what does not match', () => {
  const lists = { sections: [section('other', [3, 4], [5])], archived: [] };
  const filter = { view: () => false, direct: () => false, channel: (id: number) => id === 5 };
  assert.deepEqual(keys({ lists, filter }, ['other']), ['section other', 'c5']);
  assert.deepEqual(keys({ filter }), ['nothing']);
});

test('a filter finds topics below their channels, and people without a conversation', () => {
  const lists = { sections: [section('other', [3, 4])], archived: [] };
  const filter = {
    view: () => false,
    direct: () => false,
    channel: (id: number) => id === 4,
    topics: (id: number) => (id === 3 ? ['Logo', 'logs'] : []),
    people: [directPlace([7], 0)],
  };
  const found = ['section direct', 'd7', 'section other', 'c3', '3:logo', '3:logs', 'c4'];
  assert.deepEqual(keys({ lists, filter, direct: [] }), found);
});

test('the views stay while the others scroll, also if they are closed, but not with a filter', () => {
  const lists = { sections: [section('other', [3])], archived: [] };
  const fixed = (more: Partial<SidebarInput>, closed: readonly string[] = []) => fixedRows(rowsOf(more, closed));
  assert.equal(fixed({ lists, views: ['inbox', 'recent'] }), 3);
  assert.equal(fixed({ lists }, ['views']), 1);
  assert.equal(fixed({ lists, filter: { view: () => true, direct: () => false, channel: () => true } }), 0);
});

test('a row that leads to more channels ends the list, unless there are none or a filter is set', () => {
  const lists = { sections: [section('other', [3])], archived: [] };
  assert.deepEqual(keys({ lists, hasOtherChannels: true }).slice(-2), ['c3', 'browse']);
  assert.deepEqual(keys({ hasOtherChannels: true }).slice(-1), ['browse']);
  assert.deepEqual(keys({ lists }).slice(-1), ['c3']);
  const filter = { view: () => false, direct: () => false, channel: () => true };
  assert.deepEqual(keys({ lists, hasOtherChannels: true, filter }).slice(-1), ['c3']);
});

test('an open channel shows its topics below it', () => {
  const lists = { sections: [section('other', [3])], archived: [] };
  const topicsOf = () => ({ topics: ['Logo', ''], hasMore: true, isLoading: false });
  const rows = keys({ lists, isExpanded: (id) => id === 3, topicsOf });
  assert.deepEqual(rows.slice(-4), ['c3', '3:logo', '3:', 'all 3']);
});

test('unread topics get the room first, muted ones are left out, the current one stays, and the newest is first', () => {
  const entries = Array.from({ length: 20 }, (_, index) => ({ topic: `t${index}`, maxId: 20 - index }));
  const shown = shownTopics(entries, {
    isMuted: (topic) => topic === 't1' || topic === 't2',
    unread: (topic) => (topic === 't15' ? 3 : 0),
    isCurrent: (topic) => topic === 't2' || topic === 't18',
  });
  assert.deepEqual(shown, { topics: ['t0', 't2', 't3', 't4', 't5', 't15', 't18'], hasMore: true });
});
