import type { IgnoredEvents } from '../../integration.ts';

const IN_INTERCOM = 'People see this in Intercom itself.';
const OFTEN = 'It happens often.';

export const IGNORED: IgnoredEvents = {
  'admin.activity_log_event.created': IN_INTERCOM,
  'admin.added_to_workspace': IN_INTERCOM,
  'admin.away_mode_updated': IN_INTERCOM,
  'admin.logged_in': IN_INTERCOM,
  'admin.logged_out': IN_INTERCOM,
  'admin.removed_from_workspace': IN_INTERCOM,
  'api_request.completed': 'Only programs need this.',
  'article.created': IN_INTERCOM,
  'article.deleted': IN_INTERCOM,
  'article.published': IN_INTERCOM,
  'article.unpublished': IN_INTERCOM,
  'article.updated': IN_INTERCOM,
  'company.contact.attached': IN_INTERCOM,
  'company.contact.detached': IN_INTERCOM,
  'company.updated': OFTEN,
  'contact.lead.updated': OFTEN,
  'contact.merged': IN_INTERCOM,
  'contact.subscribed': IN_INTERCOM,
  'contact.unarchived': IN_INTERCOM,
  'contact.user.updated': OFTEN,
  'conversation.contact.attached': IN_INTERCOM,
  'conversation.contact.detached': IN_INTERCOM,
  'conversation.read': OFTEN,
  'conversation_part.redacted': 'The text was hidden on purpose.',
  'conversation_part.tag.created': IN_INTERCOM,
  'event.created': 'The payload has only a name, which programs choose.',
  'granular.subscribe': IN_INTERCOM,
  'granular.unsubscribe': IN_INTERCOM,
  'ticket.attribute.updated': IN_INTERCOM,
  'ticket.contact.attached': IN_INTERCOM,
  'ticket.contact.detached': IN_INTERCOM,
};
