import Type from 'typebox';
import { LONGEST_CONTENT, list, MOST_RECIPIENTS, text } from '../bounds.ts';

const type = Type.Union([Type.Literal(''), Type.Literal('stream'), Type.Literal('private')], {
  description: 'Empty: not addressed yet',
});
const TO = "The id of one channel, or the ids of users; what a draft has here that is not addressed doesn't count";

/** What is written and not sent yet (interface document, "Draft"). */
export const draft = Type.Object(
  {
    id: Type.Integer(),
    type,
    to: Type.Array(Type.Integer(), { description: TO }),
    topic: Type.String({ description: 'Empty but for channels' }),
    content: Type.String({ description: 'Markup, as it was written' }),
    timestamp: Type.Integer({ description: 'When it was last edited; seconds since the epoch' }),
  },
  { title: 'Draft' },
);

/** The last second of the year 9999. */
const LAST_TIMESTAMP = 253_402_300_799;

/** The same as clients send it: the id is the server's to say. */
export const writtenDraft = Type.Object(
  {
    type,
    to: list(Type.Integer(), MOST_RECIPIENTS, { description: TO }),
    topic: text({ description: 'Passed over but for channels' }),
    content: text({ minLength: 1, maxLength: LONGEST_CONTENT }),
    timestamp: Type.Optional(
      Type.Union([Type.Number({ maximum: LAST_TIMESTAMP }), Type.Null()], {
        description: 'When it was last edited; seconds since the epoch. Left out: now',
      }),
    ),
  },
  { title: 'WrittenDraft', additionalProperties: false },
);
