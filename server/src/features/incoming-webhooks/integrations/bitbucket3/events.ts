import { type Delivery, type IgnoredEvents, neededHeader, type Outcome, renderedBy } from '../../integration.ts';
import * as pullRequests from './pull-requests.ts';
import * as repositories from './repositories.ts';

/** The events, by the header `X-Event-Key` (https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html). */
const EVENTS: ReadonlyMap<string, (delivery: Delivery) => Outcome> = new Map<string, (delivery: Delivery) => Outcome>([
  ['diagnostics:ping', repositories.ping],
  ['pr:comment:added', pullRequests.comment],
  ['pr:comment:deleted', pullRequests.comment],
  ['pr:comment:edited', pullRequests.comment],
  ['pr:declined', pullRequests.plain],
  ['pr:deleted', pullRequests.plain],
  ['pr:from_ref_updated', pullRequests.plain],
  ['pr:merged', pullRequests.plain],
  ['pr:modified', pullRequests.modified],
  ['pr:opened', pullRequests.opened],
  ['pr:reviewer:approved', pullRequests.plain],
  ['pr:reviewer:changes_requested', pullRequests.plain],
  ['pr:reviewer:needs_work', pullRequests.plain],
  ['pr:reviewer:unapproved', pullRequests.plain],
  ['pr:reviewer:updated', pullRequests.reviewers],
  ['pr:to_ref_updated', pullRequests.plain],
  ['project:modified', repositories.projectModified],
  ['repo:comment:added', repositories.comment],
  ['repo:comment:deleted', repositories.comment],
  ['repo:comment:edited', repositories.comment],
  ['repo:forked', repositories.forked],
  ['repo:modified', repositories.modified],
  ['repo:refs_changed', repositories.push],
  ['repo:secret_detected', repositories.secretDetected],
]);

export const SERVER_EVENTS: readonly string[] = [...EVENTS.keys()];

export const IGNORED: IgnoredEvents = {
  'mirror:repo_synchronized': 'A mirror has copied a push, which has a message of its own.',
};

/** Whether Bitbucket Server has this event. Bitbucket Cloud has none of this name. */
export function isServerEvent(key: string): boolean {
  return EVENTS.has(key) || Object.hasOwn(IGNORED, key);
}

export function renderServerEvent(delivery: Delivery): Outcome {
  const key = neededHeader(delivery.header, 'X-Event-Key');
  // An older version of the documentation has this name.
  return renderedBy(key.replace(/^proj:/, 'project:'), EVENTS, IGNORED, delivery);
}
