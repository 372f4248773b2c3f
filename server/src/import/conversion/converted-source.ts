/** The archive of another program as the source of an import. */
import { createHmac } from 'node:crypto';
import { CHANNEL_PERMISSIONS, SystemGroup } from '@heddle/api/permissions.ts';
import { Role } from '../../directory/records.ts';
import { fingerprint } from '../../domain/conversations/actions.ts';
import { SYSTEM_GROUPS } from '../../domain/founding/system-groups.ts';
import { contentTypeOf } from '../../domain/uploads/names.ts';
import { SYSTEM_BOTS } from '../../domain/users/system-bots.ts';
import { escapeText } from '../../markup/index.ts';
import type { ImportReport } from '../report.ts';
import { type ImportSource, NO_ROW, type SourceRow } from '../source.ts';
import { messageRow } from './message-rows.ts';
import type { NeutralArchive, NeutralMessage, NeutralUser } from './neutral.ts';
import { type ConvertedChannel, type ConvertedUser, convertPeople, type People, uniqueName } from './people.ts';
import { readAvatar, readEmoji, readSize } from './pictures.ts';
import { type ConvertedEmoji, TextRenderer, type UploadedFile } from './rendering.ts';
import { type StagedFile, Staging } from './staging.ts';

export interface Converting {
  /** A file that does not exist; it is removed in the end. */
  readonly stagingPath: string;
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
const GENERIC_BOT = 1;
const COLORS = ['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5'];

/** Reads the whole archive once, and then gives rows. `close` removes the temporary file. */
export async function convertArchive(
  archive: NeutralArchive,
  converting: Converting,
): Promise<{ source: ImportSource; close(): void }> {
  const { report, stagingPath, progress } = converting;
  const staging = new Staging(stagingPath);
  try {
    const senders = new UnknownSenders(archive.users, report);
    await staging.fill(senders.noted(archive.messages()), report, (count) => progress(`Read ${count} messages`));
    const people = convertPeople(archive, senders.users, report);
    const source = new ConvertedSource(archive, { ...converting, staging, people });
    return { source: await source.prepared(), close: () => staging.close() };
  } catch (error) {
    staging.close();
    throw error;
  }
}

/** Notes senders whom the archive does not describe: deactivated accounts stand for them. */
class UnknownSenders {
  readonly #known: Set<string>;
  readonly #report: ImportReport;
  readonly #users: NeutralUser[] = [];

  constructor(users: readonly NeutralUser[], report: ImportReport) {
    this.#known = new Set(users.map(({ key }) => key));
    this.#report = report;
  }

  get users(): readonly NeutralUser[] {
    return this.#users;
  }

  async *noted(messages: AsyncIterable<NeutralMessage>): AsyncGenerator<NeutralMessage> {
    for await (const message of messages) {
      const { sender, senderName } = message;
      if (!this.#known.has(sender) && this.#users.length < MAX_UNKNOWN_SENDERS) {
        this.#known.add(sender);
        this.#report.skip(
          'Senders that the archive does not describe: deactivated accounts stand for them',
          senderName ?? sender,
        );
        const fullName = senderName ?? `Unknown user ${sender}`;
        this.#users.push({ key: sender, email: null, fullName, role: Role.member, isActive: false, isBot: true });
      }
      yield message;
    }
  }
}

interface Context extends Converting {
  readonly staging: Staging;
  readonly people: People;
}

class ConvertedSource {
  readonly #archive: NeutralArchive;
  readonly #context: Context;
  readonly #emoji = new Map<string, ConvertedEmoji>();
  readonly #emojiPaths = new Map<number, string>();

  constructor(archive: NeutralArchive, context: Context) {
    this.#archive = archive;
    this.#context = context;
  }

