import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Project management',
  summary: msg('Issues and their comments.'),
  steps: [
    msg('In Jira, open System, WebHooks, Create a WebHook.'),
    msg('Paste the URL, choose the events of issues and comments, and create.'),
    msg('If you enter a secret there, add it to the URL as &webhook_secret=.'),
  ],
  template: '',
  sample: 'issue-created',
};
