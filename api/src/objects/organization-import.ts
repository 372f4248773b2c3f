import Type, { type TSchema } from 'typebox';

/** The programs whose archives can be imported, in the order in which a person chooses. */
export const IMPORT_FORMATS = ['slack', 'mattermost', 'zulip', 'rocketchat', 'heddle'] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export const importFormat = Type.Enum(IMPORT_FORMATS);

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const count = Type.Integer({ minimum: 0 });

const progress = Type.Object({
  stage: Type.Enum(['waiting', 'reading', 'importing'], {
    description:
      'waiting: it starts soon, or continues after an interruption. reading: the server reads the archive. importing: it writes a table',
  }),
  table: orNull(Type.String({ description: 'The table that is written, such as `messages`' })),
  done: Type.Integer({ minimum: 0, description: 'Rows so far' }),
  total: orNull(Type.Integer({ minimum: 0, description: 'Rows of the table. Null if unknown' })),
});

const report = Type.Object({
  imported: Type.Record(Type.String(), count, { description: 'The numbers of objects by table' }),
  not_imported: Type.Array(
    Type.Object({
      what: Type.String({ description: 'The kind of object and the reason' }),
      count,
      examples: Type.Array(Type.String()),
    }),
    { description: 'What the archive has and the organization does not have' },
  ),
  messages_left_out: Type.Integer({
    minimum: 0,
    description: 'Messages that were not imported; `not_imported` says why',
  }),
});

const mails = Type.Object({
  queued: Type.Integer({ minimum: 0, description: 'People who get a mail' }),
  without_address: Type.Integer({ minimum: 0, description: 'People without a valid address' }),
});

export const invitationMails = mails;

export const organizationImport = Type.Object({
  state: Type.Enum(['uploaded', 'running', 'stopping', 'failed', 'done'], {
    description:
      'uploaded: the archive is complete. stopping: it was cancelled, and the server removes what it has imported. done: this organization is the imported one',
  }),
  format: orNull(importFormat),
  filename: Type.String(),
  size: Type.Integer({ minimum: 0, description: 'Bytes of the archive' }),
  progress: orNull(progress),
  problem: orNull(Type.String({ description: 'Why it failed' })),
  report: orNull(report),
  mails: orNull(mails),
});
