/** Events that Azure DevOps describes well itself. */
import { badRequest } from '@heddle/api/errors.ts';
import type { Delivery, Outcome } from '../../integration.ts';
import { cut, withFormatting } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';

export const OTHER_EVENTS: readonly string[] = [
  'git.repo.created',
  'git.repo.deleted',
  'git.repo.forked',
  'git.repo.renamed',
  'git.repo.statuschanged',
  'ms.vss-release.release-created-event',
  'ms.vss-release.release-abandoned-event',
  'ms.vss-release.deployment-started-event',
  'ms.vss-release.deployment-completed-event',
  'ms.vss-release.deployment-approval-pending-event',
  'ms.vss-release.deployment-approval-completed-event',
  'ms.vss-pipelines.run-state-changed-event',
  'ms.vss-pipelines.stage-state-changed-event',
  'ms.vss-pipelinechecks-events.approval-pending',
  'ms.vss-pipelinechecks-events.approval-completed',
  'ms.advancedsecurity.alert-created-event',
  'ms.advancedsecurity.alert-state-changed-event',
  'ms.advancedsecurity.alert-updated-event',
];

/** Of the text. */
const MAX_TEXT_LENGTH = 3000;

/** Its own sentence, with its links. It mentions nobody. */
export function other({ payload }: Delivery): Outcome {
  const event = payload.need('eventType');
  const text = payload.text('message', 'markdown') || payload.text('message', 'text');
  if (text.trim() === '') throw badRequest("Malformed payload: 'message.markdown' is missing");
  return {
    event,
    topic: cut(topicOf(payload.at('resource')), 200),
    content: withFormatting(cut(text.trim(), MAX_TEXT_LENGTH)),
  };
}

/** The release or the pipeline, and otherwise the repository or the project. */
function topicOf(resource: Payload): string {
  const names = [
    resource.text('environment', 'releaseDefinition', 'name'),
    resource.text('release', 'releaseDefinition', 'name'),
    resource.text('deployment', 'releaseDefinition', 'name'),
    resource.text('pipeline', 'name'),
    resource.text('run', 'pipeline', 'name'),
    resource.text('repository', 'name'),
    resource.text('project', 'name'),
  ];
  return names.find((name) => name !== '') ?? 'Azure DevOps';
}
