import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decide,
  type NotificationContext,
  type NotificationSettings,
  type NotifiedMessage,
  type NotifiedPlace,
} from './decide.ts';

const OFF: NotificationSettings = {
  enable_desktop_notifications: false,
  enable_sounds: false,
  enable_stream_desktop_notifications: false,
  enable_stream_audible_notifications: false,
  enable_followed_topic_desktop_notifications: false,
  enable_followed_topic_audible_notifications: false,
  enable_followed_topic_wildcard_mentions_notify: false,
  wildcard_mentions_notify: false,
  notification_sound: 'zulip',
};
const PERSONAL: Partial<NotificationSettings> = { enable_desktop_notifications: true, enable_sounds: true };
const MESSAGE: NotifiedMessage = {
  senderId: 2,
  isRead: false,
  isMentioned: false,
  isChannelMentioned: false,
  isTopicMentioned: false,
  hasAlertWord: false,
};
type TopicNotified = Extract<NotifiedPlace, { kind: 'topic' }>;
const CHANNEL: NonNullable<TopicNotified['channel']> = {
  isMuted: false,
  desktopNotifications: null,
  audibleNotifications: null,
  wildcardMentionsNotify: null,
};
const DIRECT: NotifiedPlace = { kind: 'direct' };

function topic(policy: TopicNotified['policy'] = 'inherit', channel: Partial<typeof CHANNEL> = {}): NotifiedPlace {
  return { kind: 'topic', policy, channel: { ...CHANNEL, ...channel } };
}

interface Case {
  readonly rule: string;
  readonly message?: Partial<NotifiedMessage>;
  readonly settings?: Partial<NotificationSettings>;
  readonly place?: NotifiedPlace;
  readonly isSenderMuted?: boolean;
  readonly isQuiet?: boolean;
  /** What happens: the desktop (`d`), a sound (`s`), both or nothing. */
  readonly expect: 'ds' | 'd' | 's' | '';
}

const mentioned = { isMentioned: true };
const all = { isChannelMentioned: true };
const ofTopic = { isTopicMentioned: true };
const FOLLOWED_DESKTOP = { enable_followed_topic_desktop_notifications: true };
const FOLLOWED_SOUND = { enable_followed_topic_audible_notifications: true };
const FOLLOWED_ALL = { enable_followed_topic_wildcard_mentions_notify: true };

