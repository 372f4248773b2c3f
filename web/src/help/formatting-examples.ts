import { type Message, msg } from '../base/i18n.ts';
import { FORMULA_HTML } from './formula-html.ts';

/** What an example of formatting shows. A test compares the HTML with that of the server. */
export interface FormattingExample {
  readonly label: Message;
  readonly markdown: string;
  readonly html: string;
}

/** Names of this organization, so that mentions and links lead somewhere. */
export interface ExampleNames {
  readonly user: { readonly id: number; readonly name: string };
  /** Undefined if the user knows no channel. */
  readonly channel: { readonly id: number; readonly name: string } | undefined;
}

export const TEXT_EXAMPLES: readonly FormattingExample[] = [
  { label: msg('Bold'), markdown: '**bold**', html: '<p><strong>bold</strong></p>' },
  { label: msg('Italic'), markdown: '*italic*', html: '<p><em>italic</em></p>' },
  { label: msg('Strikethrough'), markdown: '~~wrong~~', html: '<p><del>wrong</del></p>' },
  {
    label: msg('Link'),
    markdown: '[our website](https://example.com)',
    html: '<p><a href="https://example.com">our website</a></p>',
  },
  {
    label: msg('Heading'),
    markdown: '# Plan',
    html: '<h1>Plan</h1>',
  },
  {
    label: msg('List'),
    markdown: '* wool\n* silk\n  * red silk',
    html: '<ul>\n<li>wool</li>\n<li>silk<ul>\n<li>red silk</li>\n</ul>\n</li>\n</ul>',
  },
  {
    label: msg('Numbered list'),
    markdown: '1. first\n2. second',
    html: '<ol>\n<li>first</li>\n<li>second</li>\n</ol>',
  },
  {
    label: msg('Emoji'),
    markdown: ':tada:',
    html: '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
  },
  {
    label: msg('Divider'),
    markdown: 'before\n\n---\n\nafter',
    html: '<p>before</p>\n<hr>\n<p>after</p>',
  },
];

export const BLOCK_EXAMPLES: readonly FormattingExample[] = [
  { label: msg('Code'), markdown: 'Run `npm test`.', html: '<p>Run <code>npm test</code>.</p>' },
  {
    label: msg('Block of code'),
    markdown: '```text\nfirst line\nsecond line\n```',
    html: '<div class="codehilite" data-code-language="Text only"><pre><span></span><code>first line\nsecond line\n</code></pre></div>',
  },
  {
    label: msg('Quote'),
    markdown: '> What a day!',
    html: '<blockquote>\n<p>What a day!</p>\n</blockquote>',
  },
  {
    label: msg('Quote of several lines'),
    markdown: '```quote\none\n\ntwo\n```',
    html: '<blockquote>\n<p>one</p>\n<p>two</p>\n</blockquote>',
  },
  {
    label: msg('Spoiler'),
    markdown: '```spoiler The end\nThey find the shuttle.\n```',
    html: '<div class="spoiler-block"><div class="spoiler-header">\n<p>The end</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>They find the shuttle.</p>\n</div></div>',
  },
  {
    label: msg('Table'),
    markdown: '| yarn | metres |\n|---|---|\n| wool | 40 |',
    html: '<table>\n<thead>\n<tr>\n<th>yarn</th>\n<th>metres</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>wool</td>\n<td>40</td>\n</tr>\n</tbody>\n</table>',
  },
  { label: msg('Formula'), markdown: '$$x^2$$', html: FORMULA_HTML },
];

/** Mentions, links to conversations, and times. */
export function referenceExamples({ user, channel }: ExampleNames): readonly FormattingExample[] {
  const name = escaped(user.name);
  return [
    {
      label: msg('Mention'),
      markdown: `@**${user.name}**`,
      html: `<p><span class="user-mention" data-user-id="${user.id}">@${name}</span></p>`,
    },
    {
      label: msg('Mention without a notification'),
      markdown: `@_**${user.name}**`,
      html: `<p><span class="user-mention silent" data-user-id="${user.id}">${name}</span></p>`,
    },
    {
      label: msg('Mention of everyone in the channel'),
      markdown: '@**all**',
      html: '<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span></p>',
    },
    ...(channel === undefined ? [] : [channelExample(channel)]),
    {
      label: msg('Time in the zone of each reader'),
      markdown: '<time:2026-06-01T12:00:00+02:00>',
      html: '<p><time datetime="2026-06-01T10:00:00Z">2026-06-01T12:00:00+02:00</time></p>',
    },
  ];
}

function channelExample({ id, name }: { readonly id: number; readonly name: string }): FormattingExample {
  const slug = encodeURIComponent(name.replaceAll(' ', '-')).replaceAll('.', '%2E').replaceAll('%', '.');
  return {
    label: msg('Link to a channel'),
    markdown: `#**${name}**`,
    html: `<p><a class="stream" data-stream-id="${id}" href="/#narrow/channel/${id}-${slug}">#${escaped(name)}</a></p>`,
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** What a message can begin with. */
export const COMMANDS: readonly (readonly [markdown: string, explanation: Message])[] = [
  ['/me weaves', msg('An action: your name stands before it.')],
  ['/poll Lunch?\nPizza\nSoup', msg('A poll with its first options.')],
  ['/todo Release\nBuild\nTest', msg('A to-do list that everybody can check off.')],
];
