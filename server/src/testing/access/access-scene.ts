/**
 * The callers of the access matrix, and the objects that are created for each call, so that calls are independent.
 * Permitted users create the objects; only the call itself is made as the caller.
 */
import { uploadAvatar } from '@heddle/api/endpoints/avatars.ts';
import { uploadCustomEmoji } from '@heddle/api/endpoints/custom-emoji.ts';
import { uploadIcon } from '@heddle/api/endpoints/organization-pictures.ts';
import sharp from 'sharp';
import { Role } from '../../directory/records.ts';
import { deactivateUser, setPassword } from '../../domain/accounts/accounts/actions.ts';
import type { Fields, TestClient } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';
import { becomeBot } from '../server/rare-changes.ts';
import type { NewChannelFields, TestServer } from '../server/server.ts';
import { callAs } from './call-as.ts';

/** The columns of the matrix, in the order of the outcomes in a row. */
export const COLUMNS = [
  'owner',
  'administrator',
  'moderator',
  'member',
  'guest',
  'bot',
  'nobody',
  'spectator',
  'deactivated',
  'foreign',
] as const;
export type Column = (typeof COLUMNS)[number];

export const PASSWORD = 'correct horse battery';

/**
 * Whether the caller is no active user of the organization. Such callers own nothing, and cannot call endpoints that
 * require credentials.
 */
export const isOutside = (column: Column) =>
  isWithoutAccount(column) || column === 'deactivated' || column === 'foreign';

/** Whether the caller sends no credentials: without and with spectator access. */
export const isWithoutAccount = (column: Column) => column === 'nobody' || column === 'spectator';

/**
 * Channels that no call changes: with all users, with only the colleague, a private one with only the colleague, and a
 * web-public one.
 */
export interface StandingChannels {
  readonly common: number;
  readonly others: number;
  readonly closed: number;
  readonly shown: number;
}

/** All callers, and one more member, who owns the objects of others. */
export interface Cast {
  readonly server: TestServer;
  readonly colleague: TestClient;
  /** `nobody` and `spectator` send no credentials. Their clients here are those of the foreign user. */
  readonly callers: Readonly<Record<Column, TestClient>>;
  readonly standing: StandingChannels;
}

/** The bot belongs to the member. The deactivated user was a member. The foreign user owns another organization. */
export async function gather(server: TestServer): Promise<Cast> {
  const { owner, app } = server;
  const user = (name: string, role: Role) => server.user({ name, role });
  const colleague = await user('Colleague', Role.member);
  const bot = await user('Bot', Role.member);
  const deactivated = await user('Gone', Role.member);
  const inside = {
    owner,
    administrator: await user('Administrator', Role.administrator),
    moderator: await user('Moderator', Role.moderator),
    member: await user('Member', Role.member),
    guest: await user('Guest', Role.guest),
    bot,
    deactivated,
  };
  await becomeBot(server, bot.userId, inside.member.userId);
  const organization = await app.organizations.bySubdomain('');
  if (organization === undefined) throw new Error('there is no organization');
  for (const { userId } of Object.values(inside)) await setPassword(organization, userId, PASSWORD);
  await deactivateUser(app, organization, deactivated.userId);
  const principals = Object.values(inside).flatMap(({ userId }) => (userId === owner.userId ? [] : [userId]));
  const standing = {
    common: await server.emptyChannel(owner, 'common', { principals: [...principals, colleague.userId] }),
    others: await server.emptyChannel(colleague, 'others'),
    closed: await server.emptyChannel(colleague, 'closed', { invite_only: true }),
    shown: await server.emptyChannel(colleague, 'shown'),
  };
  await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
  await owner.ok('PATCH', `/streams/${standing.shown}`, { is_web_public: true });
  const reports = await server.emptyChannel(owner, 'reports', { invite_only: true });
  await owner.ok('PATCH', '/realm', { moderation_request_channel_id: reports });
  const foreign = await server.organization('foreign');
  return { server, colleague, callers: { ...inside, foreign, nobody: foreign, spectator: foreign }, standing };
}

let made = 0;

/** The objects of one call. */
export class Scene {
  readonly owner: TestClient;
  /** A member who makes no calls, and owns the objects of others. */
  readonly colleague: TestClient;
  readonly caller: TestClient;
  /** The owner of the caller's own objects. If the caller is outside the organization, its owner. */
  readonly self: TestClient;
  readonly standing: StandingChannels;
  readonly #server: TestServer;

  constructor({ server, colleague, callers, standing }: Cast, column: Column) {
    this.#server = server;
    this.owner = server.owner;
    this.colleague = colleague;
    this.caller = callers[column];
    this.self = isOutside(column) ? server.owner : this.caller;
    this.standing = standing;
  }

  /** The URL of the server. */
  get url(): string {
    return this.#server.url;
  }

