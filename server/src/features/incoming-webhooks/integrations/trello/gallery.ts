import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Project management',
  summary: msg('Cards, lists and checklists of boards.'),
  steps: [
    msg('Open trello.com/power-ups/admin, create a Power-Up, and create an API key and a token for it.'),
    msg('Add .json to the address of the board, and copy its id.'),
    msg(
      'Send a POST request to https://api.trello.com/1/webhooks with the parameters key, token, idModel (the id of the board) and callbackURL (the URL).',
    ),
    msg('The secret beside the API key can be in the URL as &webhook_secret=. Add it before you create the webhook.'),
  ],
  template: '',
  sample: 'card-created',
};
