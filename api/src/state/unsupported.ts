import Type, { type TSchema } from 'typebox';

/** A constant field of the initial state, about a feature that Heddle does not have. */
interface Unsupported<Schema extends TSchema> {
  /** The event type that selects the field. */
  readonly type: string;
  readonly schema: Schema;
  empty(): unknown;
}

const value = <Schema extends TSchema>(type: string, schema: Schema, empty: () => unknown): Unsupported<Schema> => {
  return { type, schema, empty };
};

/**
 * Fields about features that Heddle does not have. They are always present, because clients read them without a check. A new feature
 * removes its line here. The types come from the documentation of `POST /register`.
 */
export const UNSUPPORTED = {
  has_zoom_token: value('video_calls', Type.Optional(Type.Boolean()), () => false),
  realm_billing: value(
    'realm_billing',
    Type.Optional(Type.Object({ has_pending_sponsorship_request: Type.Boolean() })),
    () => ({ has_pending_sponsorship_request: false }),
  ),
} satisfies Readonly<Record<string, Unsupported<TSchema>>>;

type UnsupportedState = { [Name in keyof typeof UNSUPPORTED]: (typeof UNSUPPORTED)[Name]['schema'] };

/** The fields' schemas. */
export const unsupportedState = Object.fromEntries(
  Object.entries(UNSUPPORTED).map(([name, { schema }]) => [name, schema]),
) as UnsupportedState;
