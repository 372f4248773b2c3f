/** The tables of this folder in a data export. */
import type { TableExport } from '../../../extension/exports.ts';

export const profileFieldsExports: readonly TableExport[] = [
  {
    table: 'profile_fields',
    fields: [
      'id',
      'name',
      'type',
      'hint',
      'data',
      'position',
      'is_required',
      'is_editable_by_user',
      'is_in_summary',
      'deleted_at',
    ],
  },
  {
    table: 'profile_values',
    fields: ['field_id', 'user_id', 'value', 'html'],
  },
];
