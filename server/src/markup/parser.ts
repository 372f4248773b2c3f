import type { MarkdownIt, Ruler, StateBlock, StateInline, Token } from 'markdown-it';
import Markdown from 'markdown-it';
import { configureAutolinks } from './autolinks.ts';
import { channelLink } from './channel-links.ts';
import { emojiName } from './emoji-syntax.ts';
import { emoticons } from './emoticons.ts';
import { emphasis, strikethrough } from './emphasis.ts';
import { fencedContainer } from './fenced-containers.ts';
import { globalTime } from './global-time.ts';
import { safeLinkUrl } from './link-urls.ts';
import { linkify } from './linkifying.ts';
import { alignNestedLists } from './list-indentation.ts';
import { mergeBulletLists } from './list-merging.ts';
import { spaceListItems } from './list-spacing.ts';
import { mediaSyntax } from './media-syntax.ts';
import { mention } from './mentions.ts';
import { quote } from './quotes.ts';
import type { RenderState } from './render-state.ts';
import { lenientTable } from './tables.ts';
import { inlineTex } from './tex.ts';

/** Deeper quotes and lists stay text: every level takes time for each line within it. */
const MAX_BLOCK_LEVEL = 40;

type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

const parser = createParser();

/** The tokens of a message. The parser is shared; everything about one message travels in `state`. */
export function parseBlocks(source: string, state: RenderState): Token[] {
  return parser.parse(source, state);
}

/** Lines [from, to) of the source that are fenced blocks of code or of math. Only blocks are parsed, which needs no names. */
export function fencedLines(source: string): (readonly [number, number])[] {
  const tokens: Token[] = [];
  parser.block.parse(alignNestedLists(source), parser, {}, tokens);
  return tokens.flatMap(({ type, map }) => (type === 'fence' && map !== null ? [[map[0], map[1]] as const] : []));
}

/** The tokens of a text that has no blocks (a channel's description). */
export function parseInline(source: string, state: RenderState): Token[] {
  return parser.parseInline(source, state);
}

/** The web addresses in a text that is no markup. Those without a scheme get `https`. */
export function addressesIn(
  text: string,
): readonly { readonly index: number; readonly text: string; readonly url: string }[] {
  const matches = parser.linkify.match(text) ?? [];
  return matches
    .filter(({ schema }) => schema === '' || schema === 'http:' || schema === 'https:')
    .map(({ index, raw, url, schema }) => ({ index, text: raw, url: schema === '' ? `https://${raw}` : url }));
}

function createParser(): MarkdownIt {
  const md = new Markdown('default', { html: false, linkify: true, breaks: true });
  md.disable(['lheading', 'reference', 'html_block', 'escape', 'image', 'autolink', 'html_inline']);
  md.core.ruler.disable(['linkify', 'replacements', 'smartquotes']);
  md.inline.ruler2.disable(['balance_pairs', 'strikethrough', 'emphasis', 'fragments_join']);

  md.validateLink = (url) => url !== '';
  md.normalizeLink = (url) => safeLinkUrl(url) ?? '';
  configureAutolinks(md);
  md.core.ruler.after('normalize', 'nested_list_indentation', (state) => {
    state.src = alignNestedLists(state.src);
  });
  md.core.ruler.after('block', 'list_merging', mergeBulletLists);
  md.core.ruler.after('list_merging', 'list_spacing', spaceListItems);
  md.core.ruler.after('inline', 'emoticons', emoticons);
  md.core.ruler.after('autolink_addresses', 'linkifiers', linkify);

  md.inline.ruler.at('emphasis', emphasis);
  md.inline.ruler.at('strikethrough', strikethrough);
  md.inline.ruler.at('backticks', verbatimCode(ruleOf(md.inline.ruler, 'backticks')));
  md.inline.ruler.before('link', 'media', mediaSyntax(ruleOf(md.inline.ruler, 'link')));
  md.inline.ruler.before('emphasis', 'tex', inlineTex);
  md.inline.ruler.before('emphasis', 'mention', mention);
  md.inline.ruler.before('emphasis', 'channel_link', channelLink);
  md.inline.ruler.after('linkify', 'emoji', emojiName);
  md.inline.ruler.before('entity', 'global_time', globalTime);

  const interrupting = { alt: ['paragraph', 'reference', 'blockquote', 'list'] };
  md.block.ruler.at('blockquote', shallow(quote(ruleOf(md.block.ruler, 'blockquote'))), interrupting);
  md.block.ruler.at('list', shallow(lenientList(ruleOf(md.block.ruler, 'list'))), {
    alt: ['paragraph', 'reference', 'blockquote'],
  });
  md.block.ruler.at('fence', wellFormedFence(ruleOf(md.block.ruler, 'fence')), interrupting);
  // A table begins after a blank line. In the middle of a paragraph it is text.
  md.block.ruler.at('table', lenientTable(ruleOf(md.block.ruler, 'table')), { alt: [] });
  md.block.ruler.before('fence', 'fenced_container', shallow(fencedContainer), interrupting);
  return md;
}

