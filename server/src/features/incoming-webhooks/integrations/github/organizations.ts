/** People, teams and sponsors of an organization, and its rules. */
import { linkIf } from '../../git.ts';
import { type Delivery, type Rendered, UnknownEventError, wordsFor } from '../../integration.ts';
import { bold, joined, type Markdown, md, time } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { ownerOf, senderOf } from './common.ts';

/** With the preposition before the team. */
const MEMBERSHIP_PREPOSITIONS: Readonly<Record<string, string>> = { added: 'to', removed: 'from' };

export function membership({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const preposition = wordsFor(action, MEMBERSHIP_PREPOSITIONS, `membership.${action}`);
  const name = linkIf(payload.need('member', 'login'), payload.text('member', 'html_url'));
  const content = md`${senderOf(payload)} ${action} ${name} ${preposition} the team ${teamOf(payload)}.`;
  return { event: 'membership', topic: ownerOf(payload), content };
}

function teamOf(payload: Payload): Markdown {
  return linkIf(payload.need('team', 'name'), payload.text('team', 'html_url'));
}

const TEAM_VERBS: Readonly<Record<string, string>> = { created: 'created', deleted: 'deleted', edited: 'changed' };

export function team({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const [actor, name] = [senderOf(payload), teamOf(payload)];
  const repository = linkIf(
    payload.text('repository', 'full_name') || 'a repository',
    payload.text('repository', 'html_url'),
  );
  const contentOf = (): Markdown => {
    if (action === 'added_to_repository') return md`${actor} gave the team ${name} access to ${repository}.`;
    if (action === 'removed_from_repository')
      return md`${actor} ended the access of the team ${name} to ${repository}.`;
    return md`${actor} ${wordsFor(action, TEAM_VERBS, `team.${action}`)} the team ${name}${teamChanges(payload)}.`;
  };
  return { event: 'team', topic: ownerOf(payload), content: contentOf() };
}

function teamChanges(payload: Payload): Markdown | undefined {
  const changes = payload.at('changes');
  const [name, privacy] = [changes.text('name', 'from'), changes.text('privacy', 'from')];
  const all = joined(
    [
      name !== '' && md`the name was “${name}”`,
      !changes.at('description').isMissing && md`new description: ${payload.text('team', 'description') || 'none'}`,
      privacy !== '' && md`it is now ${payload.text('team', 'privacy') === 'secret' ? 'secret' : 'visible'}`,
      !changes.at('repository').isMissing &&
        md`new permissions in ${payload.text('repository', 'full_name') || 'a repository'}`,
    ],
    ', ',
  );
  return all.toString() === '' ? undefined : md` (${all})`;
}

export function teamAdd({ payload }: Delivery): Rendered {
  const repository = linkIf(payload.need('repository', 'full_name'), payload.text('repository', 'html_url'));
  const content = md`${senderOf(payload)} gave the team ${teamOf(payload)} access to ${repository}.`;
  return { event: 'team_add', topic: ownerOf(payload), content };
}

export function organization({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const actor = senderOf(payload);
  const name = payload.need('organization', 'login');
  const user = payload.at('membership', 'user');
  const member = linkIf(user.text('login') || 'somebody', user.text('html_url'));
  const contentOf = (): Markdown => {
    switch (action) {
      case 'deleted':
        return md`${actor} deleted the organization ${name}.`;
      case 'member_added':
        return md`${actor} added ${member} to the organization ${name}.`;
      case 'member_invited':
        return md`${actor} invited ${payload.text('invitation', 'login') || 'somebody'} to the organization ${name}.`;
      case 'member_removed':
        return md`${actor} removed ${member} from the organization ${name}.`;
      case 'renamed':
        return md`${actor} renamed the organization ${payload.text('changes', 'login', 'from')} to ${name}.`;
      default:
        throw new UnknownEventError(`organization.${action}`);
    }
  };
  return { event: 'organization', topic: name, content: contentOf() };
}

const SPONSORSHIP_VERBS: Readonly<Record<string, string>> = {
  cancelled: 'no longer sponsors',
  created: 'sponsors',
  edited: 'changed the sponsorship of',
  pending_cancellation: 'will stop to sponsor',
  pending_tier_change: 'will change the sponsorship of',
  tier_changed: 'changed the sponsorship of',
};

export function sponsorship({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const verb = wordsFor(action, SPONSORSHIP_VERBS, `sponsorship.${action}`);
  const item = payload.needObject('sponsorship');
  const sponsored = item.text('sponsorable', 'login') || item.need('maintainer', 'login');
  const sponsor = linkIf(item.text('sponsor', 'login') || 'Somebody', item.text('sponsor', 'html_url'));
  const [tier, oldTier] = [item.text('tier', 'name'), payload.text('changes', 'tier', 'from', 'name')];
  const date = payload.text('effective_date');
  const more = joined(
    [
      tier !== '' && (oldTier === '' ? md`(${tier})` : md`from ${bold(oldTier)} to ${bold(tier)}`),
      date !== '' && md`on ${time(date)}`,
    ],
    ' ',
  );
  const content = joined([md`${sponsor} ${verb} ${sponsored}`, more], ' ');
  return { event: 'sponsorship', topic: `${sponsored} / sponsors`, content: md`${content}.` };
}
