import type { StateCore, Token } from 'markdown-it';
import { emojiByName } from './emoji.ts';
import type { NamedEmoji } from './emoji-syntax.ts';
import { renderStateOf } from './render-state.ts';

/** The emoji that emoticons become, where the author's settings ask for it (public reference: "Configure emoticon translations"). */
const EMOTICONS: ReadonlyMap<string, string> = new Map([
  [':)', 'smile'],
  ['(:', 'smile'],
  [':(', 'frown'],
  ['<3', 'heart'],
  [':|', 'neutral'],
  [':/', 'confused'],
  [';)', 'wink'],
  [':D', 'grinning'],
  [':o', 'open_mouth'],
  [':O', 'open_mouth'],
  [':p', 'stuck_out_tongue'],
  [':P', 'stuck_out_tongue'],
]);

/** One of them between spaces or punctuation, or at an end of the text. */
const EMOTICON = /(?<![^,.;?!()[\] "'\n\t])(?::[)(|/DoOpP]|\(:|<3|;\))(?![^,.;?!()[\] "'\n\t])/g;

/** Makes emoji of emoticons in running text, where the author's settings ask for it. Not in code or in the text of links. */
export function emoticons({ env, tokens }: StateCore): void {
  if (renderStateOf(env).options.translateEmoticons !== true) return;
  for (const token of tokens) if (token.children !== null) token.children = translated(token.children);
}

function translated(children: readonly Token[]): Token[] {
  let links = 0;
  return children.flatMap((token) => {
    if (token.type === 'link_open') links++;
    if (token.type === 'link_close') links--;
    return token.type === 'text' && links === 0 ? split(token) : [token];
  });
}

function split(token: Token): Token[] {
  const parts: Token[] = [];
  let end = 0;
  const add = (type: string, content: string): Token => {
    const part = Object.assign(Object.create(Object.getPrototypeOf(token)) as Token, token, { type, content });
    parts.push(part);
    return part;
  };
  for (const match of token.content.matchAll(EMOTICON)) {
    const name = EMOTICONS.get(match[0]);
    const unicode = name === undefined ? undefined : emojiByName(name);
    if (name === undefined || unicode === undefined) continue;
    if (match.index > end) add('text', token.content.slice(end, match.index));
    const emoji: NamedEmoji = { kind: 'unicode', name, code: unicode.code };
    add('emoji', '').meta = { emoji };
    end = match.index + match[0].length;
  }
  if (end === 0) return [token];
  if (end < token.content.length) add('text', token.content.slice(end));
  return parts;
}
