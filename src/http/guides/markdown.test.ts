// Markdown as used by the guides, and hostile input: no raw HTML, no script URLs, at most linear time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Links, renderMarkdown, slug } from './markdown.ts'

const links: Links = {
  href: (target) => (/^(https?:|#)/.test(target) ? target : target === 'phone.md' ? '/guides/phone' : null),
  picture: (target) => (target === 'a.png' ? { src: '/guides/a.png', width: 4, height: 3 } : null),
}
const rendered = (source: string) => renderMarkdown(source, links).content.html

test('headings get the ids that links use, also twice', () => {
  const { content, headings } = renderMarkdown('# A guide\n## `ramal` & *you*\n## Again\n### Again\n#none\n', links)
  assert.deepEqual(headings, [
    { level: 1, text: 'A guide', id: 'a-guide' },
    { level: 2, text: 'ramal & you', id: 'ramal--you' },
    { level: 2, text: 'Again', id: 'again' },
    { level: 3, text: 'Again', id: 'again-1' },
  ])
  assert.match(content.html, /<h2 id="ramal--you"><code>ramal<\/code> &amp; <em>you<\/em> <a class="anchor"/)
  assert.match(content.html, /<p>#none<\/p>/)
  assert.equal(slug('Your first call, in ten minutes'), 'your-first-call-in-ten-minutes')
})

test('paragraphs join their lines; emphasis, code and links are shown', () => {
  assert.equal(
    rendered('One **bold** and *soft*\nword, `a < b` and [phone](phone.md).'),
    '<p>One <strong>bold</strong> and <em>soft</em>\nword, <code>a &lt; b</code> and <a href="/guides/phone">phone</a>.</p>',
  )
  assert.equal(rendered('**[a](#b)**'), '<p><strong><a href="#b">a</a></strong></p>')
  assert.equal(rendered('2 * 3 * 4 and \\*not\\*'), '<p>2 * 3 * 4 and *not*</p>')
  assert.equal(rendered('``a ` b``'), '<p><code>a ` b</code></p>')
  assert.equal(
    rendered('![A phone](a.png)'),
    '<p><img src="/guides/a.png" alt="A phone" width="4" height="3" loading="lazy"></p>',
  )
})

test('lists: nested, numbered, with code and with paragraphs', () => {
  assert.equal(rendered('- a\n- b\n  c\n'), '<ul><li>a</li><li>b\nc</li></ul>')
  assert.equal(rendered('1. a\n   - b\n2. c'), '<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>')
  assert.equal(rendered('3. a'), '<ol start="3"><li>a</li></ol>')
  assert.equal(rendered('- a\n\n  b\n\n- c'), '<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>')
  assert.match(
    rendered('- a:\n\n  ```sh\n  x\n    y\n  ```\n'),
    /<li><p>a:<\/p><pre [^>]*><code>x\n {2}y<\/code><\/pre><\/li>/,
  )
})

test('code keeps its text; an unclosed fence ends with the file', () => {
  assert.equal(
    rendered('```html\n<b>*x*</b>\n\n# no\n```'),
    '<pre class="code" tabindex="0" data-language="html"><code>&lt;b&gt;*x*&lt;/b&gt;\n\n# no</code></pre>',
  )
  assert.match(rendered('```\na'), /<code>a<\/code>/)
})

test('notes for writers are left out: a comment on a line of its own, and what follows the language of code', () => {
  assert.equal(rendered('<!-- a note -->\n# A\n\n<!-- b -->\n\nc\n<!-- d -->\ne'), '<h1 id="a">A</h1><p>c</p><p>e</p>')
  assert.equal(rendered('<!-- open\n\n<b>'), '<p>&lt;!-- open</p><p>&lt;b&gt;</p>')
  assert.match(rendered('```sh norun: no carrier\nx\n```'), / data-language="sh"><code>x</)
})

test('the headings of a translation keep the ids of the original beside their own', () => {
  const { content, headings } = renderMarkdown('# Início\n## Same', links, { otherIds: ['start', 'same'] })
  assert.deepEqual(
    headings.map(({ id }) => id),
    ['início', 'same'],
  )
  assert.match(content.html, /<h1 id="início"><span id="start"><\/span>Início<\/h1><h2 id="same">Same /)
})

test('tables: a bar in code, alignment, and no header where it is empty', () => {
  const table = rendered('| a | n |\n| --- | ---: |\n| `x\\|y` | 1 |\n\nafter')
  assert.match(table, /<th scope="col">a<\/th><th scope="col" class="end">n<\/th>/)
  assert.match(table, /<td><code>x\|y<\/code><\/td><td class="end">1<\/td>/)
  assert.match(table, /<\/table><\/div><p>after<\/p>$/)
  assert.doesNotMatch(rendered('| | |\n| --- | --- |\n| a | b |'), /thead/)
})

test('quotes and rules', () => {
  assert.equal(rendered('> a\n> b\n\n---'), '<blockquote><p>a\nb</p></blockquote><hr>')
})

test('no raw HTML and no address that runs a script, wherever it stands', () => {
  const hostile = '<script>alert(1)</script> <img src=x onerror=alert(1)>'
  const sources = [
    hostile,
    `# ${hostile}`,
    `- ${hostile}`,
    `> ${hostile}`,
    `| ${hostile} |\n| --- |\n| ${hostile} |`,
    `**${hostile}**`,
    `[${hostile}](phone.md)`,
    `![${hostile}](a.png)`,
    `![${hostile}](none.png)`,
    `\`\`\`"><script>\n${hostile}\n\`\`\``,
    '[a](javascript:alert(1)) [b](data:text/html,x) [c](vbscript:x) [d](JaVaScRiPt:x) [e](//evil.example) [f](phone.md"onclick="x)',
    '[a](https://x.example/"onmouseover="alert(1))',
    '<https://x.example>',
  ]
  for (const source of sources) {
    const out = rendered(source)
    assert.doesNotMatch(out, /<script|<img src=x|href="(?!https?:|#|\/guides\/)[^"]/i, source)
    // Apart from attributes and our own tags, nothing may be a tag.
    const tags = out.replaceAll(/"[^"]*"/g, '""').match(/<[^>]*>/g) ?? []
    for (const tag of tags) assert.doesNotMatch(tag, /\son\w+=/i, source)
  }
  assert.equal(rendered('[a](../README.md)'), '<p>a</p>')
})

/** CPU time of this thread, which other processes and threads do not affect. */
function cpuMs(source: string): number {
  const before = process.threadCpuUsage()
  rendered(source)
  return process.threadCpuUsage(before).user / 1000
}

test('hostile repetition costs linear time: four times the text, not sixteen times the work', () => {
  const pieces = ['[', '![', '*', '**', '*a', '`', '``a', '[a](', '](', '|', '> ', '- ', '  - ', '#', '\\', '1. ', '*_']
  for (const piece of pieces)
    for (const shape of [
      (n: number) => piece.repeat(n),
      (n: number) => `${piece}\n`.repeat(n / 4),
      (n: number) => `| ${piece.repeat(n)} |\n| --- |`,
    ]) {
      // The better of two runs, since one may include a garbage collection.
      const large = Math.min(cpuMs(shape(40_000)), cpuMs(shape(40_000)))
      if (large < 500) continue
      const small = cpuMs(shape(10_000))
      assert.ok(large < small * 10, `${JSON.stringify(piece)}: ${Math.round(small)} ms, then ${Math.round(large)} ms`)
    }
})