  async prepared(): Promise<ImportSource> {
    const { staging, report } = this.#context;
    for (const { name, path } of this.#archive.emoji) {
      const valid = name
        .toLowerCase()
        .replaceAll(/[^0-9a-z_-]/g, '_')
        .replace(/[_-]+$/, '');
      if (valid === '' || this.#emoji.has(valid)) {
        report.skip('Custom emoji whose name is not valid or occurs twice', name);
        continue;
      }
      const drawn = await readEmoji(this.#archive, path, report);
      if (drawn === undefined) continue;
      const id = this.#emoji.size + 1;
      this.#emoji.set(valid, { id, name: valid, file: this.#random(`emoji ${valid}`), extension: drawn.extension });
      this.#emojiPaths.set(id, path);
    }
    const tables = this.#tables();
    return {
      fingerprint: this.#archive.fingerprint,
      lastEventId: 0,
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

  /** Secret bytes. They stay the same when an interrupted import continues. */
  #random(purpose: string): string {
    return createHmac('sha256', this.#context.secret)
      .update(`heddle: import\n${this.#archive.fingerprint}\n${purpose}`)
      .digest('hex')
      .slice(0, 32);
  }

  #tables(): Readonly<Record<string, (after: number) => AsyncIterable<SourceRow>>> {
    const { people, staging } = this.#context;
    const users = [...people.users.values()];
    const channels = [...people.channels.values()];
    return {
      organizations: () =>
        listed(0, [
          {
            name: this.#archive.name.slice(0, 40) || 'Imported',
            description: this.#archive.description.slice(0, 1000),
          },
        ]),
      users: (after) => listed(after, [...systemBots(), ...users.map((user) => this.#userRow(user))]),
      user_groups: (after) => listed(after, [...systemGroups(), ...this.#groups()]),
      user_group_subgroups: (after) => listed(after, nestedGroups()),
      user_group_members: (after) => listed(after, this.#groupMembers()),
      channels: (after) =>
        listed(
          after,
          channels.map((channel) => this.#channelRow(channel, staging.firstMessages().get(channel.key))),
        ),
      subscriptions: (after) => listed(after, this.#subscriptions()),
      avatar_pictures: (after) => this.#avatars(after),
      custom_emoji: (after) =>
        listed(
          after,
          [...this.#emoji.values()].map((emoji) => this.#emojiRow(emoji)),
        ),
      custom_emoji_pictures: (after) => this.#emojiPictures(after),
      attachments: (after) => this.#attachments(after),
      direct_conversations: (after) => this.#conversations(after),
      direct_participants: (after) => this.#participants(after),
      acquaintances: (after) => this.#acquaintances(after),
      messages: (after) => this.#messages(after),
    };
  }

  #userRow({
    id,
    email,
    fullName,
    role,
    isActive,
    isBot,
    joinedAt,
    timezone = '',
    avatar,
    key,
  }: ConvertedUser): SourceRow {
    const hasAvatar = avatar !== undefined && this.#archive.bytesOf(avatar) !== undefined;
    return {
      id,
      email,
      delivery_email: email,
      full_name: fullName,
      role,
      is_active: isActive,
      is_bot: isBot,
      bot_type: isBot ? GENERIC_BOT : null,
      timezone,
      date_joined: joinedAt ?? new Date(0),
      system_bot: null,
      address_is_confirmed: !email.endsWith('.invalid'),
      avatar_file: hasAvatar ? this.#random(`avatar ${key}`) : null,
    };
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

  #groups(): readonly SourceRow[] {
    const names = new Set<string>();
    return this.#archive.groups.map(({ name, description }, index) => ({
      id: FIRST_GROUP_ID + index,
      name: uniqueName(name.slice(0, 90) || 'group', names),
      description: description.slice(0, 1000),
      is_system: false,
      permissions: {},
    }));
  }

  #groupMembers(): readonly SourceRow[] {
    const { people, report } = this.#context;
    return this.#archive.groups.flatMap(({ members, name }, index) =>
      [...new Set(members)].flatMap((key) => {
        const user = people.users.get(key);
        if (user === undefined) report.skip('Members of groups who are unknown', `${key} in ${name}`);
        return user === undefined ? [] : [{ group_id: FIRST_GROUP_ID + index, user_id: user.id }];
      }),
    );
  }

  #channelRow(channel: ConvertedChannel, firstMessage: number | undefined): SourceRow {
    const { id, name, description, isPrivate, isArchived, isDefault, createdAt, creator } = channel;
    const creatorId = creator === undefined ? undefined : this.#context.people.users.get(creator)?.id;
    return {
      id,
      recipient_id: id,
      name,
      description,
      rendered_description: description === '' ? '' : `<p>${escapeText(description)}</p>`,
      creator_id: creatorId ?? null,
      created_at: createdAt ?? new Date(0),
      is_private: isPrivate,
      is_web_public: false,
      history_public_to_subscribers: true,
      is_archived: isArchived,
      is_default: isDefault && !isPrivate && !isArchived,
      topics_policy: 'inherit',
      first_message_id: firstMessage ?? null,
      group_settings: channelPermissions(creatorId),
    };
  }

  #subscriptions(): readonly SourceRow[] {
    const { people, staging, report } = this.#context;
    return [...people.channels.values()].flatMap(({ id, members, name }) =>
      [...new Set(members)].flatMap((key) => {
        const user = people.users.get(key);
        if (user === undefined) report.skip('Members of channels who are unknown', `${key} in ${name}`);
        if (user === undefined) return [];
        const color = COLORS[id % COLORS.length];
        return [
          {
            user_id: user.id,
            channel_id: id,
            is_active: true,
            since_event_id: 0,
            since_message_id: 0,
            read_through: staging.messages,
            color,
          },
        ];
      }),
    );
  }

  #emojiRow({ id, name, file, extension }: ConvertedEmoji): SourceRow {
    const author = this.#archive.emoji.find((emoji) => emoji.name.toLowerCase() === name)?.author;
    const { users } = this.#context.people;
    const owner =
      (author === undefined ? undefined : users.get(author)) ??
      [...users.values()].find(({ role }) => role === Role.owner);
    return { id, name, author_id: owner?.id ?? 1, file, extension, is_animated: extension !== 'png' };
  }

  async *#emojiPictures(after: number): AsyncGenerator<SourceRow> {
    for (const [id, path] of this.#emojiPaths) {
      if (id <= after) continue;
      const { picture, still } = (await readEmoji(this.#archive, path, this.#context.report)) ?? {
        picture: Buffer.alloc(0),
        still: null,
      };
      yield { emoji_id: id, picture, still };
    }
  }

  async *#attachments(after: number): AsyncGenerator<SourceRow> {
    for (const file of this.#context.staging.files(after)) {
      const owner = this.#context.people.users.get(file.owner);
      const size = this.#archive.bytesOf(file.path);
      if (owner === undefined || size === undefined) {
        yield NO_ROW;
        continue;
      }
      const { pathId, contentType } = this.#fileFacts(file);
      yield {
        id: file.id,
        owner_id: owner.id,
        path_id: pathId,
        name: file.name.slice(0, 200),
        content_type: contentType,
        size,
        picture: await this.#pictureOf(file, contentType),
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
    for (const { channel, sender, participants } of staging.inOrder(0)) {
      if (channel !== null) continue;
      const ids = [sender, ...(participants ?? [])].flatMap((key) => people.users.get(key)?.id ?? []);
      staging.conversation([...new Set(ids)].sort((a, b) => a - b));
    }
    for (const { id, participants } of staging.conversations(after)) {
      yield { id, recipient_id: people.channels.size + id, participants, fingerprint: fingerprint(participants) };
    }
  }

  async *#participants(after: number): AsyncGenerator<SourceRow> {
    const { staging } = this.#context;
    let count = 0;
    for (const { id, participants } of staging.conversations(0)) {
      for (const user of participants) {
        count += 1;
        if (count > after) yield { user_id: user, conversation_id: id, read_through: staging.messages };
      }
    }
  }

  /** Guests can access users with whom they have a conversation. */
  async *#acquaintances(after: number): AsyncGenerator<SourceRow> {
    const { people, staging } = this.#context;
    const guests = new Set([...people.users.values()].flatMap(({ id, role }) => (role === Role.guest ? id : [])));
    const pairs = new Set<string>();
    for (const { participants } of guests.size === 0 ? [] : staging.conversations(0)) {
      for (const guest of participants.filter((id) => guests.has(id))) {
        for (const user of participants) if (user !== guest) pairs.add(`${guest} ${user}`);
      }
    }
    for (const pair of [...pairs].slice(after)) {
      const [guest, user] = pair.split(' ').map(Number);
      yield { guest_id: guest, user_id: user };
    }
  }

