import { badRequest } from '@heddle/api/errors.ts';
import type { Integration } from '../../integration.ts';
import { codeBlock } from '../../markdown.ts';

export const json: Integration = {
  name: 'json',
  title: 'JSON',
  about: 'Any program that can send JSON',
  setup: 'Where the program asks for the URL of a webhook.',
  events: [],
  render({ payload }) {
    return { event: 'json', topic: 'JSON', content: codeBlock('json', formatted(payload.raw)) };
  },
};

function formatted(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch (error) {
    // The writer of JSON is recursive, and the sender chose the depth.
    if (error instanceof RangeError) throw badRequest('Malformed payload: it is nested too deeply');
    throw error;
  }
}
