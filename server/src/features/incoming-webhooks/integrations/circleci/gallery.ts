import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Continuous integration',
  summary: msg('Results of workflows and jobs.'),
  steps: [
    msg('In the project, open Project Settings, Webhooks, Add Webhook.'),
    msg('Paste the URL as the receiver URL, and choose Workflow Completed, Job Completed or both.'),
    msg('If you enter a secret token there, add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'workflow-completed',
};
