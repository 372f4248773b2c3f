import type { StateCore, Token } from 'markdown-it';
import { LinkifierBudget, type Linkifiers } from './linkifiers.ts';
import { renderStateOf } from './render-state.ts';

/** Makes links of what the organization's linkifiers find in running text, but not in code or in links. Web addresses are links by now. */
export function linkify({ env, tokens, Token: TokenClass }: StateCore): void {
  const { linkifiers } = renderStateOf(env).options;
  if (linkifiers === undefined) return;
  const budget = new LinkifierBudget();
  const newToken = (type: string, tag: string, nesting: -1 | 0 | 1, content = '') =>
    Object.assign(new TokenClass(type, tag, nesting), { content });
  for (const token of tokens) {
    if (token.children !== null) token.children = linkified(token.children, { linkifiers, budget, newToken });
  }
}

interface Linkifying {
  readonly linkifiers: Linkifiers;
  readonly budget: LinkifierBudget;
  newToken(type: string, tag: string, nesting: -1 | 0 | 1, content?: string): Token;
}

function linkified(children: readonly Token[], linkifying: Linkifying): Token[] {
  let links = 0;
  const done: Token[] = [];
  for (const token of joined(children)) {
    if (token.type === 'link_open') links++;
    if (token.type === 'link_close') links--;
    if (token.type !== 'text' || links > 0) done.push(token);
    else done.push(...split(token, isBeginning(done.at(-1)), linkifying));
  }
  return done;
}

/** Joins neighbouring text tokens. */
function joined(children: readonly Token[]): Token[] {
  const all: Token[] = [];
  for (const token of children) {
    const before = all.at(-1);
    if (token.type === 'text' && before?.type === 'text') before.content += token.content;
    else all.push(token);
  }
  return all;
}

function isBeginning(before: Token | undefined): boolean {
  return before === undefined || before.nesting === 1 || before.type === 'softbreak' || before.type === 'hardbreak';
}

function split(token: Token, beginsWord: boolean, { linkifiers, budget, newToken }: Linkifying): Token[] {
  const text = token.content;
  const parts: Token[] = [];
  let end = 0;
  for (const match of linkifiers.find(text, beginsWord, budget)) {
    if (match.index > end) parts.push(newToken('text', '', 0, text.slice(end, match.index)));
    const open = newToken('link_open', 'a', 1);
    open.attrs = [['href', match.href]];
    parts.push(open, newToken('text', '', 0, match.text), newToken('link_close', 'a', -1));
    end = match.index + match.text.length;
  }
  if (end === 0) return [token];
  if (end < text.length) parts.push(newToken('text', '', 0, text.slice(end)));
  return parts;
}
