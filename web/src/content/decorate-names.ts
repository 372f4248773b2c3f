import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import { narrowOfHash } from '@heddle/client/model/messages/narrow-hash.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { emptyTopicName } from '../shown/topic-names.ts';

/** Shows the current names of people, groups and channels, and marks mentions of the reader. It can run again on the same nodes. */
export function decorateNames(root: ParentNode, model: Model, isTopicMentioned: boolean): void {
  for (const mention of root.querySelectorAll<HTMLElement>('.user-mention')) decorateUser(mention, model);
  for (const mention of root.querySelectorAll<HTMLElement>('.user-group-mention')) decorateGroup(mention, model);
  for (const mention of root.querySelectorAll<HTMLElement>('.topic-mention')) markOwn(mention, isTopicMentioned);
  for (const link of root.querySelectorAll<HTMLElement>('a.stream, a.stream-topic, a.message-link')) {
    decorateChannelLink(link, model);
  }
}

function isSilent(mention: HTMLElement): boolean {
  return mention.classList.contains('silent');
}

function markOwn(mention: HTMLElement, isOwn: boolean): void {
  mention.classList.toggle('mention-me', isOwn && !isSilent(mention));
}

/** The names of users are as old as the message. */
function decorateUser(mention: HTMLElement, model: Model): void {
  const { userId } = mention.dataset;
  if (userId === '*') {
    markOwn(mention, true);
    return;
  }
  const user = model.users.get(Number(userId));
  markOwn(mention, Number(userId) === model.ownId);
  if (user === undefined) return;
  setName(mention, user.name);
  makePressable(mention);
}

function decorateGroup(mention: HTMLElement, model: Model): void {
  const group = model.groups.get(Number(mention.dataset.userGroupId));
  if (group === undefined) return;
  markOwn(mention, model.groups.isMember(group.id, model.ownId));
  if (!group.isSystem) setName(mention, group.name);
  makePressable(mention);
}

/** Matches of a search can be elements inside the name. They stay while the name is the same. */
function setName(mention: HTMLElement, name: string): void {
  const text = mention.textContent?.startsWith('@') ? `@${name}` : name;
  if (mention.textContent !== text) mention.textContent = text;
}

/** A mention is part of a line of text, so it cannot be a button element, which does not wrap. */
function makePressable(mention: HTMLElement): void {
  mention.tabIndex = 0;
  mention.setAttribute('role', 'button');
  mention.setAttribute('aria-haspopup', 'dialog');
}

function decorateChannelLink(link: HTMLElement, model: Model): void {
  const narrow = narrowOfHash(link.getAttribute('href') ?? '', {
    channelIdOf: (name) => model.channels.byName(name)?.id,
    userIdOf: (email) => model.users.byAddress(email)?.id,
  });
  const channelId = operandOf(narrow, 'channel');
  const channel = typeof channelId === 'number' ? model.channels.get(channelId) : undefined;
  if (channel === undefined) return;
  const topic = operandOf(narrow, 'topic');
  const parts: (Node | string)[] = [`#${channel.name}`];
  if (topic !== undefined) {
    parts.push(' > ');
    if (topic === '') {
      const empty = document.createElement('em');
      empty.textContent = emptyTopicName(model);
      parts.push(empty);
    } else parts.push(String(topic));
  }
  if (link.classList.contains('message-link')) parts.push(' @ 💬');
  const text = parts.map((part) => (typeof part === 'string' ? part : part.textContent)).join('');
  if (link.textContent !== text) link.replaceChildren(...parts);
}

function operandOf(narrow: Narrow | undefined, operator: string): Narrow[number]['operand'] | undefined {
  return narrow?.find((term) => term.operator === operator && !term.negated)?.operand;
}
