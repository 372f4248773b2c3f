/** What the text before the cursor asks to complete: a pure function, which looks at one line. */

export type TriggerKind = 'mention' | 'channel' | 'topic' | 'emoji' | 'language' | 'command';

export interface Trigger {
  readonly kind: TriggerKind;
  /** Where the part begins that a suggestion replaces. The part ends at the cursor. */
  readonly from: number;
  /** What the user typed to search. */
  readonly query: string;
  /** Mentions that notify nobody: `@_`. */
  readonly isSilent?: boolean;
  /** The channel of a topic. Without it, the channel to which the message goes. */
  readonly channelName?: string;
  /** The characters of a fence: three or more backticks or tildes. */
  readonly fence?: string;
}

/** Suggestions look at this many characters before the cursor. */
const MAX_QUERY_CHARACTERS = 60;

const COMMAND = /^\/([a-z]*)$/;
/** Also indented and in a quote. One class for both: alternatives of spaces would take exponential time for an indented line. */
const FENCE = /^[ >]*(`{3,}|~{3,})[ \t]?([\w+#.-]*)$/;
const FENCES = /^[ >]*(`{3,}|~{3,})/gm;
/** The same for topics, whose channel can have a long name. */
const MAX_TOPIC_QUERY_CHARACTERS = 200;
/** A query with more words is text. */
const MAX_TOPIC_WORDS = 6;
/** What opens the picker of times. */
export const TIME_OPENING = '<time';

const TOPIC = /#\*\*([^*>\n]+)>([^*\n]*)$/;
const TOPIC_OF_LINK = /(#\*\*([^*>\n]+)\*\* ?>([^\s*>][^*>\n]*|))$/;
const TOPIC_HERE = /(?:^|[\s({["'/-])(#>([^\s#*>][^#*>\n]*|))$/;
const TIME = /(?:^|[^\p{L}\p{N}<`])<time$/u;
const CHANNEL = /(?:^|[\s({["'>/-])(#(?:\*\*)?([^\s#*>()[\]][^#*>\n]*|))$/;
const MENTION = /(?:^|[\s({["'>/-])(@(_?)(?:\*{1,2})?([^\s@*()[\]][^@*\n]*|))$/;
const EMOJI = /(?:^|[\s({["'>:-])(:([a-z0-9_+-][a-z0-9_+ -]*))$/i;

/** @param cursor the position of the cursor, without a selection */
export function triggerAt(text: string, cursor: number): Trigger | undefined {
  const lineStart = text.lastIndexOf('\n', cursor - 1) + 1;
  const line = text.slice(lineStart, cursor);
  const [, fence, language] = FENCE.exec(line) ?? [];
  if (fence !== undefined && !isInFence(text.slice(0, lineStart))) {
    return { kind: 'language', from: cursor - (language?.length ?? 0), query: language ?? '', fence };
  }
  const near = line.slice(-MAX_QUERY_CHARACTERS);
  const far = line.slice(-MAX_TOPIC_QUERY_CHARACTERS);
  if (!/[@#:/]/.test(far) || isInCode(line, text, lineStart)) return undefined;
  const [command, name = ''] = lineStart === 0 ? (COMMAND.exec(line) ?? []) : [];
  if (command !== undefined) return { kind: 'command', from: 0, query: name };
  const topic = topicAt(far, cursor);
  return topic ?? mentionAt(near, cursor) ?? channelAt(near, cursor) ?? emojiAt(near, cursor);
}

/** Behind a channel and `>`, also if the link to the channel is finished, and behind `#>`. */
function topicAt(near: string, cursor: number): Trigger | undefined {
  const [all, channelName, query = ''] = TOPIC.exec(near) ?? [];
  if (all !== undefined && channelName !== undefined) {
    return { kind: 'topic', from: cursor - all.length, query, channelName };
  }
  const [, link, linked, queryOfLink = ''] = TOPIC_OF_LINK.exec(near) ?? [];
  if (link !== undefined && linked !== undefined && wordsIn(queryOfLink) <= MAX_TOPIC_WORDS) {
    return { kind: 'topic', from: cursor - link.length, query: queryOfLink, channelName: linked };
  }
  const [, here, queryHere = ''] = TOPIC_HERE.exec(near) ?? [];
  if (here === undefined || wordsIn(queryHere) > MAX_TOPIC_WORDS) return undefined;
  return { kind: 'topic', from: cursor - here.length, query: queryHere };
}

/** Where the opening of a time begins that ends at the cursor. Undefined if there is none, or in code. */
export function timeOpeningAt(text: string, cursor: number): number | undefined {
  const lineStart = text.lastIndexOf('\n', cursor - 1) + 1;
  const line = text.slice(lineStart, cursor);
  if (!line.endsWith(TIME_OPENING) || !TIME.test(line) || isInCode(line, text, lineStart)) return undefined;
  return cursor - TIME_OPENING.length;
}

function mentionAt(near: string, cursor: number): Trigger | undefined {
  const [, all, silent, query = ''] = MENTION.exec(near) ?? [];
  if (all === undefined || wordsIn(query) > 4) return undefined;
  return { kind: 'mention', from: cursor - all.length, query, isSilent: silent === '_' };
}

function channelAt(near: string, cursor: number): Trigger | undefined {
  const [, all, query = ''] = CHANNEL.exec(near) ?? [];
  if (all === undefined || wordsIn(query) > 5) return undefined;
  return { kind: 'channel', from: cursor - all.length, query };
}

function emojiAt(near: string, cursor: number): Trigger | undefined {
  const [, all, query = ''] = EMOJI.exec(near) ?? [];
  // One character is more often a smiley or a time than the beginning of a name.
  if (all === undefined || query.length < 2 || wordsIn(query) > 3) return undefined;
  return { kind: 'emoji', from: cursor - all.length, query };
}

function wordsIn(query: string): number {
  return query.split(' ').length;
}

/** Whether an odd number of fences is before this position. */
function isInFence(before: string): boolean {
  let open: string | undefined;
  for (const [, fence = ''] of before.matchAll(FENCES)) {
    if (open === undefined) open = fence;
    else if (fence.startsWith(open)) open = undefined;
  }
  return open !== undefined;
}

function isInCode(line: string, text: string, lineStart: number): boolean {
  const ticks = line.split('`').length - 1;
  if (ticks % 2 === 1) return true;
  const before = text.slice(0, lineStart);
  if (!before.includes('```') && !before.includes('~~~')) return false;
  return isInFence(before) && !isInQuote(before);
}

/** Quotes and spoilers are fences with ordinary text inside. */
function isInQuote(before: string): boolean {
  const last = [...before.matchAll(/^(?:`{3,}|~{3,})[ \t]*(\w*)/gm)].findLast(([, name]) => name !== '');
  return last?.[1] === 'quote' || last?.[1] === 'spoiler';
}
