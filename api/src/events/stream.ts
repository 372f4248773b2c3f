import Type, { type TLiteral, type TObject } from 'typebox';
import { PLAIN_CHANNEL_SETTING_NAMES, PLAIN_CHANNEL_SETTINGS, type PlainChannelSetting } from '../channel-settings.ts';
import { channel } from '../objects/channel.ts';
import { groupSettingValue } from '../objects/group-setting.ts';
import { CHANNEL_PERMISSIONS } from '../permissions.ts';

const common = { id: Type.Integer(), type: Type.Literal('stream') };
const update = { ...common, op: Type.Literal('update'), stream_id: Type.Integer(), name: Type.String() };
const integerOrNull = Type.Union([Type.Integer(), Type.Null()]);
const permission = Type.Union(Object.keys(CHANNEL_PERMISSIONS).map((name) => Type.Literal(name)));

/** A change of one plain setting. */
type PlainUpdate = {
  [Name in PlainChannelSetting]: TObject<
    typeof update & { property: TLiteral<Name>; value: (typeof PLAIN_CHANNEL_SETTINGS)[Name]['value'] }
  >;
}[PlainChannelSetting];

function plainUpdate(name: PlainChannelSetting): PlainUpdate {
  const { value } = PLAIN_CHANNEL_SETTINGS[name];
  // TypeScript cannot relate the name to its value in a union.
  return Type.Object({ ...update, property: Type.Literal(name), value }) as unknown as PlainUpdate;
}

export const streamEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('create'), streams: Type.Array(channel) }),
  Type.Object({
    ...common,
    op: Type.Literal('delete'),
    stream_ids: Type.Array(Type.Integer()),
    /** The older form of `stream_ids`. */
    streams: Type.Array(Type.Object({ stream_id: Type.Integer() })),
  }),
  /** Null if the channel has no messages. */
  Type.Object({ ...update, property: Type.Literal('first_message_id'), value: integerOrNull }),
  Type.Object({ ...update, property: Type.Literal('is_recently_active'), value: Type.Boolean() }),
  /** `name` is the previous name. */
  Type.Object({ ...update, property: Type.Literal('name'), value: Type.String() }),
  Type.Object({
    ...update,
    property: Type.Literal('description'),
    value: Type.String(),
    rendered_description: Type.String(),
  }),
  Type.Object({ ...update, property: Type.Literal('is_archived'), value: Type.Boolean() }),
  ...PLAIN_CHANNEL_SETTING_NAMES.map(plainUpdate),
  Type.Object({ ...update, property: permission, value: groupSettingValue }),
  /** Older clients read this instead of `can_send_message_group`. */
  Type.Object({ ...update, property: Type.Literal('stream_post_policy'), value: Type.Integer() }),
  Type.Object({ ...update, property: Type.Literal('is_announcement_only'), value: Type.Boolean() }),
  /** The privacy or the history access of the channel changed. The three fields change together. */
  Type.Object({
    ...update,
    property: Type.Literal('invite_only'),
    value: Type.Boolean(),
    history_public_to_subscribers: Type.Boolean(),
    is_web_public: Type.Boolean(),
  }),
]);

export const defaultStreamsEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('default_streams'),
  default_streams: Type.Array(Type.Integer()),
});
