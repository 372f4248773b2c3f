/** Rocket.Chat's markup as Markdown with the mentions and links of the new organization. */
import { replaceProse } from '@heddle/server/markup/index.ts';
import type { References } from '../conversion/neutral.ts';

export interface Names {
  readonly userKey: (username: string) => string | undefined;
  readonly channelKey: (name: string) => string | undefined;
}

const WILDCARDS = new Set(['all', 'here']);

export function markdownOf(text: string, references: References, names: Names): string {
  return replaceProse(text, (prose) => converted(prose, references, names));
}

/** A link, an address, or what can be around emphasis and mentions. */
const PARTS =
  /\[([^[\]\n]{0,500})\]\((https?:\/\/[^\s()]{1,2000})\)|<(https?:\/\/[^\s|<>]{1,2000})\|([^<>\n]{1,500})>|(https?:\/\/[^\s<>()]{1,2000})/g;

function converted(text: string, references: References, names: Names): string {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(PARTS)) {
    parts.push(plain(text.slice(end, match.index), references, names), link(match, references));
    end = match.index + match[0].length;
  }
  parts.push(plain(text.slice(end), references, names));
  return parts.join('');
}

/** A link to a message has its id: `https://chat.example.com/channel/square?msg=…`. */
const MESSAGE = /[?&]msg=(\w+)/;

function link(match: RegExpMatchArray, references: References): string {
  const [whole, label, url, slackUrl, slackLabel, bare] = match;
  const target = url ?? slackUrl ?? bare ?? '';
  const [, id = ''] = MESSAGE.exec(target) ?? [];
  const own = id === '' ? undefined : references.message(id);
  const shown = (label ?? slackLabel ?? '').trim();
  if (own !== undefined) return `[${escaped(shown || 'message')}](${own})`;
  if (bare !== undefined) return whole;
  return shown === '' ? target : `[${escaped(shown)}](${target})`;
}

function escaped(label: string): string {
  return label.replaceAll(/[[\]]/g, '\\$&');
}

function plain(text: string, references: References, { userKey, channelKey }: Names): string {
  return text
    .replaceAll(/(?<![\w*])\*(?![\s*])([^*\n]{1,2000}?)(?<!\s)\*(?![\w*])/g, '**$1**')
    .replaceAll(/(?<![\w~])~(?![\s~])([^~\n]{1,2000}?)(?<!\s)~(?![\w~])/g, '~~$1~~')
    .replaceAll(/(^|[^\w@/.])@([\w][\w.-]{0,99})/g, (whole, before: string, name: string) => {
      if (WILDCARDS.has(name)) return `${before}@**all**`;
      const short = name.replace(/[._-]+$/, '');
      const [found, rest] = userKey(name) === undefined ? [short, name.slice(short.length)] : [name, ''];
      const mention = references.mention(userKey(found) ?? '');
      return mention === undefined ? whole : before + mention + rest;
    })
    .replaceAll(/(^|[\s(])#([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99})/gu, (whole, before: string, name: string) => {
      const short = name.replace(/[._-]+$/, '');
      const [found, rest] = channelKey(name) === undefined ? [short, name.slice(short.length)] : [name, ''];
      const channel = references.channel(channelKey(found) ?? '');
      return channel === undefined ? whole : before + channel + rest;
    });
}
