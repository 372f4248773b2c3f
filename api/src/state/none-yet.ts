import Type, { type TSchema } from 'typebox';

/** A field of the initial state that is the same for everyone, since there is no way yet to make what it is about. */
interface NoneYet<Schema extends TSchema> {
  /** The event type that selects the field. */
  readonly type: string;
  readonly schema: Schema;
  empty(): unknown;
}

const emptyList = Type.Optional(Type.Array(Type.Object({}), { maxItems: 0 }));

const list = (type: string): NoneYet<typeof emptyList> => ({ type, schema: emptyList, empty: () => [] });
const value = <Schema extends TSchema>(type: string, schema: Schema, empty: () => unknown): NoneYet<Schema> => {
  return { type, schema, empty };
};

/**
 * Things that no organization has any of. Clients read the fields without asking whether they are there; the feature that brings a
 * thing takes its line from here. Types: documentation of `POST /register`.
 */
export const NONE_YET = {
  has_zoom_token: value('video_calls', Type.Optional(Type.Boolean()), () => false),
  navigation_tour_video_url: value('onboarding_steps', Type.Optional(Type.Null()), () => null),
  onboarding_steps: list('onboarding_steps'),
} satisfies Readonly<Record<string, NoneYet<TSchema>>>;

type NoneYetState = { [Name in keyof typeof NONE_YET]: (typeof NONE_YET)[Name]['schema'] };

/** The fields' schemas. */
export const noneYetState = Object.fromEntries(
  Object.entries(NONE_YET).map(([name, { schema }]) => [name, schema]),
) as NoneYetState;
