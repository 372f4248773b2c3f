import * as managing from '@heddle/api/endpoints/managing-users.ts';
import * as endpoints from '@heddle/api/endpoints/users.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, member, secret }) => {
  const users = [owner.userId, member.userId];
  const created = await owner.ok('POST', '/realm/profile_fields', { name: secret('field of theirs'), field_type: 1 });
  const profile_data = [{ id: Number(created.id), value: 'x' }];
  const changes = [{ full_name: 'x' }, { role: 600 }, { profile_data }, { new_email: 'x@example.com' }];
  const harmless = ['client_gravatar', 'include_custom_profile_fields'] as const;
  return [
    probesOf(endpoints.getUsers, { contained: [{}, { user_ids: users }], harmless }),
    probesOf(endpoints.getOwnUser, { contained: [{}] }),
    probesOf(endpoints.getUser, { refused: users.map((user_id) => ({ user_id })), harmless }),
    probesOf(endpoints.getUserByEmail, {
      refused: [owner.email, member.email, `user${owner.userId}@localhost`].map((email) => ({ email })),
      harmless,
    }),
    probesOf(managing.updateUser, {
      refused: users.flatMap((user_id) => changes.map((change) => ({ user_id, ...change }))),
    }),
    probesOf(managing.updateUserByEmail, {
      refused: [owner.email, `user${member.userId}@localhost`].flatMap((email) =>
        changes.map((change) => ({ email, ...change })),
      ),
    }),
    probesOf(managing.createUser, {
      contained: [{ email: member.email, full_name: 'Own', password: 'correct horse battery' }],
    }),
    probesOf(managing.deactivateUser, {
      refused: users.map((user_id) => ({ user_id })),
      harmless: ['deactivation_notification_comment'],
    }),
    probesOf(managing.reactivateUser, { refused: [{ user_id: member.userId }] }),
    probesOf(managing.deactivateOwnUser, { contained: [{}] }),
  ];
};