  async *#messages(after: number): AsyncGenerator<SourceRow> {
    const { people, staging, report, program, organizationUrl, imagePreviews } = this.#context;
    const uploadOf = (key: string): UploadedFile | undefined => {
      const file = staging.file(key);
      if (file === undefined || this.#archive.bytesOf(file.path) === undefined || !people.users.has(file.owner))
        return undefined;
      return { id: file.id, ...this.#fileFacts(file), picture: this.#pictures.get(file.id) ?? null };
    };
    const renderer = new TextRenderer({
      archive: this.#archive,
      people,
      staging,
      emoji: this.#emoji,
      uploadOf,
      organizationUrl,
      imagePreviews,
    });
    const context = { people, staging, renderer, report, client: program };
    for (const message of staging.inOrder(after)) yield messageRow(context, message) ?? NO_ROW;
  }
}

async function* none(): AsyncGenerator<SourceRow> {}

async function* listed(after: number, rows: readonly SourceRow[]): AsyncGenerator<SourceRow> {
  yield* rows.slice(after);
}

function systemBots(): readonly SourceRow[] {
  return Object.entries(SYSTEM_BOTS).map(([kind, { email, fullName }], index) => ({
    ...{ id: index + 1, email, delivery_email: email, full_name: fullName, role: Role.member, is_active: true },
    ...{
      is_bot: true,
      bot_type: GENERIC_BOT,
      system_bot: kind,
      timezone: '',
      date_joined: new Date(0),
      address_is_confirmed: true,
    },
  }));
}

const FIRST_GROUP_ID = 20;

function systemGroups(): readonly SourceRow[] {
  return SYSTEM_GROUPS.map(({ name, description }, index) => ({
    id: index + 1,
    name,
    description,
    is_system: true,
    permissions: {},
  }));
}

function groupId(name: SystemGroup): number {
  return SYSTEM_GROUPS.findIndex((group) => group.name === name) + 1;
}

function nestedGroups(): readonly SourceRow[] {
  return SYSTEM_GROUPS.flatMap(({ name, holds }) =>
    holds === undefined ? [] : [{ group_id: groupId(name), subgroup_id: groupId(holds) }],
  );
}

function channelPermissions(creatorId: number | undefined): object {
  return Object.fromEntries(
    Object.entries(CHANNEL_PERMISSIONS).map(([name, { default: group }]) => {
      const creators =
        creatorId === undefined ? groupId(SystemGroup.nobody) : { directMembers: [creatorId], directSubgroups: [] };
      return [name.slice(0, -'_group'.length), group === 'creator' ? creators : groupId(group)];
    }),
  );
}
