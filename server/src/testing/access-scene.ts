/**
 * Who calls in the access matrix, and what is made anew for each of their calls, so that none depends on another. Things are made by
 * those who may; whether the caller may is only ever asked of the call itself.
 */
import { uploadAvatar } from '@heddle/api/endpoints/avatars.ts';
import { uploadCustomEmoji } from '@heddle/api/endpoints/custom-emoji.ts';
import { uploadIcon } from '@heddle/api/endpoints/organization-pictures.ts';
import sharp from 'sharp';
import { Role } from '../directory/records.ts';
import { deactivateUser, setPassword } from '../domain/accounts/actions.ts';
import { callAs } from './call-as.ts';
import type { Fields, TestClient } from './client.ts';
import type { Json } from './json.ts';
import { becomeBot } from './rare-changes.ts';
import type { NewChannelFields, TestServer } from './server.ts';

/** The columns of the matrix, in the order in which rows write down what becomes of them. */
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

/** Whoever is none of the organization: nothing is theirs, and where credentials are required they get nowhere. */
export const isOutside = (column: Column) =>
  isWithoutAccount(column) || column === 'deactivated' || column === 'foreign';

/** Who sends no credentials: where there are no spectators, and where there are. */
export const isWithoutAccount = (column: Column) => column === 'nobody' || column === 'spectator';

/** Channels that no call changes: all subscribed, only the colleague, only the colleague in a private one, and in one for spectators. */
export interface StandingChannels {
  readonly common: number;
  readonly others: number;
  readonly closed: number;
  readonly shown: number;
}

/** Everybody who calls, and one more member, to whom others' things belong. */
export interface Cast {
  readonly server: TestServer;
  readonly colleague: TestClient;
  /** `nobody` and `spectator` send no credentials; here the foreign account is in their place. */
  readonly callers: Readonly<Record<Column, TestClient>>;
  readonly standing: StandingChannels;
}

/** The bot is the member's; the deactivated account was a member's; the foreign one owns another organization. */
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
  for (const { userId } of Object.values(inside)) await setPassword(app, organization, userId, PASSWORD);
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

/** What one call is about. */
export class Scene {
  readonly owner: TestClient;
  /** A member who calls nothing, and has what is somebody else's. */
  readonly colleague: TestClient;
  readonly caller: TestClient;
  /** Whoever has what is the caller's own; the owner where the caller is none of the organization and can have nothing. */
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

  /** Where the server is. */
  get url(): string {
    return this.#server.url;
  }

  /** A name that nothing has yet. */
  name(): string {
    made += 1;
    return `made ${made}`;
  }

  /** A new channel of the organization's owner, with the colleague subscribed and the caller. */
  async channel(): Promise<NewChannel> {
    const principals = new Set([this.self.userId, this.colleague.userId]);
    principals.delete(this.owner.userId);
    return this.#channel(this.owner, { principals: [...principals] });
  }

  /** A new channel of the organization's owner where only the caller is as well. */
  channelOfTheirOwn(): Promise<NewChannel> {
    const principals = this.self === this.owner ? [] : [this.self.userId];
    return this.#channel(this.owner, { principals });
  }

  /** A new channel of the colleague's where nobody else is. */
  channelOfOthers(fields: NewChannelFields = {}): Promise<NewChannel> {
    return this.#channel(this.colleague, fields);
  }

  /** A new channel that the caller may administer, whatever their role lets them. */
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

  /** A message of the caller's, and one of the colleague's, where both are subscribed. */
  ownMessage(): Promise<number> {
    return this.self.send(this.standing.common, 'topic', 'content');
  }
  message(): Promise<number> {
    return this.colleague.send(this.standing.common, 'topic', 'content');
  }

  /** A custom emoji, uploaded by this user: its name, and where its pictures are. */
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

  /** An icon of the organization: where it is, as the parameters of its address. */
  async icon(): Promise<Fields> {
    const answer = await callAs(this.#server.url, this.owner, uploadIcon, {}, await movingPicture());
    if (answer.status !== 200) throw new Error(`no icon was made: ${answer.status} ${answer.code}`);
    const { state } = await this.owner.register({ fetch_event_types: ['realm'], event_types: [] });
    return partsOfPicture(state.realm_icon_url);
  }

  /** The same of the owner's own picture. */
  async avatar(): Promise<Fields> {
    const answer = await callAs(this.#server.url, this.owner, uploadAvatar, {}, await movingPicture());
    if (answer.status !== 200) throw new Error(`no avatar was made: ${answer.status} ${answer.code}`);
    const { state } = await this.owner.register({ fetch_event_types: ['realm_user'], event_types: [] });
    return partsOfPicture(state.avatar_url);
  }

  /** A new account, of whom nobody has anything. */
  person(role?: Role): Promise<TestClient> {
    return this.#server.user(role === undefined ? {} : { role });
  }

  /** A custom profile field for short texts: its id. */
  async profileField(fields: Fields = {}): Promise<number> {
    const field = { name: this.name(), field_type: 1, ...fields };
    return (await this.owner.ok('POST', '/realm/profile_fields', field)).id;
  }

  /** A user group that the organization's owner made, of which the caller is a member: its id. */
  async group(fields: Fields = {}): Promise<number> {
    const group = { name: this.name(), description: '', members: [this.self.userId], ...fields };
    return (await this.owner.ok('POST', '/user_groups/create', group)).group_id;
  }
}

/** What the path of a picture says: `/user_avatars/1/….png?version=2`. */
function partsOfPicture(url: string): Fields {
  const [path = ''] = url.split('?');
  return { organization_id: path.split('/')[2], file: path.split('/').at(-1) };
}

/** Two frames, so that there is a still picture of it as well. */
export function movingPicture(): Promise<Buffer> {
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
