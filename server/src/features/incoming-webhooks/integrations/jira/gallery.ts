import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Project management',
  summary: 'Issues and their comments.',
  steps: [
    'In Jira, open System, WebHooks, Create a WebHook.',
    'Paste the URL, choose the events of issues and comments, and create.',
    'If you enter a secret there, add it to the URL as &webhook_secret=.',
  ],
  template: '',
  sample: 'issue-created',
};
