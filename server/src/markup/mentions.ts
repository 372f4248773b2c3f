import type { StateInline } from 'markdown-it';
import { type RenderState, renderStateOf } from './render-state.ts';
import type { MarkupDirectory, MarkupUser } from './types.ts';

/** The `meta` of a `mention` token. `label` is the name without `@`, which the HTML of silent mentions does not have. */
export type Mention =
  | { readonly kind: 'user'; readonly id: number; readonly label: string; readonly silent: boolean }
  | { readonly kind: 'group'; readonly id: number; readonly label: string; readonly silent: boolean }
  | { readonly kind: 'channel'; readonly label: string; readonly silent: boolean }
  | { readonly kind: 'topic'; readonly label: string; readonly silent: boolean };

const AT_SIGN_CODE = 64;
const NAMED = /@(_?)\*\*([^*\n]+)\*\*/y;
const GROUP = /@(_?)\*([^*\n]+)\*/y;
const WITH_ID = /^(.*)\|(\d{1,15})$/;
const CHANNEL_WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream']);

/** Whether a mention or channel link may start at `pos`: not in the middle of a word. */
export function canStartReference(state: StateInline, pos: number): boolean {
  return pos === 0 || /[\s'"({[/<]/.test(state.src.charAt(pos - 1));
}

/** `@**Name**`, `@**Name|id**`, `@**all**`, `@**topic**`, `@*group*`, and the silent forms with `@_`. */
export function mention(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== AT_SIGN_CODE || !canStartReference(state, pos)) return false;
  const { directory, options } = renderStateOf(state.env);

  NAMED.lastIndex = pos;
  const named = NAMED.exec(src);
  GROUP.lastIndex = pos;
  const match = named ?? GROUP.exec(src);
  const name = match?.[2];
  if (!match || name === undefined || pos + match[0].length > state.posMax) return false;
  const isSilent = match[1] === '_';

  const found = named
    ? (wildcardMention(name, isSilent, options.allowWildcardMentions) ?? userMention(name, isSilent, directory))
    : groupMention(name, isSilent, renderStateOf(state.env));
  if (!found) return false;

  if (!silent) {
    const token = state.push('mention', 'span', 0);
    token.meta = { mention: found };
  }
  state.pos = pos + match[0].length;
  return true;
}

function wildcardMention(name: string, silent: boolean, allowed: boolean): Mention | undefined {
  if (!allowed) return undefined;
  if (CHANNEL_WILDCARDS.has(name)) return { kind: 'channel', label: name, silent };
  if (name === 'topic') return { kind: 'topic', label: name, silent };
  return undefined;
}

function userMention(name: string, silent: boolean, directory: MarkupDirectory): Mention | undefined {
  const user = mentionedUser(name, directory);
  if (!user) return undefined;
  return { kind: 'user', id: user.id, label: user.fullName, silent: silent || user.isActive === false };
}

/** A name that several people share is no mention. With an id, the name must be that person's, or be left out. */
function mentionedUser(name: string, directory: MarkupDirectory): MarkupUser | undefined {
  const withId = WITH_ID.exec(name);
  if (withId) {
    const user = directory.userById(Number(withId[2]));
    const written = withId[1];
    if (user && (written === '' || written === user.fullName)) return user;
  }
  const users = directory.usersByName(name);
  return users.length === 1 ? users[0] : undefined;
}

/** The members of each group are looked for, once for the message and once for each kind of notification. */
const MAX_LOUD_GROUPS = 100;

/** Mentions of further groups are silent. */
function groupMention(name: string, silent: boolean, state: RenderState): Mention | undefined {
  const group = state.directory.groupByName?.(name);
  if (group === undefined) return undefined;
  state.loudGroups ??= new Set();
  const { loudGroups } = state;
  const isLoud = !silent && group.isActive !== false && (loudGroups.has(group.id) || loudGroups.size < MAX_LOUD_GROUPS);
  if (isLoud) loudGroups.add(group.id);
  return { kind: 'group', id: group.id, label: group.name, silent: !isLoud };
}
