import { invalidParameter } from '@heddle/api/errors.ts';

/**
 * The address of a bot's own server, as it is stored. Where it leads is looked at when something is sent there.
 * @param parameter what a refusal names
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedPayloadUrl(parameter: string, text: string): string {
  const url = URL.parse(text);
  const isWeb = url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
  if (!isWeb || url.username !== '' || url.password !== '') throw invalidParameter(parameter, 'is not a URL');
  return url.href;
}
