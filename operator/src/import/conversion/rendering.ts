/** Converts and renders the texts of another program. */
import {
  emojiByCode,
  emojiByName,
  Linkifiers,
  type MarkupDirectory,
  messagePath,
  type RenderedMarkup,
  type RenderOptions,
  renderChannelDescription,
  renderMessage,
  replaceProse,
} from '@heddle/server/markup/index.ts';
import { mendedTopic } from '../mended-names.ts';
import type { ConvertedUser, People } from './converted.ts';
import { charactersOf, customEmojiName, EXTRA_EMOJI, type FoundEmoji, replaceEmojiNames } from './emoji.ts';
import type { Ids, KnownEmoji, NeutralMessage, References } from './neutral.ts';
import type { NeutralArchive } from './neutral-archive.ts';
import type { Staging } from './staging.ts';

/** Characters of a text. Longer ones than clients can send stay whole up to this length. */
export const MAX_IMPORTED_CONTENT_LENGTH = 50_000;

export interface ConvertedEmoji {
  readonly id: number;
  readonly name: string;
  /** A part of the address of the picture. */
  readonly file: string;
  readonly extension: string;
  /** The path of the picture in the archive. */
  readonly path: string;
  readonly author: string | undefined;
  readonly isDeactivated: boolean;
}

export interface UploadedFile {
  readonly id: number;
  readonly pathId: string;
  readonly contentType: string;
  readonly picture: { readonly width: number; readonly height: number; readonly frames: number } | null;
}

export interface RenderingContext {
  readonly archive: NeutralArchive;
  readonly people: People;
  readonly staging: Staging;
  readonly emoji: ReadonlyMap<string, ConvertedEmoji>;
  /** The file with this key. */
  readonly uploadOf: (fileKey: string) => UploadedFile | undefined;
  readonly organizationUrl: string;
  readonly imagePreviews: boolean;
}

/** The address is signed for the organization when the row is stored (`adapting.ts`). */
const UNSIGNED = '0'.repeat(64);

export class TextRenderer {
  readonly #context: RenderingContext;
  readonly #directory: MarkupDirectory;
  readonly #options: RenderOptions;
  readonly #threads = new Map<string, string>();
  readonly #references: References & Ids;
  /** The files that the last converted text links to. */
  readonly #uploads = new Map<string, UploadedFile>();

