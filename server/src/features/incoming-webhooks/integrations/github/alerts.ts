/** What GitHub finds out about the security of a repository. */
import { linkIf } from '../../git.ts';
import { type Delivery, type Outcome, type Rendered, wordsFor } from '../../integration.ts';
import { bold, code, joined, type Markdown, type MarkdownValue, md, quote } from '../../markdown.ts';
import { inWords, repositoryOf, senderOf } from './common.ts';
import { isIgnored } from './ignored.ts';

interface Alert {
  readonly event: string;
  /** The alert with a link, and what happened to it. */
  readonly head: Markdown;
  readonly facts: readonly MarkdownValue[];
  readonly text?: string;
}

function alertOf({ payload }: Delivery, { event, head, facts, text = '' }: Alert): Rendered {
  const details = joined(facts, ' · ');
  return {
    event,
    topic: `${repositoryOf(payload)} / security`,
    content: joined([md`${head}.`, details, quote(text)], '\n\n'),
  };
}

/** Who changed the alert. GitHub itself finds alerts. */
function byWhom({ payload }: Delivery): Markdown | undefined {
  const login = payload.text('sender', 'login');
  if (/^(?:create|appeared)/.test(payload.text('action'))) return undefined;
  return login === '' || login === 'github' || login.endsWith('[bot]') ? undefined : md` by ${login}`;
}

function fact(name: string, value: string): Markdown | undefined {
  return value === '' ? undefined : md`${name}: ${value}`;
}

const DEPENDABOT_VERBS: Readonly<Record<string, string>> = {
  auto_dismissed: 'was dismissed by a rule',
  auto_reopened: 'was reopened by a rule',
  created: 'is new',
  dismissed: 'was dismissed',
  fixed: 'was fixed',
  reintroduced: 'appeared again',
  reopened: 'was reopened',
};

export function dependabotAlert(delivery: Delivery): Outcome {
  const { payload } = delivery;
  const event = `dependabot_alert.${payload.need('action')}`;
  if (isIgnored(event)) return { ignored: event };
  const verb = wordsFor(payload.need('action'), DEPENDABOT_VERBS, event);
  const alert = payload.needObject('alert');
  const advisory = alert.at('security_advisory');
  const name = linkIf(`Dependabot alert #${alert.need('number')}`, alert.text('html_url'));
  const title = advisory.text('summary');
  const identifier = advisory.text('cve_id') || advisory.text('ghsa_id');
  const manifest = alert.text('dependency', 'manifest_path');
  const reason = alert.text('dismissed_reason');
  return alertOf(delivery, {
    event: 'dependabot_alert',
    head: md`${name} ${title !== '' && md`(${title}) `}${bold(verb)}${byWhom(delivery)}`,
    facts: [
      fact('Severity', alert.text('security_vulnerability', 'severity') || advisory.text('severity')),
      fact('Package', alert.text('dependency', 'package', 'name')),
      manifest !== '' && md`In ${code(manifest)}`,
      fact('Affected versions', alert.text('security_vulnerability', 'vulnerable_version_range')),
      fact('Fixed in', alert.text('security_vulnerability', 'first_patched_version', 'identifier')),
      fact('Identifier', identifier),
      payload.need('action') === 'dismissed' && fact('Reason', inWords(reason)),
    ],
    text: payload.need('action') === 'dismissed' ? alert.text('dismissed_comment') : '',
  });
}

const CODE_VERBS: Readonly<Record<string, string>> = {
  appeared_in_branch: 'appeared in another branch',
  closed_by_user: 'was closed',
  created: 'is new',
  fixed: 'was fixed',
  reopened: 'appeared again',
  reopened_by_user: 'was reopened',
  updated_assignment: 'has other assignees',
};

export function codeScanningAlert(delivery: Delivery): Rendered {
  const { payload } = delivery;
  const action = payload.need('action');
  const verb = wordsFor(action, CODE_VERBS, `code_scanning_alert.${action}`);
  const alert = payload.needObject('alert');
  const rule = alert.at('rule');
  const name = linkIf(`Code scanning alert #${alert.need('number')}`, alert.text('html_url'));
  const title = rule.firstText('description', 'name', 'id');
  const place = alert.at('most_recent_instance', 'location');
  const path = place.text('path');
  return alertOf(delivery, {
    event: 'code_scanning_alert',
    head: md`${name} ${title !== '' && md`(${title}) `}${bold(verb)}${byWhom(delivery)}`,
    facts: [
      fact('Severity', rule.text('security_severity_level') || rule.text('severity')),
      path !== '' && md`In ${code(`${path}${place.text('start_line') === '' ? '' : `:${place.text('start_line')}`}`)}`,
      fact('Branch', payload.text('ref').replace('refs/heads/', '')),
      fact('Tool', alert.text('tool', 'name')),
      action === 'closed_by_user' && fact('Reason', inWords(alert.text('dismissed_reason'))),
    ],
    text: action === 'closed_by_user' ? alert.text('dismissed_comment') : '',
  });
}

