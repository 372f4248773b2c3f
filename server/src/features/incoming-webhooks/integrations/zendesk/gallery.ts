import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Customer support',
  summary: msg('Tickets and their comments.'),
  steps: [
    msg('In the Admin Center, open Apps and integrations, Webhooks, Create webhook.'),
    msg('Choose Zendesk events and the events of tickets, or choose to connect it to a trigger.'),
    msg('Paste the URL, with the method POST and the format JSON, and create the webhook.'),
    msg(
      'For a trigger: open Objects and rules, Triggers, and add a trigger that notifies the webhook. Paste the body below.',
    ),
    msg('Reveal the signing secret of the webhook, and add it to the URL as &webhook_secret=.'),
  ],
  template: `{
  "ticket_id": "{{ticket.id}}",
  "ticket_title": "{{ticket.title}}",
  "ticket_url": "{{ticket.link}}",
  "event": "updated",
  "actor": "{{current_user.name}}",
  "ticket_status": "{{ticket.status}}",
  "ticket_priority": "{{ticket.priority}}",
  "assignee": "{{ticket.assignee.name}}",
  "requester": "{{ticket.requester.name}}",
  "ticket_tags": "{{ticket.tags}}",
  "comment": "{{ticket.latest_comment}}"
}
`,
  sample: 'ticket-created',
};