  constructor(context: RenderingContext) {
    this.#context = context;
    const { archive, people, emoji, imagePreviews, organizationUrl } = context;
    const { linkifiers = [] } = archive;
    const groupsByName = new Map([...people.groups.values()].map((group) => [group.name.toLowerCase(), group]));
    const usersById = new Map([...people.users.values()].map((user) => [user.id, user]));
    const usersByName = Map.groupBy(people.users.values(), ({ fullName }) => fullName.toLowerCase());
    const channels = new Map([...people.channels.values()].map((channel) => [channel.name.toLowerCase(), channel]));
    this.#directory = {
      userById: (id) => usersById.get(id),
      usersByName: (name) => usersByName.get(name.toLowerCase()) ?? [],
      channelByName: (name) => channels.get(name.toLowerCase()),
      groupByName: (name) => groupsByName.get(name.toLowerCase()),
      customEmoji: (name) => {
        const found = emoji.get(name);
        return (
          found && { id: found.id, name, sourceUrl: `/user_avatars/0/emoji/images/${found.file}.${found.extension}` }
        );
      },
      upload: (pathId) => {
        const file = this.#uploads.get(pathId);
        if (file === undefined) return undefined;
        const { contentType, picture } = file;
        if (picture === null) return { contentType, picture };
        const { width, height, frames } = picture;
        return {
          contentType,
          picture: { width, height, contentType, isAnimated: frames > 1, thumbnailUrl: null, transcoded: null },
        };
      },
    };
    this.#options = {
      allowWildcardMentions: true,
      organizationUrl,
      showsUploads: true,
      linkifiers: linkifiers.length === 0 ? undefined : new Linkifiers(linkifiers),
      imageProxy: imagePreviews
        ? (url) => (url.length > 2048 ? undefined : `/external_content/${UNSIGNED}/${Buffer.from(url).toString('hex')}`)
        : undefined,
    };
    this.#references = this.#newReferences();
  }

  /** The text as Markdown, with mentions and links of this organization. */
  markdown(text: string, channel: string | null): string {
    this.#uploads.clear();
    const { archive } = this.#context;
    const markdown = archive.markdown(text, this.#references, channel);
    if (archive.codeOfEmoji === undefined) return markdown;
    return replaceProse(markdown, (prose) => replaceEmojiNames(prose, (name) => this.#emojiText(name)));
  }

  /** The program's own topic, or the beginning of the thread with its time, or none. */
  topicOf({ channel, thread, topic }: Pick<NeutralMessage, 'channel' | 'thread' | 'topic'>): string {
    if (channel === null) return '';
    if (topic !== undefined) return mendedTopic(topic);
    if (thread === undefined) return '';
    const known = this.#threads.get(thread);
    if (known !== undefined) return known;
    const first = this.#context.staging.beginningOf(thread);
    const named = first === undefined ? 'Thread' : threadTopic(first, this.#withoutMarkup(first));
    if (this.#threads.size >= MAX_CACHED_THREADS) this.#threads.clear();
    this.#threads.set(thread, mendedTopic(named));
    return mendedTopic(named);
  }

  #withoutMarkup({ text, channel }: Pick<NeutralMessage, 'text' | 'channel'>): string {
    const { people } = this.#context;
    const names: References & Ids = {
      mention: (key) => people.users.get(key)?.fullName,
      mentionByName: (name) => name,
      groupMention: (key) => people.groups.get(key)?.name,
      channel: (key) => people.channels.get(key)?.name,
      channelByName: (name) => name,
      message: () => undefined,
      userId: () => undefined,
      channelId: () => undefined,
      messageId: () => undefined,
      file: () => undefined,
    };
    return this.#context.archive
      .markdown(text, names, channel)
      .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
      .replaceAll(/[*_`~>@]|(?<!&)#/g, '')
      .replaceAll(/&(?:#(\d{2,3})|amp|lt|gt);/g, (entity, code?: string) =>
        code === undefined ? (ENTITIES[entity] ?? entity) : String.fromCharCode(Number(code)),
      );
  }

  /** The link to a file, as a line of its own. */
  fileLine(fileKey: string, name: string): string | undefined {
    const address = this.#references.file(fileKey);
    return address && `[${name.replaceAll(/[[\]\n]/g, ' ')}](${address})`;
  }

  /** Renders what `markdown` and `fileLine` returned last. */
  render(content: string): RenderedMarkup {
    return renderMessage(content, this.#directory, this.#options);
  }

  /** Renders the description of a channel, or a text of a profile. */
  renderDescription(description: string): string {
    return renderChannelDescription(description, this.#directory, this.#context.organizationUrl);
  }

  validTopic(topic: string): string {
    return mendedTopic(topic);
  }

  /** The files at these addresses, as `render` returned them. */
  fileIds(pathIds: readonly string[]): readonly number[] {
    return pathIds.flatMap((pathId) => this.#uploads.get(pathId)?.id ?? []);
  }

  /** Custom emoji win, by their names in the program, unless it says what the name means. */
  emojiOf(name: string, known?: KnownEmoji): FoundEmoji | undefined {
    if (known?.kind === 'extra') return { kind: 'extra', code: EXTRA_EMOJI, name: EXTRA_EMOJI };
    const unicode = known?.kind === 'unicode' ? unicodeEmoji(name, known.code) : undefined;
    if (unicode !== undefined) return unicode;
    const custom = known?.kind === 'unicode' ? undefined : this.#context.emoji.get(customEmojiName(name));
    if (custom !== undefined) return { kind: 'custom', code: String(custom.id), name: custom.name };
    const code = this.#codeOfEmoji(name);
    return code === undefined ? undefined : unicodeEmoji(name, code);
  }

  #codeOfEmoji(name: string): string | undefined {
    return this.#context.archive.codeOfEmoji?.(name) ?? emojiByName(name)?.code;
  }

  /** The characters, if the emoji has no name here, or a custom emoji has its name. */
  #emojiText(name: string): string | undefined {
    const found = this.emojiOf(name);
    if (found !== undefined && (found.kind === 'custom' || !this.#context.emoji.has(found.name)))
      return `:${found.name}:`;
    const code = this.#codeOfEmoji(name);
    return code === undefined ? undefined : charactersOf(code);
  }

  #newReferences(): References & Ids {
    const { people, staging, uploadOf } = this.#context;
    const byName = new Map([...people.channels.values()].map((channel) => [channel.name.toLowerCase(), channel]));
    const mention = (user: ConvertedUser | undefined, isSilent = false) =>
      user && `@${isSilent ? '_' : ''}**${user.fullName}|${user.id}**`;
    const usersByName = new Map([...people.users.values()].map((user) => [user.key.toLowerCase(), user]));
    return {
      mention: (key, isSilent) => mention(people.users.get(key), isSilent),
      groupMention: (key, isSilent = false) => {
        const group = people.groups.get(key);
        return group && `@${isSilent ? '_' : ''}*${group.name}*`;
      },
      mentionByName: (name) => mention(usersByName.get(name.toLowerCase())),
      channel: (key) => {
        const channel = people.channels.get(key);
        return channel && `#**${channel.name}**`;
      },
      channelByName: (name) => {
        const channel = byName.get(name.toLowerCase());
        return channel && `#**${channel.name}**`;
      },
      message: (key) => {
        const found = staging.byKey(key);
        const channel = found?.channel == null ? undefined : people.channels.get(found.channel);
        if (found === undefined || channel === undefined) return undefined;
        return messagePath(channel, this.topicOf(found), String(found.id));
      },
      userId: (key) => people.users.get(key)?.id,
      channelId: (key) => people.channels.get(key)?.id,
      messageId: (key) => staging.byKey(key)?.id,
      file: (key) => {
        const file = uploadOf(key);
        if (file === undefined) return undefined;
        this.#uploads.set(file.pathId, file);
        return `/user_uploads/${file.pathId}`;
      },
    };
  }
}

/** Under a name of this server: the given one, if it means the same here. */
function unicodeEmoji(name: string, code: string): FoundEmoji | undefined {
  const ours = emojiByName(name)?.code === code ? name : emojiByCode(code)?.name;
  return ours === undefined ? undefined : { kind: 'unicode', code, name: ours };
}

/** Topics have no markup. */
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
/** Topics of threads that are kept in memory. */
const MAX_CACHED_THREADS = 10_000;
const MAX_TOPIC_TEXT_CHARACTERS = 41;

/** Threads that begin with the same words have different topics, because of the time. */
function threadTopic({ sentAt }: Pick<NeutralMessage, 'sentAt'>, text: string): string {
  const line = [...(text.split('\n').find((one) => one.trim() !== '') ?? 'Thread').trim()];
  const begin =
    line.length > MAX_TOPIC_TEXT_CHARACTERS
      ? `${line.slice(0, MAX_TOPIC_TEXT_CHARACTERS - 1).join('')}…`
      : line.join('');
  return `${begin} ${new Date(sentAt).toISOString().slice(0, 16).replace('T', ' ')}`;
}