const SECRET_VERBS: Readonly<Record<string, string>> = {
  assigned: 'was assigned',
  created: 'is new',
  publicly_leaked: 'became public',
  reopened: 'was reopened',
  resolved: 'was resolved',
  revoked: 'was revoked',
  unassigned: 'was unassigned',
  validated: 'was validated',
};

/** The payload never has the secret itself. */
export function secretScanningAlert(delivery: Delivery): Rendered {
  const { payload } = delivery;
  const action = payload.need('action');
  const verb = wordsFor(action, SECRET_VERBS, `secret_scanning_alert.${action}`);
  const alert = payload.needObject('alert');
  const name = linkIf(`Secret scanning alert #${alert.need('number')}`, alert.text('html_url'));
  const kind = alert.text('secret_type_display_name') || inWords(alert.text('secret_type'));
  return alertOf(delivery, {
    event: 'secret_scanning_alert',
    head: md`${name} ${kind !== '' && md`(${kind}) `}${bold(verb)}${byWhom(delivery)}`,
    facts: [fact('Resolution', inWords(alert.text('resolution'))), fact('Validity', inWords(alert.text('validity')))],
    text: alert.text('resolution_comment'),
  });
}

const OLD_VERBS: Readonly<Record<string, string>> = {
  create: 'is new',
  dismiss: 'was dismissed',
  reopen: 'was reopened',
  resolve: 'was resolved',
};

/** The event of older servers, before `dependabot_alert`. */
export function vulnerabilityAlert(delivery: Delivery): Rendered {
  const { payload } = delivery;
  const action = payload.need('action');
  const verb = wordsFor(action, OLD_VERBS, `repository_vulnerability_alert.${action}`);
  const alert = payload.needObject('alert');
  const name = linkIf(alert.need('affected_package_name'), alert.text('external_reference'));
  return alertOf(delivery, {
    event: 'repository_vulnerability_alert',
    head: md`The vulnerability alert about ${name} ${bold(verb)}${byWhom(delivery)}`,
    facts: [
      fact('Severity', alert.text('severity')),
      fact('Affected versions', alert.text('affected_range')),
      fact('Fixed in', alert.text('fixed_in')),
      fact('Identifier', alert.text('external_identifier') || alert.text('ghsa_id')),
      fact('Reason', alert.text('dismiss_reason')),
    ],
  });
}

const ADVISORY_VERBS: Readonly<Record<string, string>> = {
  performed: 'published',
  published: 'published',
  reported: 'reported',
  updated: 'updated',
  withdrawn: 'withdrew',
};

/** An advisory of the repository, or of all of GitHub. */
export function advisory({ payload, header }: Delivery): Rendered {
  const event = header('x-github-event');
  const action = payload.need('action');
  const verb = wordsFor(action, ADVISORY_VERBS, `${event}.${action}`);
  const item = payload.at('repository_advisory').isObject
    ? payload.at('repository_advisory')
    : payload.needObject('security_advisory');
  const name = linkIf(item.need('summary'), item.text('html_url'));
  const actor = payload.at('sender').isObject ? senderOf(payload) : 'GitHub';
  const repository = payload.text('repository', 'name');
  const facts = [
    fact('Severity', item.text('severity')),
    fact('Identifier', item.text('cve_id') || item.text('ghsa_id')),
  ];
  return {
    event,
    topic: repository === '' ? 'GitHub / security' : `${repository} / security`,
    content: joined(
      [md`${actor} ${verb} the security advisory ${name}.`, joined(facts, ' · '), quote(item.text('description'))],
      '\n\n',
    ),
  };
}

/** Features of a repository such as secret scanning. */
export function securitySettings({ payload }: Delivery): Rendered {
  const name = linkIf(payload.need('repository', 'full_name'), payload.text('repository', 'html_url'));
  const content = md`${senderOf(payload)} changed the security features of ${name}.`;
  return { event: 'security_and_analysis', topic: `${repositoryOf(payload)} / security`, content };
}
