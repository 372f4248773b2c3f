import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Customer support',
  summary: msg('Tickets, replies and notes.'),
  steps: [
    msg('In Freshdesk, open Admin, Workflows, Automations, and add a rule for new tickets or for changes of tickets.'),
    msg('Add the action Trigger webhook with the request type POST, and paste the URL.'),
    msg('Choose the encoding JSON and the advanced content, and paste the body below.'),
    msg(
      'To let only this service use the URL, add &webhook_secret= and a secret to it. Then add as a custom header the header Authorization with the value Bearer and the secret.',
    ),
  ],
  template: `{
  "freshdesk_webhook": {
    "triggered_event": "{{triggered_event}}",
    "actor": "{{event_performer.name}}",
    "ticket_id": "{{ticket.id}}",
    "ticket_url": "{{ticket.url}}",
    "ticket_subject": "{{ticket.subject}}",
    "ticket_type": "{{ticket.ticket_type}}",
    "ticket_description": "{{ticket.description}}",
    "ticket_status": "{{ticket.status}}",
    "ticket_priority": "{{ticket.priority}}",
    "ticket_agent": "{{ticket.agent.name}}",
    "ticket_group": "{{ticket.group.name}}",
    "latest_comment": "{{ticket.latest_public_comment}}",
    "requester_name": "{{ticket.requester.name}}",
    "requester_email": "{{ticket.requester.email}}"
  }
}
`,
  sample: 'created',
};
