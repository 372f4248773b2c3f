import type { IgnoredEvents } from '../../integration.ts';

/** The names of actions have the name of their event before them. */
export const IGNORED: IgnoredEvents = {
  'check_run.created': 'Only the result of a check is worth a message.',
  'check_run.requested_action': 'Only the result of a check is worth a message.',
  'check_run.rerequested': 'Only the result of a check is worth a message.',
  'issues.pinned': 'People see pins in GitHub itself.',
  'issues.typed': 'People see types in GitHub itself.',
  'issues.unpinned': 'People see pins in GitHub itself.',
  'issues.untyped': 'People see types in GitHub itself.',
  'pull_request_review without a text': 'The review only groups comments. Each comment has an event of its own.',
  'release.created': 'A release that appears also has the event published.',
  'release.prereleased': 'A release that appears also has the event published.',
  'release.released': 'A release that appears also has the event published.',
  'release.unpublished': 'People see drafts in GitHub itself.',
  'workflow_run.in_progress': 'Only the result of a workflow is worth a message.',
  'workflow_run.requested': 'Only the result of a workflow is worth a message.',
};

/** Whether the action of this event is ignored on purpose. */
export function isIgnored(event: string): boolean {
  return Object.hasOwn(IGNORED, event);
}
