/** HTML as the server renders it. */
export const MESSAGE_HTML = `
<h1>Heading one</h1>
<h2>Heading two</h2>
<h3>Heading three</h3>
<h4>Heading four</h4>
<p>A paragraph with <strong>bold</strong>, <em>italic</em>, <del>deleted</del>, <code>inline_code()</code> and <a href="https://example.com">a link</a>.<br>
A second line with <span class="user-mention" data-user-id="3">@Grace Hopper</span>, <span class="user-mention mention-me" data-user-id="1">@Ada Lovelace</span>, <span class="user-mention silent" data-user-id="4">Alan Turing</span>, <span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span> and <span class="user-group-mention" data-user-group-id="5">@engineers</span>.</p>
<p>See <a class="stream" data-stream-id="1" href="/#narrow/channel/1-design">#design</a> and <a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-design/topic/icons">#design &gt; icons</a>. We meet at <time datetime="2026-03-05T14:00:00Z">5 March 2026, 15:00</time>. <span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">🙂</span></p>
<ul>
<li>First point</li>
<li>Second point
<ul>
<li>Nested point with a longer text that wraps on a phone, to show that the second line is aligned with the first</li>
</ul>
</li>
</ul>
<ol start="9">
<li>Ninth</li>
<li>Tenth</li>
</ol>
<blockquote>
<p>A quote of somebody.</p>
<blockquote>
<p>And a quote in a quote.</p>
</blockquote>
</blockquote>
<div class="codehilite" data-code-language="TypeScript"><pre><span></span><code><span class="c1">// Returns the n-th number.</span>
<span class="k">export</span> <span class="k">function</span> <span class="nf">fibonacci</span>(n: <span class="kt">number</span>): <span class="kt">number</span> {
  <span class="k">if</span> (n &lt; <span class="mi">2</span>) <span class="k">return</span> n;
  <span class="nb">console</span>.log(<span class="s1">'computing'</span>, <span class="s">\`n = \${n}\`</span>);
  <span class="k">return</span> fibonacci(n - <span class="mi">1</span>) + fibonacci(n - <span class="mi">2</span>);
}
</code></pre></div>
<div class="codehilite" data-code-language="Diff"><pre><span></span><code><span class="gd">- const limit = 10;</span>
<span class="gi">+ const limit = 20;</span>
</code></pre></div>
<table>
<thead>
<tr>
<th>Measure</th>
<th data-style="text-align: right;">Goal</th>
</tr>
</thead>
<tbody>
<tr>
<td>First message painted</td>
<td data-style="text-align: right;">0.8 s</td>
</tr>
<tr>
<td>Switch of the conversation</td>
<td data-style="text-align: right;">50 ms</td>
</tr>
</tbody>
</table>
<div class="spoiler-block"><div class="spoiler-header">
<p>A spoiler</p>
</div><div class="spoiler-content" aria-hidden="true">
<p>Hidden text</p>
</div></div>
<div class="spoiler-block" data-open=""><div class="spoiler-header">
<p>An open spoiler</p>
</div><div class="spoiler-content">
<p>Now you know.</p>
</div></div>
<p>A search <span class="highlight">result</span>, <span class="highlight_text_inserted">new words</span> and <span class="highlight_text_deleted">old words</span>. <span class="tex-error">\\frac{1}</span> <span class="timestamp-error">Invalid time format: soon</span></p>
<hr>
<p>The end.</p>
`;
