import Type from 'typebox';
import { list, text } from '../bounds.ts';

export const MAX_FIELD_NAME_LENGTH = 40;
export const MAX_FIELD_HINT_LENGTH = 80;
/** Maximum number of fields in an organization. */
export const MAX_PROFILE_FIELDS = 50;
/** Maximum length of the data of a field as JSON, in characters. */
export const MAX_FIELD_DATA_LENGTH = 10_000;
/** Maximum number of options in a field. */
const MAX_FIELD_OPTIONS = 200;
/** Maximum number of fields in profile summaries. */
export const MAX_SUMMARIZED_FIELDS = 2;
/** Maximum number of users in a value of the type `USER`. */
const MAX_USERS_IN_FIELD = 100;

/** The types of fields, by the keyword of the wire (public reference: `custom_profile_field_types`). */
export const PROFILE_FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const;

/** Accounts on other sites. Every client knows their names, hints and URLs. `%(username)s` stands for the value. */
export const DEFAULT_EXTERNAL_ACCOUNTS = {
  twitter: {
    name: 'Twitter username',
    text: 'Twitter',
    hint: '',
    url_pattern: 'https://twitter.com/%(username)s',
  },
  github: {
    name: 'GitHub username',
    text: 'GitHub',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
} as const;

/** A custom profile field. */
export const profileField = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.Integer({
    description: '1 short text, 2 long text, 3 options, 4 date, 5 link, 6 users, 7 account, 8 pronouns',
  }),
  hint: Type.String(),
  field_data: Type.String({ description: 'JSON with the options or the kind of account. Empty for other types' }),
  order: Type.Integer(),
  required: Type.Boolean({ description: 'Clients ask for a value, but the server does not require it' }),
  editable_by_user: Type.Boolean({ description: 'False if only administrators can set values' }),
  display_in_profile_summary: Type.Optional(Type.Literal(true)),
});

/** The data of a field in a request: options by key, or `subtype` and `url_pattern` of an account. */
export const fieldData = Type.Record(
  Type.String(),
  Type.Union([Type.Record(Type.String(), text(), { maxProperties: 10 }), text()]),
  { maxProperties: MAX_FIELD_OPTIONS },
);

/** A value of a field: a string or a list of user IDs. */
const profileValue = Type.Union([text(), list(Type.Integer(), MAX_USERS_IN_FIELD)]);

export const profileDataUpdates = list(Type.Object({ id: Type.Integer(), value: profileValue }), MAX_PROFILE_FIELDS);

/** Null, an empty string or an empty list removes the value. */
export const profileDataUpdatesOrNone = list(
  Type.Object({ id: Type.Integer(), value: Type.Union([...profileValue.anyOf, Type.Null()]) }),
  MAX_PROFILE_FIELDS,
);
