/** The archive of another program as the source of an import. */
import { createHmac } from 'node:crypto';
import { Role } from '@heddle/server/directory/records.ts';
import { fingerprint } from '@heddle/server/domain/messages/conversations/actions.ts';
import { contentTypeOf } from '@heddle/server/domain/uploads/names.ts';
import { LIMITS } from '../limits.ts';
import { mendedOrganizationDescription, mendedOrganizationName } from '../mended-names.ts';
import type { ImportReport } from '../report.ts';
import { type ImportSource, NO_ROW, type SourceRow } from '../source.ts';
import type { ConvertedUser, People } from './converted.ts';
import { customEmojiName } from './emoji.ts';
import type { Lookup } from './lookup.ts';
import { messageRow, participantsOf } from './message-rows.ts';
import type { DetailsOf, NeutralMessage, NeutralUser } from './neutral.ts';
import type { NeutralArchive, OtherTable } from './neutral-archive.ts';
import { checkCount, convertPeople, sortedIds } from './people.ts';
import {
  channelRow,
  folderRows,
  groupIdOf,
  groupMemberRows,
  groupRow,
  permittedSetting,
  subgroupRows,
  systemBotRows,
  systemGroupRows,
  userRow,
} from './people-rows.ts';
import { readAvatar, readEmoji, readSize } from './pictures.ts';
import { type ConvertedEmoji, TextRenderer, type UploadedFile } from './rendering.ts';
import type { StagedFile, Staging } from './staging.ts';
import { hasProtectedChannels, MAX_INTERVALS, subscriptionTables } from './subscription-rows.ts';

export interface Converting {
  readonly staging: Staging;
  /** The program, as messages name the client that sent them. */
  readonly program: string;
  readonly secret: Buffer;
  readonly organizationUrl: string;
  readonly imagePreviews: boolean;
  readonly report: ImportReport;
  readonly progress: (text: string) => void;
}

/** Senders who are not among the users of the archive. Further ones are skipped with their messages. */
const MAX_UNKNOWN_SENDERS = 10_000;

/** Reads the whole archive once, and then gives rows. */
export async function convertArchive(archive: NeutralArchive, converting: Converting): Promise<ImportSource> {
  const { report, staging, progress } = converting;
  const senders = new UnknownSenders(archive.users, report);
  staging.addUploads(archive.uploads?.() ?? []);
  await staging.fill(senders.noted(archive.messages()), report, (count) => progress(`Read ${count} messages`));
  const people = convertPeople(archive, senders.users, report);
  return await new ConvertedSource(archive, { ...converting, people }).prepared();
}

/** Notes senders whom the archive does not describe: deactivated accounts stand for them. */
class UnknownSenders {
  readonly #known: Set<string>;
  readonly #report: ImportReport;
  readonly #users = new Map<string, NeutralUser>();
  /** Those whose name is not known yet. */
  readonly #unnamed = new Set<string>();

  constructor(users: readonly NeutralUser[], report: ImportReport) {
    this.#known = new Set(users.map(({ key }) => key));
    this.#report = report;
  }

  get users(): readonly NeutralUser[] {
    return [...this.#users.values()];
  }

  async *noted(messages: AsyncIterable<NeutralMessage | DetailsOf>): AsyncGenerator<NeutralMessage | DetailsOf> {
    for await (const message of messages) {
      if (!('of' in message)) this.#note(message);
      yield message;
    }
  }

  #note({ sender, senderName }: NeutralMessage): void {
    // A later message can have the name.
    const isNamed = senderName !== undefined && this.#unnamed.delete(sender);
    if (isNamed) this.#add(sender, senderName);
    if (this.#known.has(sender) || this.#users.size >= MAX_UNKNOWN_SENDERS) return;
    this.#known.add(sender);
    if (senderName === undefined) this.#unnamed.add(sender);
    this.#report.skip(
      'Senders that the archive does not describe: deactivated accounts stand for them',
      senderName ?? sender,
    );
    this.#add(sender, senderName ?? `Unknown user ${sender}`);
  }

