import type { Integration } from '../../integration.ts';
import { writtenMessage } from '../../written.ts';
import { gallery } from './gallery.ts';

/** The body of a web request, which its user writes. */
export const ifttt: Integration = {
  name: 'ifttt',
  title: 'IFTTT',
  gallery,
  events: [],
  ignored: {},
  render: ({ payload }) => writtenMessage(payload),
};
