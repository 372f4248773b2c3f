import type { Endpoint } from '@heddle/api/contract.ts';
import type { FastifyInstance } from 'fastify';
export async function serveDocumentation(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  url?: string,
): Promise<void> {
  void app;
  void endpoints;
  void url;
}
