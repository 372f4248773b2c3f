import { type Delivery, type Integration, neededHeader, type Outcome, renderedBy } from '../../integration.ts';
import type { Payload } from '../../payload.ts';
import { isEqual } from '../../signatures.ts';
import { deployment, job, pipeline } from './builds.ts';
import { gallery } from './gallery.ts';
import { IGNORED } from './ignored.ts';
import { issue, mergeRequest, note } from './issues.ts';
import { milestone } from './milestones.ts';
import { featureFlag, push, release, tagPush, wikiPage } from './repositories.ts';
import { expiringToken, vulnerability } from './warnings.ts';

/** The events, by the header `X-Gitlab-Event` (https://docs.gitlab.com/user/project/integrations/webhook_events/). */
const EVENTS: ReadonlyMap<string, (delivery: Delivery) => Outcome> = new Map([
  ['Build Hook', job],
  ['Confidential Issue Hook', issue],
  ['Confidential Note Hook', note],
  ['Deployment Hook', deployment],
  ['Feature Flag Hook', featureFlag],
  ['Issue Hook', issue],
  ['Job Hook', job],
  ['Merge Request Hook', mergeRequest],
  ['Milestone Hook', milestone],
  ['Note Hook', note],
  ['Pipeline Hook', pipeline],
  ['Push Hook', push],
  ['Release Hook', release],
  ['Resource Access Token Hook', expiringToken],
  ['Resource Deploy Token Hook', expiringToken],
  ['Tag Push Hook', tagPush],
  ['Vulnerability Hook', vulnerability],
  ['Wiki Page Hook', wikiPage],
  ['Work Item Hook', issue],
]);

/** System hooks name the event in the payload only. */
const BY_KIND: ReadonlyMap<string, string> = new Map([
  ['push', 'Push Hook'],
  ['tag_push', 'Tag Push Hook'],
  ['merge_request', 'Merge Request Hook'],
]);

const ISSUE_ACTIONS = ['open', 'close', 'reopen', 'update'];
const MERGE_ACTIONS = [...ISSUE_ACTIONS, 'merge', 'approved', 'unapproved', 'approval', 'unapproval'];

export const gitlab: Integration = {
  name: 'gitlab',
  title: 'GitLab',
  gallery,
  events: [
    'Build Hook',
    ...ISSUE_ACTIONS.map((action) => `Confidential Issue Hook ${action}`),
    'Deployment Hook',
    'Feature Flag Hook',
    ...ISSUE_ACTIONS.map((action) => `Issue Hook ${action}`),
    'Job Hook',
    ...MERGE_ACTIONS.map((action) => `Merge Request Hook ${action}`),
    ...['close', 'create', 'delete', 'reopen', 'update'].map((action) => `Milestone Hook ${action}`),
    'Note Hook Commit',
    'Note Hook DesignManagement::Design',
    'Note Hook Epic',
    'Note Hook Issue',
    'Note Hook MergeRequest',
    'Note Hook Snippet',
    'Note Hook Vulnerability',
    'Note Hook WikiPage::Meta',
    'Note Hook WorkItem',
    'Pipeline Hook',
    'Push Hook',
    'Release Hook',
    'Resource Access Token Hook',
    'Resource Deploy Token Hook',
    'Tag Push Hook',
    'Vulnerability Hook',
    'Wiki Page Hook create',
    'Wiki Page Hook delete',
    'Wiki Page Hook update',
    ...ISSUE_ACTIONS.map((action) => `Work Item Hook ${action}`),
  ],
  ignored: IGNORED,
  isSigned: ({ header, secret }) => isEqual(header('x-gitlab-token'), secret),
  render(delivery) {
    const header = neededHeader(delivery.header, 'X-Gitlab-Event');
    const event = header === 'System Hook' ? ofSystemHook(delivery.payload) : header;
    return renderedBy(event, EVENTS, IGNORED, withEvent(delivery, event));
  },
};

function ofSystemHook(payload: Payload): string {
  const kind = payload.text('object_kind') || payload.need('event_name');
  return BY_KIND.get(kind) ?? `System Hook ${kind}`;
}

/** The delivery as if its header had this value. */
function withEvent(delivery: Delivery, event: string): Delivery {
  return { ...delivery, header: (name) => (name === 'x-gitlab-event' ? event : delivery.header(name)) };
}
