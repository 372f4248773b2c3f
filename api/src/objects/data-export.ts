import Type from 'typebox';

/** The kinds of an export, as numbers. */
export const ExportType = { public: 1, fullWithConsent: 2 } as const;

export const exportType = Type.Union([Type.Literal(ExportType.public), Type.Literal(ExportType.fullWithConsent)], {
  description:
    '1: only data that all members can see, without hidden addresses and edit history. 2: also the private data of users who agree (setting `allow_private_data_export`)',
});

const timestamp = Type.Union([Type.Number(), Type.Null()]);

export const dataExport = Type.Object({
  id: Type.Integer(),
  acting_user_id: Type.Integer({ description: 'The user who requested it' }),
  export_time: Type.Number({ description: 'When it was requested, in seconds since the epoch' }),
  deleted_timestamp: timestamp,
  failed_timestamp: timestamp,
  export_url: Type.Union([Type.String(), Type.Null()], {
    description: 'The URL of the archive, for administrators. Null if there is no archive',
  }),
  pending: Type.Boolean({ description: 'Whether the archive is being made' }),
  export_type: exportType,
});
