/** Links of the reference server to its own conversations and files: as they stand in texts, and what they become. */
import type { Ids, References } from '../conversion/neutral.ts';

export interface ZulipLink {
  /** In lower case. Undefined: the link is relative. */
  readonly host: string | undefined;
  /** `#narrow/…` or `user_uploads/…`. */
  readonly target: string;
}

/** Only where a link can begin: in the middle of another address it belongs to that address. */
const LINK =
  /(?<=^|[\s([<"'*|])(?:https?:\/\/([\w.:-]+)\/|\/?)((?:#narrow\/|user_uploads\/\d)[^\s()[\]<>"'`\\]{1,1000})/gim;
const PUNCTUATION = '.,;:!?*_~|';

/** @param replace undefined: the link stays */
export function replaceLinks(
  text: string,
  replace: (link: ZulipLink, isDestination: boolean) => string | undefined,
): string {
  return text.replaceAll(LINK, (whole, host: string | undefined, written: string, offset: number) => {
    let end = written.length;
    while (end > 0 && PUNCTUATION.includes(written.charAt(end - 1))) end -= 1;
    const target = written.slice(0, end);
    const isDestination = text.endsWith('](', offset);
    const isLabel = text[offset - 1] === '[' && text.startsWith('](', offset + whole.length);
    if (isLabel) return whole;
    const replaced = replace({ host: host?.toLowerCase(), target }, isDestination);
    return replaced === undefined ? whole : replaced + written.slice(end);
  });
}

/** The address here, with the ids of this organization. Undefined: it has an object that does not exist here. */
export function addressOf(target: string, references: References & Ids): string | undefined {
  if (!target.startsWith('#')) {
    const end = target.search(/[?#]/);
    const path = end < 0 ? target : target.slice(0, end);
    return references.file(path.slice('user_uploads/'.length));
  }
  const [, ...terms] = target.split('/');
  const parts: string[] = [];
  for (let index = 0; index < terms.length; index += 2) {
    const [name = '', value = ''] = [terms[index], terms[index + 1]];
    const term = termOf(name, value, references);
    if (term === undefined) return undefined;
    parts.push(...term);
  }
  return parts.length === 0 ? undefined : `/#narrow/${parts.join('/')}`;
}

/** Also the names of terms in old messages. */
function termOf(name: string, value: string, references: Ids): readonly string[] | undefined {
  switch (name) {
    case 'channel':
    case 'stream': {
      const id = /^\d+/.exec(value)?.[0];
      const found = id === undefined ? undefined : references.channelId(id);
      return id === undefined || found === undefined ? undefined : ['channel', `${found}${value.slice(id.length)}`];
    }
    case 'dm':
    case 'pm-with':
    case 'dm-including':
    case 'sender': {
      const given = /^[\d,]+/.exec(value)?.[0] ?? '';
      const ids = given.split(',').map((id) => references.userId(id));
      const found = ids.filter((id) => id !== undefined).sort((a, b) => a - b);
      if (found.length < ids.length) return undefined;
      return [name === 'pm-with' ? 'dm' : name, found.join(',') + value.slice(given.length)];
    }
    case 'near':
    case 'with':
    case 'id': {
      // Without its message, the link leads to the conversation.
      const found = references.messageId(value);
      return found === undefined ? [] : [name, String(found)];
    }
    default:
      return [name, value];
  }
}

/** Hosts that are examined per message. */
const MAX_EXAMINED_LINKS = 100;
const MAX_OWN_HOSTS = 100;

/**
 * Which hosts belong to the archive. An export does not name its address. But the HTML of its messages does: links of the own host are
 * relative there, although the text has the host. Without such links, the host is one whose first label is the name of the organization.
 */
export class OwnHosts {
  readonly #name: string;
  readonly #hosts = new Set<string>();

  constructor(organizationName: string) {
    this.#name = organizationName.toLowerCase();
  }

  note(text: string, html: string): void {
    if (!text.includes('://')) return;
    let examined = 0;
    replaceLinks(text, ({ host, target }) => {
      examined += 1;
      if (host === undefined || examined > MAX_EXAMINED_LINKS || this.#hosts.size >= MAX_OWN_HOSTS) return undefined;
      if (this.#hosts.has(host)) return undefined;
      const href = target.replaceAll('&', '&amp;');
      if (html.includes(`href="${href}"`) || html.includes(`href="/${href}"`)) this.#hosts.add(host);
      return undefined;
    });
  }

  has(host: string): boolean {
    if (this.#hosts.size > 0) return this.#hosts.has(host);
    return this.#name !== '' && host.startsWith(`${this.#name}.`);
  }
}
