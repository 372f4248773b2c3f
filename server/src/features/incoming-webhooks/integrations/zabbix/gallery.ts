import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Monitoring',
  summary: msg('Problems of hosts, and when they are solved.'),
  steps: [
    msg("In Zabbix, open Administration, Macros, and set '{$ZABBIX_URL}' to the address of Zabbix."),
    msg('Open Alerts, Media types, Create media type, and choose the type Webhook.'),
    msg(
      "Add the parameters url (the URL), hostname ('{HOST.NAME}'), severity ('{EVENT.SEVERITY}'), status ('{TRIGGER.STATUS}'), item ('{ITEM.NAME1}' is '{ITEM.VALUE1}'), trigger ('{TRIGGER.NAME}') and link ('{$ZABBIX_URL}'/tr_events.php?triggerid='{TRIGGER.ID}'&eventid='{EVENT.ID}').",
    ),
    msg('Paste the script below.'),
    msg('Add message templates for problems and their recovery.'),
    msg('Open Users, choose a user, and add the media type to the media of the user.'),
    msg('Open Alerts, Actions, and create a trigger action that sends messages to this user.'),
  ],
  template: `var event = JSON.parse(value);
var url = event.url;
delete event.url;
var request = new HttpRequest();
request.addHeader('Content-Type: application/json');
// With &webhook_secret=… in the URL: request.addHeader('Authorization: Bearer …');
var answer = request.post(url, JSON.stringify(event));
if (request.getStatus() !== 200) throw 'Heddle: ' + answer;
return 'OK';
`,
  sample: 'problem',
};
