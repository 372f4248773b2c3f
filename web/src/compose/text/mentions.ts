/** What the Markdown of a message mentions, without silent mentions and without code. */
export interface Mentions {
  /** Names with or without an id: `Ada`, `Ada|12`. */
  readonly people: readonly string[];
  readonly groups: readonly string[];
  readonly mentionsChannel: boolean;
  readonly mentionsTopic: boolean;
}

/** Blocks of code and quotes, in which nobody is notified, and code in a line. Spoilers are blocks of ordinary text. */
const CODE = /(^|\n)(`{3,}|~{3,})(?!\s*spoiler)[^\n]*\n[\s\S]*?(?:\n\2|$)|(?<!`)(`{1,2})(?!`)[\s\S]*?(?<!`)\3(?!`)/g;
const PERSON = /(?<![\w@])@\*\*([^*\n]+)\*\*/g;
const GROUP = /(?<![\w@])@\*([^*\n]+)\*(?!\*)/g;
const CHANNEL_WILDCARDS: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream']);

export function mentionsIn(markdown: string): Mentions {
  if (!markdown.includes('@*')) return NONE;
  const text = markdown.replaceAll(CODE, '$1');
  const names = [...text.matchAll(PERSON)].map(([, name = '']) => name);
  return {
    people: [...new Set(names.filter((name) => !CHANNEL_WILDCARDS.has(name) && name !== 'topic'))],
    groups: [...new Set([...text.matchAll(GROUP)].map(([, name = '']) => name))],
    mentionsChannel: names.some((name) => CHANNEL_WILDCARDS.has(name)),
    mentionsTopic: names.includes('topic'),
  };
}

const NONE: Mentions = { people: [], groups: [], mentionsChannel: false, mentionsTopic: false };
