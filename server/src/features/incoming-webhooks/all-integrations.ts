import type { Integration } from './integration.ts';
import { alertmanager } from './integrations/alertmanager/index.ts';
import { bitbucket2 } from './integrations/bitbucket2/index.ts';
import { gitea } from './integrations/gitea/index.ts';
import { github } from './integrations/github/index.ts';
import { gitlab } from './integrations/gitlab/index.ts';
import { grafana } from './integrations/grafana/index.ts';
import { jenkins } from './integrations/jenkins/index.ts';
import { jira } from './integrations/jira/index.ts';
import { json } from './integrations/json/index.ts';
import { pagerduty } from './integrations/pagerduty/index.ts';
import { sentry } from './integrations/sentry/index.ts';
import { slackIncoming } from './integrations/slack_incoming/index.ts';
import { stripe } from './integrations/stripe/index.ts';

/** All integrations, in the order of the page that lists them. */
export const INTEGRATIONS: readonly Integration[] = [
  github,
  gitlab,
  gitea,
  bitbucket2,
  jira,
  sentry,
  grafana,
  alertmanager,
  pagerduty,
  jenkins,
  stripe,
  slackIncoming,
  json,
];

const BY_NAME: ReadonlyMap<string, Integration> = new Map([
  ...INTEGRATIONS.map((integration) => [integration.name, integration] as const),
  // Other names that URLs have.
  ['bitbucket', bitbucket2],
]);

export function integrationNamed(name: string): Integration | undefined {
  return BY_NAME.get(name);
}
