import { type Delivery, type IgnoredEvents, type Integration, type Outcome, renderedBy } from '../../integration.ts';
import { isBearer } from '../../signatures.ts';
import { build, checkin, push } from './code.ts';
import { gallery } from './gallery.ts';
import { OTHER_EVENTS, other } from './others.ts';
import { merged, opened, pullRequestComment, updated } from './pull-requests.ts';
import { workItem, workItemUpdated } from './work-items.ts';

const RENDERERS: ReadonlyMap<string, (delivery: Delivery) => Outcome> = new Map([
  ['git.push', push],
  ['tfvc.checkin', checkin],
  ['build.complete', build],
  ['git.pullrequest.created', opened],
  ['git.pullrequest.updated', updated],
  ['git.pullrequest.merged', merged],
  ['ms.vss-code.git-pullrequest-comment-event', pullRequestComment],
  ['workitem.created', workItem],
  ['workitem.deleted', workItem],
  ['workitem.restored', workItem],
  ['workitem.commented', workItem],
  ['workitem.updated', workItemUpdated],
  ...OTHER_EVENTS.map((event) => [event, other] as const),
]);

const AGENTS = 'It is about the machines that run pipelines.';
const IGNORED: IgnoredEvents = {
  'comment of the service': 'Azure DevOps comments on pull requests itself. Other events report the same.',
  'workitem.updated of other fields': 'Dates, revisions and places on boards change with every other change.',
  'ms.vss-pipelines.job-state-changed-event':
    'A pipeline has many jobs. The events of its run and its stages report the results.',
  'message.posted': 'Team rooms no longer exist.',
  'elasticagentpool.changed': AGENTS,
  'elasticagentpool.resized': AGENTS,
  'elasticagentpool.created': AGENTS,
  'elasticagentpool.removed': AGENTS,
};

/** https://learn.microsoft.com/azure/devops/service-hooks/events */
export const azuredevops: Integration = {
  name: 'azuredevops',
  title: 'Azure DevOps',
  gallery,
  events: [...RENDERERS.keys()],
  ignored: IGNORED,
  isSigned: isBearer,
  render: (delivery) => renderedBy(delivery.payload.need('eventType'), RENDERERS, IGNORED, delivery),
};