  #add(key: string, fullName: string): void {
    this.#users.set(key, { key, email: null, fullName, role: Role.member, isActive: false, isBot: true });
  }
}

interface Context extends Converting {
  readonly people: People;
}

type Tables = Readonly<Record<string, (after: number) => AsyncIterable<SourceRow>>>;

class ConvertedSource {
  readonly #archive: NeutralArchive;
  readonly #context: Context;
  readonly #emoji = new Map<string, ConvertedEmoji>();
  readonly #renderer: TextRenderer;
  readonly #lookup: Lookup;

  constructor(archive: NeutralArchive, context: Context) {
    this.#archive = archive;
    this.#context = context;
    const { people, staging, report, organizationUrl, imagePreviews } = context;
    const renderer = new TextRenderer({
      archive,
      people,
      staging,
      emoji: this.#emoji,
      uploadOf: (key) => this.#uploadOf(key),
      organizationUrl,
      imagePreviews,
    });
    this.#renderer = renderer;
    this.#lookup = {
      report,
      lastMessageId: staging.messages,
      user: (key) => (key === undefined ? undefined : people.users.get(key)),
      channel: (key) => (key === undefined ? undefined : people.channels.get(key)),
      group: (key) => groupIdOf(people, key),
      permission: (permission, given) => permittedSetting(people, permission, given),
      random: (purpose) => this.#random(purpose),
      message: (key) => staging.byKey(key),
      messages: () => staging.inOrder(0),
      topicOf: (key) => {
        const message = staging.byKey(key);
        return message === undefined ? '' : renderer.topicOf(message);
      },
      emoji: (name, known) => renderer.emojiOf(name, known),
      topic: (text) => renderer.validTopic(text),
      markdown: (text) => renderer.markdown(text, null),
      render: (markdown) => renderer.render(markdown).html,
      renderDescription: (markdown) => renderer.renderDescription(markdown),
    };
  }

  async prepared(): Promise<ImportSource> {
    const { staging } = this.#context;
    await this.#prepareEmoji();
    const tables = this.#tables();
    return {
      fingerprint: this.#archive.fingerprint,
      // The subscriptions need ids of events that ended earlier ones.
      lastEventId: hasProtectedChannels(this.#context.people) ? MAX_INTERVALS : 0,
      lastMessageId: staging.messages,
      tables: Object.keys(tables),
      countOf: (table) => (table === 'messages' ? staging.messages : undefined),
      rows: (table, after = 0) => tables[table]?.(after) ?? none(),
      file: async (row) => {
        const path = String(row.source_path);
        const bytes = this.#archive.bytesOf(path);
        return bytes === undefined ? undefined : { bytes, content: await this.#archive.open(path) };
      },
    };
  }

  async #prepareEmoji(): Promise<void> {
    const { report } = this.#context;
    checkCount('custom emoji', this.#archive.emoji.length, LIMITS.emoji);
    for (const { name, path, author, isDeactivated = false } of this.#archive.emoji) {
      const valid = customEmojiName(name);
      if (valid === '' || this.#emoji.has(valid)) {
        report.skip('Custom emoji whose name is not valid or occurs twice', name);
        continue;
      }
      const drawn = await readEmoji(this.#archive, path, report);
      if (drawn === undefined) continue;
      if (valid !== name) report.skip('Custom emoji with another name than in the archive', `${name} is ${valid}`);
      const id = this.#emoji.size + 1;
      const file = this.#random(`emoji ${valid}`);
      this.#emoji.set(valid, { id, name: valid, file, extension: drawn.extension, path, author, isDeactivated });
    }
  }

  /** Secret bytes. They stay the same when an interrupted import continues. */
  #random(purpose: string): string {
    return createHmac('sha256', this.#context.secret)
      .update(`heddle: import\n${this.#archive.fingerprint}\n${purpose}`)
      .digest('hex')
      .slice(0, 32);
  }

  /** Tables to which others refer come first. */
  #tables(): Tables {
    const { people, report } = this.#context;
    const { beforeMessages = [], afterMessages = [] } = this.#archive.others ?? {};
    const groups = [...people.groups.values()];
    return {
      organizations: (after) => from(after, this.#organization()),
      users: (after) => from(after, this.#users()),
      avatar_pictures: (after) => this.#avatars(after),
      user_groups: (after) =>
        from(after, [...systemGroupRows(), ...groups.map((group) => groupRow(people, group, report))]),
      user_group_subgroups: (after) => from(after, subgroupRows(people, report)),
      user_group_members: (after) => from(after, groupMemberRows(people, report)),
      channel_folders: (after) => from(after, this.#folders()),
      channels: (after) => from(after, this.#channels()),
      ...subscriptionTables(this.#archive, this.#context, from),
      custom_emoji: (after) => from(after, this.#emojiRows()),
      custom_emoji_pictures: (after) => this.#emojiPictures(after),
      ...this.#others(beforeMessages),
      attachments: (after) => this.#attachments(after),
      direct_conversations: (after) => this.#conversations(after),
      direct_participants: (after) => from(after, this.#participants()),
      acquaintances: (after) => from(after, this.#acquaintances()),
      messages: (after) => this.#messages(after),
      ...this.#others(afterMessages),
    };
  }

  #others(tables: readonly OtherTable[]): Tables {
    return Object.fromEntries(
      tables.map(({ table, rows }) => [table, (after: number) => from(after, rows(this.#lookup))]),
    );
  }

  async *#organization(): AsyncGenerator<SourceRow> {
    const { name, description } = this.#archive;
    yield {
      name: mendedOrganizationName(name),
      description: mendedOrganizationDescription(description),
      ...(await this.#archive.organization?.(this.#lookup)),
    };
  }

  *#users(): Generator<SourceRow> {
    yield* systemBotRows();
    for (const user of this.#context.people.users.values())
      yield userRow(user, this.#context.people, this.#avatarFile(user));
  }

  #avatarFile({ avatar, key }: ConvertedUser): string | null {
    return avatar === undefined || this.#archive.bytesOf(avatar) === undefined ? null : this.#random(`avatar ${key}`);
  }

  async *#avatars(after: number): AsyncGenerator<SourceRow> {
    let count = 0;
    for (const { id, avatar } of this.#context.people.users.values()) {
      if (avatar === undefined || this.#archive.bytesOf(avatar) === undefined) continue;
      count += 1;
      if (count <= after) continue;
      const drawn = await readAvatar(this.#archive, avatar, this.#context.report);
      yield drawn === undefined ? NO_ROW : { user_id: id, ...drawn };
    }
  }

  #folders(): readonly SourceRow[] {
    return folderRows(this.#archive.folders ?? [], this.#context.people, this.#lookup.renderDescription);
  }

  *#channels(): Generator<SourceRow> {
    const { people, staging, report } = this.#context;
    const first = staging.firstMessages();
    const { markdown, renderDescription: render } = this.#lookup;
    const folders = this.#archive.folders ?? [];
    for (const channel of people.channels.values())
      yield channelRow(channel, { people, folders, firstMessage: first.get(channel.key), markdown, render, report });
  }

  *#emojiRows(): Generator<SourceRow> {
    const { users } = this.#context.people;
    const owner = [...users.values()].find(({ role }) => role === Role.owner);
    for (const { id, name, file, extension, author, isDeactivated } of this.#emoji.values()) {
      const authorId = (author === undefined ? undefined : users.get(author)?.id) ?? owner?.id ?? 1;
      const isAnimated = extension !== 'png';
      yield { id, name, author_id: authorId, file, extension, is_animated: isAnimated, is_deactivated: isDeactivated };
    }
  }

  async *#emojiPictures(after: number): AsyncGenerator<SourceRow> {
    for (const { id, path } of this.#emoji.values()) {
      if (id <= after) continue;
      const { picture, still } = (await readEmoji(this.#archive, path, this.#context.report)) ?? {
        picture: Buffer.alloc(0),
        still: null,
      };
      yield { emoji_id: id, picture, still };
    }
  }

  #uploadOf(key: string): UploadedFile | undefined {
    const { staging, people } = this.#context;
    const file = staging.file(key);
    if (file === undefined || this.#archive.bytesOf(file.path) === undefined || !people.users.has(file.owner))
      return undefined;
    return { id: file.id, ...this.#fileFacts(file), picture: this.#pictures.get(file.id) ?? null };
  }

  async *#attachments(after: number): AsyncGenerator<SourceRow> {
    for (const file of this.#context.staging.files(0)) {
      const owner = this.#context.people.users.get(file.owner);
      const size = this.#archive.bytesOf(file.path);
      const { pathId, contentType } = this.#fileFacts(file);
      // Also of files that an earlier run has stored, because messages show them.
      const picture = await this.#pictureOf(file, contentType);
      if (file.id <= after) continue;
      if (owner === undefined || size === undefined) {
        yield NO_ROW;
        continue;
      }
      yield {
        id: file.id,
        owner_id: owner.id,
        path_id: pathId,
        name: file.name.slice(0, 200),
        content_type: contentType,
        size,
        picture,
        created_at: new Date(file.createdAt),
        unlinked_since: null,
        source_path: file.path,
      };
    }
  }

  readonly #pictures = new Map<number, UploadedFile['picture']>();

  async #pictureOf({ id, path }: StagedFile, contentType: string): Promise<object | null> {
    const size = await readSize(this.#archive, path, contentType);
    if (size !== null) this.#pictures.set(id, size);
    return size && { ...size, thumbnails: null };
  }

  #fileFacts({ key, name }: StagedFile) {
    const random = this.#random(`file ${key}`);
    const clean =
      name
        .normalize('NFKC')
        .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
        .replaceAll(/^[.-]+/g, '')
        .slice(0, 100) || 'file';
    return {
      pathId: `1/${random.slice(0, 2)}/${random.slice(2)}/${clean}`,
      contentType: contentTypeOf(undefined, name),
    };
  }

  async *#conversations(after: number): AsyncGenerator<SourceRow> {
    const { staging, people } = this.#context;
    // The ids follow from the messages in their order, so they are the same when an import continues.
    staging.fillConversations((message) => participantsOf(people, message));
    for (const { id, participants } of staging.conversations(after)) {
      yield { id, recipient_id: people.channels.size + id, participants, fingerprint: fingerprint(participants) };
    }
  }

  *#participants(): Generator<SourceRow> {
    const { staging, people } = this.#context;
    const read = new Map<string, number>();
    for (const { participants, user, at } of this.#archive.readDirect?.() ?? []) {
      const ids = sortedIds(people, participants);
      const userId = people.users.get(user)?.id;
      const id = ids.length === 0 ? undefined : staging.conversationOf(ids);
      if (id !== undefined && userId !== undefined) read.set(`${id} ${userId}`, staging.lastUntil(at));
    }
    for (const { id, participants } of staging.conversations(0)) {
      for (const user of participants) {
        yield { user_id: user, conversation_id: id, read_through: read.get(`${id} ${user}`) ?? staging.messages };
      }
    }
  }

  /** Guests can access users with whom they have a conversation. */
  *#acquaintances(): Generator<SourceRow> {
    const { people, staging } = this.#context;
    const guests = new Set([...people.users.values()].flatMap(({ id, role }) => (role === Role.guest ? id : [])));
    for (const [guest, user] of staging.acquaintances(guests)) yield { guest_id: guest, user_id: user };
  }

  async *#messages(after: number): AsyncGenerator<SourceRow> {
    const { people, staging, report, program } = this.#context;
    const context = { people, staging, renderer: this.#renderer, report, client: program };
    for (const message of staging.inOrder(after)) yield messageRow(context, message) ?? NO_ROW;
  }
}

async function* none(): AsyncGenerator<SourceRow> {}

async function* from(after: number, rows: AsyncIterable<SourceRow> | Iterable<SourceRow>): AsyncGenerator<SourceRow> {
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count > after) yield row;
  }
}
