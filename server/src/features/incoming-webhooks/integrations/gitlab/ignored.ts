import type { IgnoredEvents } from '../../integration.ts';

export const RUNNING_PIPELINE = 'Pipeline Hook of a running pipeline';

/** System hooks of which no team needs a message. */
const ADMINISTRATION = [
  'gitlab_subscription_member_approval',
  'gitlab_subscription_member_approvals',
  'group_create',
  'group_destroy',
  'group_rename',
  'key_create',
  'key_destroy',
  'project_create',
  'project_destroy',
  'project_rename',
  'project_transfer',
  'project_update',
  'user_access_request_revoked_for_group',
  'user_access_request_revoked_for_project',
  'user_access_request_to_group',
  'user_access_request_to_project',
  'user_add_to_group',
  'user_add_to_team',
  'user_create',
  'user_destroy',
  'user_failed_login',
  'user_remove_from_group',
  'user_remove_from_team',
  'user_rename',
  'user_update_for_group',
  'user_update_for_team',
];

export const IGNORED: IgnoredEvents = {
  'Emoji Hook': 'Reactions are worth no message.',
  'Member Hook': 'Administrators see the members in GitLab itself.',
  [RUNNING_PIPELINE]: 'Only the result of a pipeline is worth a message.',
  'Project Hook': 'Administrators see the projects in GitLab itself.',
  'Subgroup Hook': 'Administrators see the groups in GitLab itself.',
  'System Hook repository_update': 'The event Push Hook reports the same.',
  ...Object.fromEntries(
    ADMINISTRATION.map((kind) => [`System Hook ${kind}`, 'Administrators see this in GitLab itself.'] as const),
  ),
};
