import type { Payload } from '../../payload.ts';

export function projectOf(payload: Payload): string {
  return payload.text('project', 'name') || payload.text('repository', 'name') || payload.need('project_name');
}

/**
 * The project, or the group of a webhook of a group.
 * @param url the address of an object in it. It names the place of objects of groups, such as epics, which have no project.
 */
export function placeOf(payload: Payload, url = ''): string {
  const group = payload.at('group').firstText('group_name', 'name', 'full_path');
  const project = payload.text('project', 'name') || payload.text('repository', 'name');
  const [, place = ''] = /\/([^/]{1,200})\/-\//.exec(url.slice(0, 2000)) ?? [];
  return group || project || payload.text('project_name') || place || 'GitLab';
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
