import type { Payload } from '../../payload.ts';

export function projectOf(payload: Payload): string {
  return payload.text('project', 'name') || payload.text('repository', 'name') || payload.need('project_name');
}

/** The project, or the group of a webhook of a group. */
export function placeOf(payload: Payload): string {
  const group = payload.at('group').firstText('group_name', 'name', 'full_path');
  return group === '' ? projectOf(payload) : group;
}

/** The person who acted. GitLab has both shapes. */
export function actorOf(payload: Payload): string {
  return (
    payload.text('user', 'name') || payload.firstText('user_name', 'user_username') || payload.need('user', 'username')
  );
}

/** A value like `waiting_for_resource` in words. */
export function inWords(value: string): string {
  return value.replaceAll('_', ' ');
}