function ruleOf<Args extends unknown[], Result>(ruler: Ruler<Args, Result>, name: string): (...args: Args) => Result {
  const rule = ruler.__rules__.find((candidate) => candidate.name === name);
  if (!rule) throw new Error(`the Markdown parser has no rule ${name}`);
  return rule.fn;
}

function shallow(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) =>
    state.level < MAX_BLOCK_LEVEL && rule(state, startLine, endLine, silent);
}

/** The marker of an item, and nothing else. */
const MARKER_ALONE = /^(?:[-+*]|\d{1,9}\.)[ \t]*$/;
const NUMBER_WITH_PARENTHESIS = /^\d+\)/;
const NUMBERED_ITEM = /^\d{1,9}\.[ \t]+\S/;
const ONE_DIGIT_ITEM = /^\d\.[ \t]+\S/;

/**
 * A list can follow a paragraph's line if its first number has one digit. A longer one can be the end of a sentence (`1998.`). In an item, any
 * number begins a nested list. No list begins with an empty item or with `1)`.
 */
function lenientList(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) => {
    const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
    if (!beginsItem(state.src.charCodeAt(start))) return false;
    const line = state.src.slice(start, state.eMarks[startLine]);
    if (NUMBER_WITH_PARENTHESIS.test(line)) return false;
    const column = (state.sCount[startLine] ?? 0) - state.blkIndent;
    // A marker to the left of an item's text is the next item of that list.
    if (column >= 0) {
      if (MARKER_ALONE.test(line)) return false;
      if (silent && state.parentType === 'paragraph') {
        const isInItem = state.listIndent >= 0;
        if ((isInItem ? NUMBERED_ITEM : ONE_DIGIT_ITEM).test(line)) return column < 4;
      }
    }
    return rule(state, startLine, endLine, silent);
  };
}

/** A digit, `-`, `+` or `*`. */
function beginsItem(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 45 || code === 43 || code === 42;
}

/** A tilde after the opening fence makes it text, as a backtick does. */
function wellFormedFence(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) => {
    const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
    if (state.src.charCodeAt(start) === 126) {
      const line = state.src.slice(start, state.eMarks[startLine]);
      if (/^~+[^~]+~/.test(line)) return false;
    }
    return rule(state, startLine, endLine, silent);
  };
}

/** Code keeps its spaces: `` ` a ` `` is not trimmed. */
function verbatimCode(rule: (state: StateInline, silent: boolean) => boolean) {
  return (state: StateInline, silent: boolean): boolean => {
    const start = state.pos;
    const count = state.tokens.length;
    const matched = rule(state, silent);
    const token = state.tokens.at(-1);
    if (matched && !silent && state.tokens.length > count && token?.type === 'code_inline') {
      token.content = state.src.slice(start + token.markup.length, state.pos - token.markup.length);
    }
    return matched;
  };
}
