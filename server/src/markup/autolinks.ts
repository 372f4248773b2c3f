import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it';
import { safeLinkUrl } from './link-urls.ts';

/** A cheap test for text that may contain an address without a scheme: a dot or an at sign inside a word. */
const MAYBE_ADDRESS = /[^\s.]\.[^\s.,;:!?'")\]*]|[^\s@]@[^\s@*_]/;

/** All two-letter domains but those that are better known as file endings. */
const COUNTRY_DOMAINS =
  'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw';
const GENERIC_DOMAINS =
  'com net org edu gov mil int info biz name pro aero asia cat coop jobs mobi museum post tel travel xxx app dev page cloud online site website space tech store shop blog wiki chat email live news media digital agency studio design art games game team work works group community social network world life today tools software systems solutions services support codes engineering academy education university school foundation fund finance bank capital ventures company business consulting xyz top club icu link click one zone rocks ninja guru expert plus run sh rest build berlin london paris nyc tokyo amsterdam wien hamburg koeln cologne swiss eus gal bzh scot wales cymru irish quebec africa lat moe ink bio eco ngo ong health clinic hospital law legal science tube video film music radio audio fm events party rip sex porn adult dating рф онлайн сайт 中国 公司 网络 台灣 香港 भारत 한국';

/** An address that has brackets in brackets ends before those that are deeper. The package allows four levels. */
const MAX_NESTED_BRACKETS = 20;

export function configureAutolinks(md: MarkdownIt): void {
  md.linkify.set({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: false, urlAuth: true });
  const { re } = md.linkify;
  const nestedPair = re.nestedPairRE.bind(re);
  re.nestedPairRE = (open, close) => nestedPair(open, close, MAX_NESTED_BRACKETS);
  md.linkify.tlds(`${COUNTRY_DOMAINS} ${GENERIC_DOMAINS}`.split(' '));
  md.linkify.add('//', null);
  md.linkify.add('ftp:', null);
  md.inline.ruler.at('linkify', webAddress);
  md.core.ruler.after('inline', 'autolink_addresses', autolinkAddresses);
}

/** Of a mail address (RFC 5321). */
const MAX_ADDRESS_LENGTH = 320;
/** A path, a query, a fragment, a port, or the path of a repository. */
const REST_OF_ADDRESS = /^(?:\/(?![^\s/@]+@)|[?#][^\s.,;:!?'")\]*]|:(?:\d|[\w.~-]*\/))/;
const SCHEME_BEFORE_COLON = /(?<![a-z0-9+.-])https?$/i;

/**
 * Links a web address with a scheme while the line is parsed, so that a star in it means nothing. The parser calls the rule at the colon,
 * when the scheme is already in the pending text. An address of another scheme (`ftp://`) becomes a link only with a text: `[a](ftp://…)`.
 */
function webAddress(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (state.linkLevel > 0 || !src.startsWith('://', pos)) return false;
  const scheme = SCHEME_BEFORE_COLON.exec(src.slice(Math.max(0, pos - 6), pos))?.[0];
  if (scheme === undefined || (!silent && !state.pending.endsWith(scheme))) return false;
  const match = state.md.linkify.matchAtStart(src.slice(pos - scheme.length, state.posMax));
  const written = match === null || match === undefined ? '' : withoutClosers(match.raw);
  const href = written.length > scheme.length + 3 ? safeLinkUrl(written) : undefined;
  if (href === undefined) return false;
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme.length);
    const open = state.push('link_open', 'a', 1);
    open.attrs = [['href', href]];
    open.info = 'auto';
    state.push('text', '', 0).content = written;
    state.push('link_close', 'a', -1);
  }
  state.pos = pos - scheme.length + written.length;
  return true;
}

/**
 * The address without the stars and colons at its end, which belong to the text around it: `**https://example.com**`. Stars that close
 * others within the address stay: `https://example.com/**a**`.
 */
function withoutClosers(address: string): string {
  let end = address.length;
  while (isCloser(address.charCodeAt(end - 1))) end--;
  if (end === address.length) return address;
  const open = address.slice(0, end).match(/\*+/g) ?? [];
  const last = open.length % 2 === 1 ? (open.at(-1)?.length ?? 0) : 0;
  const stars = /^\**/.exec(address.slice(end))?.[0].length ?? 0;
  return address.slice(0, end + Math.min(last, stars));
}

const [STAR, COLON] = [42, 58];
const isCloser = (code: number): boolean => code === STAR || code === COLON;

/**
 * Links web and mail addresses in finished text, outside of links and code. `webAddress` has linked those with a scheme before, so that a
 * star in one means nothing.
 */
function autolinkAddresses(state: StateCore): void {
  for (const block of state.tokens) {
    if (block.type !== 'inline' || block.children === null || !MAYBE_ADDRESS.test(block.content)) continue;
    let linkDepth = 0;
    let replaced: Token[] | undefined;
    for (const [index, token] of block.children.entries()) {
      if (token.type === 'link_open') linkDepth++;
      else if (token.type === 'link_close') linkDepth--;
      const linked =
        linkDepth === 0 && token.type === 'text' && MAYBE_ADDRESS.test(token.content)
          ? linkText(state, token)
          : undefined;
      if (linked && !replaced) replaced = block.children.slice(0, index);
      if (linked) replaced?.push(...linked);
      else replaced?.push(token);
    }
    if (replaced) block.children = replaced;
  }
}

function linkText(state: StateCore, text: Token): Token[] | undefined {
  const matches = state.md.linkify.match(text.content);
  if (!matches) return undefined;
  const tokens: Token[] = [];
  let end = 0;
  for (const match of matches) {
    const href = safeLinkUrl(match.url);
    if (href === undefined || isPartOfAddress(match, text.content)) continue;
    if (match.index > end) tokens.push(textToken(state, text.content.slice(end, match.index)));
    const open = new state.Token('link_open', 'a', 1);
    open.attrs = [['href', href]];
    open.info = 'auto';
    tokens.push(open, textToken(state, match.raw), new state.Token('link_close', 'a', -1));
    end = match.lastIndex;
  }
  if (tokens.length === 0) return undefined;
  if (end < text.content.length) tokens.push(textToken(state, text.content.slice(end)));
  return tokens;
}

/**
 * Whether what looks like a mail address is the beginning of something else: `ada@example.com/looms`, `git@example.com:8080`. Only another
 * mail address can follow a slash.
 */
function isPartOfAddress(
  { schema, raw, lastIndex }: { readonly schema: string; readonly raw: string; readonly lastIndex: number },
  text: string,
): boolean {
  if (schema !== 'mailto:' || /^mailto:/i.test(raw)) return false;
  return REST_OF_ADDRESS.test(text.slice(lastIndex, lastIndex + MAX_ADDRESS_LENGTH));
}

function textToken(state: StateCore, content: string): Token {
  const token = new state.Token('text', '', 0);
  token.content = content;
  return token;
}
