import Type from 'typebox';
import { list, MAX_CONTENT_LENGTH, MAX_RECIPIENTS, text } from '../bounds.ts';

const type = Type.Union([Type.Literal(''), Type.Literal('stream'), Type.Literal('private')], {
  description: 'Empty for an unaddressed draft',
});
const TO = "The id of one channel, or the ids of users; what a draft has here that is not addressed doesn't count";

/** A draft (interface document, "Draft"). */
export const draft = Type.Object(
  {
    id: Type.Integer(),
    type,
    to: Type.Array(Type.Integer(), { description: TO }),
    topic: Type.String({ description: 'Empty unless the draft is for a channel' }),
    content: Type.String({ description: 'Markdown source' }),
    timestamp: Type.Integer({ description: 'The time of the last edit in seconds since the epoch' }),
  },
  { title: 'Draft' },
);

/** The last second of the year 9999. */
const MAX_TIMESTAMP_SECONDS = 253_402_300_799;

/** A draft in a request. The server assigns the ID. */
export const writtenDraft = Type.Object(
  {
    type,
    to: list(Type.Integer(), MAX_RECIPIENTS, { description: TO }),
    topic: text({ description: 'Ignored unless the draft is for a channel' }),
    content: text({ minLength: 1, maxLength: MAX_CONTENT_LENGTH }),
    timestamp: Type.Optional(
      Type.Union([Type.Number({ maximum: MAX_TIMESTAMP_SECONDS }), Type.Null()], {
        description: 'The time of the last edit in seconds since the epoch. The default is the current time',
      }),
    ),
  },
  { title: 'WrittenDraft', additionalProperties: false },
);
