/** Responds with a page, or with a redirect. */
import type { FastifyReply } from 'fastify';
import type { PageAnswer, RedirectAnswer } from '../answers/answers.ts';
import { pageHeaders } from '../responses/security-headers.ts';

export function sendPage(reply: FastifyReply, { html, options }: PageAnswer): FastifyReply {
  reply.code(options.status ?? 200).headers(pageHeaders(options));
  if (options.cacheControl !== undefined) reply.header('cache-control', options.cacheControl);
  return reply.header('content-type', 'text/html; charset=utf-8').send(html);
}

export function sendRedirect(reply: FastifyReply, { location, status, options }: RedirectAnswer): FastifyReply {
  if (options.emptiesBrowser) reply.header('clear-site-data', '"cache", "storage"');
  return reply.header('referrer-policy', 'no-referrer').redirect(location, status);
}