  /** A name that is not in use. */
  name(): string {
    made += 1;
    return `made ${made}`;
  }

  /** A new channel of the organization's owner, with the colleague and the caller as subscribers. */
  async channel(): Promise<NewChannel> {
    const principals = new Set([this.self.userId, this.colleague.userId]);
    principals.delete(this.owner.userId);
    return this.#channel(this.owner, { principals: [...principals] });
  }

  /** A new channel of the organization's owner, with only the caller as another subscriber. */
  channelOfTheirOwn(): Promise<NewChannel> {
    const principals = this.self === this.owner ? [] : [this.self.userId];
    return this.#channel(this.owner, { principals });
  }

  /** A new channel of the colleague, without other subscribers. */
  channelOfOthers(fields: NewChannelFields = {}): Promise<NewChannel> {
    return this.#channel(this.colleague, fields);
  }

  /** A new channel that the caller may administer, whatever their role. */
  async ownChannel(): Promise<NewChannel> {
    const channel = await this.channel();
    const named = { direct_members: [this.self.userId], direct_subgroups: [] };
    await this.owner.ok('PATCH', `/streams/${channel.id}`, { can_administer_channel_group: { new: named } });
    return channel;
  }

  async #channel(creator: TestClient, fields: NewChannelFields): Promise<NewChannel> {
    const name = this.name();
    return { id: await this.#server.emptyChannel(creator, name, fields), name };
  }

  /** A message of the caller, and one of the colleague, in a channel with both as subscribers. */
  ownMessage(): Promise<number> {
    return this.self.send(this.standing.common, 'topic', 'content');
  }
  message(): Promise<number> {
    return this.colleague.send(this.standing.common, 'topic', 'content');
  }

  /** A custom emoji that this user uploads. Returns its name and the path parameters of its images. */
  async emojiOf(
    user: TestClient,
  ): Promise<{ readonly name: string; readonly source_url: string; readonly still_url: string }> {
    const name = this.name().replace(' ', '-');
    const { url } = this.#server;
    const answer = await callAs(url, user, uploadCustomEmoji, { emoji_name: name }, await movingPicture());
    if (answer.status !== 200) throw new Error(`no emoji was made: ${answer.status} ${answer.code}`);
    const { emoji } = await this.owner.ok('GET', '/realm/emoji');
    return Object.values<Json>(emoji).find((one) => one.name === name);
  }

  /** An icon of the organization. Returns the path parameters of its URL. */
  async icon(): Promise<Fields> {
    const answer = await callAs(this.#server.url, this.owner, uploadIcon, {}, await movingPicture());
    if (answer.status !== 200) throw new Error(`no icon was made: ${answer.status} ${answer.code}`);
    const { state } = await this.owner.register({ fetch_event_types: ['realm'], event_types: [] });
    return partsOfPicture(state.realm_icon_url);
  }

  /** The same for the owner's avatar. */
  async avatar(): Promise<Fields> {
    const answer = await callAs(this.#server.url, this.owner, uploadAvatar, {}, await movingPicture());
    if (answer.status !== 200) throw new Error(`no avatar was made: ${answer.status} ${answer.code}`);
    const { state } = await this.owner.register({ fetch_event_types: ['realm_user'], event_types: [] });
    return partsOfPicture(state.avatar_url);
  }

  /** A new user without any data. */
  person(role?: Role): Promise<TestClient> {
    return this.#server.user(role === undefined ? {} : { role });
  }

  /** A custom profile field for short texts. Returns its id. */
  async profileField(fields: Fields = {}): Promise<number> {
    const field = { name: this.name(), field_type: 1, ...fields };
    return (await this.owner.ok('POST', '/realm/profile_fields', field)).id;
  }

  /** A user group of the organization's owner with the caller as a member. Returns its id. */
  async group(fields: Fields = {}): Promise<number> {
    const group = { name: this.name(), description: '', members: [this.self.userId], ...fields };
    return (await this.owner.ok('POST', '/user_groups/create', group)).group_id;
  }
}

/** The parameters in the path of an avatar: `/user_avatars/1/….png?version=2`. */
function partsOfPicture(url: string): Fields {
  const [path = ''] = url.split('?');
  return { organization_id: path.split('/')[2], file: path.split('/').at(-1) };
}

let picture: Promise<Buffer> | undefined;

/** An image with two frames, so that it also has a still version. */
export function movingPicture(): Promise<Buffer> {
  picture ??= drawMovingPicture();
  return picture;
}

function drawMovingPicture(): Promise<Buffer> {
  const frame = (background: string) => ({ create: { width: 8, height: 8, channels: 4, background } as const });
  return Promise.all(['red', 'blue'].map((colour) => sharp(frame(colour)).png().toBuffer())).then((frames) =>
    sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  );
}

export interface NewChannel {
  readonly id: number;
  readonly name: string;
}
