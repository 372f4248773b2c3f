import Type from 'typebox';
import { list, text } from '../bounds.ts';

export const MAX_FIELD_NAME_LENGTH = 40;
export const MAX_FIELD_HINT_LENGTH = 80;
/** Fields that an organization can have. */
export const MOST_FIELDS = 50;
/** Characters of a field's data, as JSON. */
export const MAX_FIELD_DATA_LENGTH = 10_000;
/** Choices of a list of options. */
export const MOST_CHOICES = 200;
/** Fields that are shown in summaries of profiles. */
export const MOST_SUMMARIZED_FIELDS = 2;
/** Users that a value of the type `USER` can name. */
export const MOST_USERS_IN_FIELD = 100;

/** What a field can hold, by the wire's keyword (public reference: `custom_profile_field_types`). */
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

/** Accounts elsewhere whose name, hint and address every client knows; `%(username)s` is where the value goes. */
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

/** A custom profile field: something that profiles of people can say. */
export const profileField = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.Integer({
    description: '1 short text, 2 long text, 3 options, 4 date, 5 link, 6 users, 7 account, 8 pronouns',
  }),
  hint: Type.String(),
  field_data: Type.String({ description: 'JSON: the options, or what kind of account; empty for other types' }),
  order: Type.Integer(),
  required: Type.Boolean({ description: 'Clients ask for a value; the server does not insist' }),
  editable_by_user: Type.Boolean({ description: 'false: only administrators give values' }),
  display_in_profile_summary: Type.Optional(Type.Literal(true)),
});

/** What a request says of a field's data: options by their keys, or `subtype` and `url_pattern` of an account. */
export const fieldData = Type.Record(
  Type.String(),
  Type.Union([Type.Record(Type.String(), text(), { maxProperties: 10 }), text()]),
  { maxProperties: MOST_CHOICES },
);

/** A value of a field: a text, or the ids of users. */
const profileValue = Type.Union([text(), list(Type.Integer(), MOST_USERS_IN_FIELD)]);

export const profileDataUpdates = list(Type.Object({ id: Type.Integer(), value: profileValue }), MOST_FIELDS);

/** With null, an empty text or an empty list the value is taken away. */
export const profileDataUpdatesOrNone = list(
  Type.Object({ id: Type.Integer(), value: Type.Union([...profileValue.anyOf, Type.Null()]) }),
  MOST_FIELDS,
);
