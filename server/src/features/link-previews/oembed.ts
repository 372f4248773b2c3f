/** Services whose pages say little without scripts. They describe their pages by oEmbed (https://oembed.com). */
import { type Website, website } from './website.ts';

/** The hosts of pages, and where their service describes them. Nothing else is asked, and the HTML of the answer is not used. */
const PROVIDERS: readonly { readonly hosts: readonly string[]; readonly endpoint: string }[] = [
  {
    hosts: ['youtube.com', 'www.youtube.com', 'm.youtube.com', 'youtu.be'],
    endpoint: 'https://www.youtube.com/oembed',
  },
  { hosts: ['vimeo.com', 'player.vimeo.com'], endpoint: 'https://vimeo.com/api/oembed.json' },
  { hosts: ['soundcloud.com'], endpoint: 'https://soundcloud.com/oembed' },
  { hosts: ['open.spotify.com'], endpoint: 'https://open.spotify.com/oembed' },
  { hosts: ['flickr.com', 'www.flickr.com'], endpoint: 'https://www.flickr.com/services/oembed/' },
  { hosts: ['www.dailymotion.com'], endpoint: 'https://www.dailymotion.com/services/oembed' },
];

/** The address that describes the page; undefined for pages of other services. */
export function oembedAddress(url: string): string | undefined {
  const host = URL.parse(url)?.hostname;
  const provider = PROVIDERS.find(({ hosts }) => host !== undefined && hosts.includes(host));
  return provider && `${provider.endpoint}?${new URLSearchParams({ format: 'json', url })}`;
}

export function websiteOfOembed(text: string, url: URL): Website | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  const field = (name: string): string | undefined => {
    const value = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const description = [field('author_name'), field('provider_name')].filter((name) => name !== undefined).join(' · ');
  return website({ title: field('title'), description, image: field('thumbnail_url') }, url);
}