const CASES: readonly Case[] = [
  { rule: 'a direct message notifies', place: DIRECT, settings: PERSONAL, expect: 'ds' },
  { rule: 'without the setting a direct message is silent', place: DIRECT, expect: '' },
  {
    rule: 'sounds can be off alone',
    place: DIRECT,
    settings: { enable_desktop_notifications: true },
    expect: 'd',
  },
  { rule: 'the desktop can be off alone', place: DIRECT, settings: { enable_sounds: true }, expect: 's' },
  {
    rule: 'the sound "none" is silence',
    place: DIRECT,
    settings: { ...PERSONAL, notification_sound: 'none' },
    expect: 'd',
  },
  { rule: 'an own message never notifies', message: { senderId: 1 }, place: DIRECT, settings: PERSONAL, expect: '' },
  {
    rule: 'a message that was read elsewhere does not',
    message: { isRead: true },
    place: DIRECT,
    settings: PERSONAL,
    expect: '',
  },
  { rule: 'a muted person does not', isSenderMuted: true, place: DIRECT, settings: PERSONAL, expect: '' },
  { rule: 'not even with a mention', isSenderMuted: true, message: mentioned, settings: PERSONAL, expect: '' },
  { rule: 'quiet hours silence direct messages', isQuiet: true, place: DIRECT, settings: PERSONAL, expect: '' },
  { rule: 'and mentions', isQuiet: true, message: mentioned, settings: PERSONAL, expect: '' },
  {
    rule: 'and followed topics',
    isQuiet: true,
    place: topic('followed'),
    settings: { ...FOLLOWED_DESKTOP, ...FOLLOWED_SOUND },
    expect: '',
  },
  { rule: 'a message of a channel is silent', settings: PERSONAL, expect: '' },
  { rule: 'a mention notifies', message: mentioned, settings: PERSONAL, expect: 'ds' },
  { rule: 'a mention without the setting does not', message: mentioned, expect: '' },
  { rule: 'an alert word notifies', message: { hasAlertWord: true }, settings: PERSONAL, expect: 'ds' },
  {
    rule: 'an alert word in a muted topic does not',
    message: { hasAlertWord: true },
    place: topic('muted'),
    settings: PERSONAL,
    expect: '',
  },
  {
    rule: 'a mention is stronger than a muted topic',
    message: mentioned,
    place: topic('muted'),
    settings: PERSONAL,
    expect: 'ds',
  },
  {
    rule: 'and stronger than a muted channel',
    message: mentioned,
    place: topic('inherit', { isMuted: true }),
    settings: PERSONAL,
    expect: 'ds',
  },
  { rule: 'all messages of channels', settings: { enable_stream_desktop_notifications: true }, expect: 'd' },
  { rule: 'all messages of channels, audibly', settings: { enable_stream_audible_notifications: true }, expect: 's' },
  {
    rule: 'one channel is louder than the others',
    place: topic('inherit', { desktopNotifications: true, audibleNotifications: true }),
    expect: 'ds',
  },
  {
    rule: 'one channel is quieter than the others',
    place: topic('inherit', { desktopNotifications: false, audibleNotifications: false }),
    settings: { enable_stream_desktop_notifications: true, enable_stream_audible_notifications: true },
    expect: '',
  },
  {
    rule: 'a muted channel is silent whatever its settings say',
    place: topic('inherit', { isMuted: true, desktopNotifications: true }),
    expect: '',
  },
  {
    rule: 'a topic that is unmuted in a muted channel notifies',
    place: topic('unmuted', { isMuted: true, desktopNotifications: true }),
    expect: 'd',
  },
  { rule: 'followed topics', place: topic('followed'), settings: FOLLOWED_DESKTOP, expect: 'd' },
  { rule: 'followed topics, audibly', place: topic('followed'), settings: FOLLOWED_SOUND, expect: 's' },
  { rule: 'the setting of followed topics is for them alone', settings: FOLLOWED_DESKTOP, expect: '' },
  {
    rule: 'a followed topic of a muted channel notifies',
    place: topic('followed', { isMuted: true }),
    settings: FOLLOWED_DESKTOP,
    expect: 'd',
  },
  { rule: 'a mention of everybody is silent without the setting', message: all, settings: PERSONAL, expect: '' },
  {
    rule: 'a mention of everybody with the setting',
    message: all,
    settings: { ...PERSONAL, wildcard_mentions_notify: true },
    expect: 'ds',
  },
  {
    rule: 'a mention of the participants with the setting',
    message: ofTopic,
    settings: { ...PERSONAL, wildcard_mentions_notify: true },
    expect: 'ds',
  },
  {
    rule: 'one channel allows mentions of everybody',
    message: all,
    place: topic('inherit', { wildcardMentionsNotify: true }),
    settings: PERSONAL,
    expect: 'ds',
  },
  {
    rule: 'one channel does not',
    message: all,
    place: topic('inherit', { wildcardMentionsNotify: false }),
    settings: { ...PERSONAL, wildcard_mentions_notify: true },
    expect: '',
  },
  {
    rule: 'a mention of everybody in a followed topic has its own setting',
    message: all,
    place: topic('followed', { wildcardMentionsNotify: false }),
    settings: { ...PERSONAL, ...FOLLOWED_ALL },
    expect: 'ds',
  },
  {
    rule: 'which is for followed topics alone',
    message: all,
    settings: { ...PERSONAL, ...FOLLOWED_ALL },
    expect: '',
  },
  {
    rule: 'a mention of everybody in a muted channel is silent',
    message: all,
    place: topic('inherit', { isMuted: true }),
    settings: { ...PERSONAL, wildcard_mentions_notify: true },
    expect: '',
  },
  {
    rule: 'a mention in a channel to which the user is not subscribed notifies',
    message: mentioned,
    place: { kind: 'topic', policy: 'inherit', channel: null },
    settings: PERSONAL,
    expect: 'ds',
  },
];

for (const { rule, message, settings, place = topic(), isSenderMuted = false, isQuiet = false, expect } of CASES) {
  test(`who is notified: ${rule}`, () => {
    const context: NotificationContext = { ownId: 1, settings: { ...OFF, ...settings }, place, isSenderMuted, isQuiet };
    const { desktop, sound } = decide({ ...MESSAGE, ...message }, context);
    assert.equal(`${desktop ? 'd' : ''}${sound ? 's' : ''}`, expect);
  });
}
