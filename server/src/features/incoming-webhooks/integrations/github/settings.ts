/** Rules, keys and packages of a repository, and the webhook itself. */
import { linkIf } from '../../git.ts';
import { type Delivery, type Rendered, wordsFor } from '../../integration.ts';
import { code, joined, type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { ownerOf, senderOf } from './common.ts';

const VERBS: Readonly<Record<string, string>> = {
  created: 'created',
  deleted: 'deleted',
  edited: 'changed',
  published: 'published',
  updated: 'updated',
};

function verbIn({ payload, header }: Delivery): string {
  const action = payload.need('action');
  return wordsFor(action, VERBS, `${header('x-github-event')}.${action}`);
}

/** Events of an organization have no repository. */
function placeOf(payload: Payload): string {
  return payload.text('repository', 'name') || ownerOf(payload);
}

function changed(delivery: Delivery, what: Markdown): Rendered {
  const { payload, header } = delivery;
  const content = md`${senderOf(payload)} ${verbIn(delivery)} ${what}.`;
  return { event: header('x-github-event'), topic: placeOf(payload), content };
}

export function branchProtection(delivery: Delivery): Rendered {
  return changed(delivery, md`the protection of the branches ${code(delivery.payload.need('rule', 'name'))}`);
}

const PROTECTION_VERBS: Readonly<Record<string, string>> = { disabled: 'disabled', enabled: 'enabled' };

export function allBranchProtection({ payload, header }: Delivery): Rendered {
  const [event, action] = [header('x-github-event'), payload.need('action')];
  const verb = wordsFor(action, PROTECTION_VERBS, `${event}.${action}`);
  return { event, topic: placeOf(payload), content: md`${senderOf(payload)} ${verb} all protections of branches.` };
}

export function ruleset(delivery: Delivery): Rendered {
  const rules = delivery.payload.needObject('repository_ruleset');
  return changed(delivery, md`the rules ${linkIf(rules.need('name'), rules.text('_links', 'html', 'href'))}`);
}

export function deployKey(delivery: Delivery): Rendered {
  const access = delivery.payload.isTrue('key', 'read_only') ? 'that can read' : 'that can write';
  return changed(delivery, md`the deploy key ${delivery.payload.need('key', 'title')} ${access}`);
}

export function aPackage(delivery: Delivery): Rendered {
  const item = delivery.payload.needObject('package');
  const version = item.text('package_version', 'version').slice(0, 40);
  const name = linkIf(item.need('name'), item.text('package_version', 'html_url') || item.text('html_url'));
  return changed(delivery, joined([md`the package ${name}`, version !== '' && md`in version ${version}`], ' '));
}

export function webhookDeleted({ payload, header }: Delivery): Rendered {
  const action = payload.need('action');
  const verb = wordsFor(action, { deleted: 'deleted' }, `meta.${action}`);
  const place = placeOf(payload);
  const content = md`${senderOf(payload)} ${verb} this webhook of ${place}. No further events arrive.`;
  return { event: header('x-github-event'), topic: place, content };
}
