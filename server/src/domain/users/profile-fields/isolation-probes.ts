import * as endpoints from '@heddle/api/endpoints/profile-fields.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, member, secret }) => {
  const created = await owner.ok('POST', '/realm/profile_fields', {
    name: secret('field').slice(0, 40),
    hint: secret('hint').slice(0, 80),
    field_type: 1,
  });
  const field_id = Number(created.id);
  await member.ok('PATCH', '/users/me/profile_data', { data: [{ id: field_id, value: secret('value').slice(0, 50) }] });
  const flags = ['display_in_profile_summary', 'required', 'editable_by_user'] as const;
  return [
    probesOf(endpoints.getProfileFields, { contained: [{}] }),
    probesOf(endpoints.createProfileField, {
      contained: [{ name: 'own', field_type: 1 }],
      harmless: ['hint', 'field_data', ...flags],
    }),
    probesOf(endpoints.reorderProfileFields, { refused: [{ order: [field_id] }] }),
    probesOf(endpoints.updateProfileField, {
      refused: [
        { field_id, name: 'x' },
        { field_id, hint: 'x' },
        { field_id, field_data: {} },
      ],
      harmless: flags,
    }),
    probesOf(endpoints.deleteProfileField, { refused: [{ field_id }] }),
    probesOf(endpoints.updateProfileData, { refused: [{ data: [{ id: field_id, value: 'x' }] }] }),
    probesOf(endpoints.deleteProfileData, { refused: [{ data: [field_id] }] }),
  ];
};
