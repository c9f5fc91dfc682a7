// The content of the API reference at /docs: navigation, introduction and every operation, grouped by resource.
import type { FramedPage } from '../docs-layout/frame.ts'
import { type Html, html } from '../docs-layout/html.ts'
import { type OpenApiDocument, type Operation, operationsOf, type Variants } from './document.ts'
import { jsonOf } from './examples.ts'
import { schemaView } from './fields.ts'
import { operationView } from './operation.ts'

export type VariantsOf = (method: string, path: string) => Readonly<Record<string, Variants>>

export function referencePage(document: OpenApiDocument, variantsOf?: VariantsOf): FramedPage {
  const operations = operationsOf(document, variantsOf)
  const groups = (document.tags ?? []).map(({ name }) => ({
    name,
    id: `group-${name.toLowerCase().replaceAll(/\W+/g, '-')}`,
    operations: operations.filter(({ tags }) => tags?.includes(name)),
  }))
  const { title, version, description = '' } = document.info
  return {
    title: 'API reference',
    language: 'en',
    guides: '/guides',
    place: 'reference',
    styles: '/docs/reference.css',
    script: '/docs/reference.js',
    tools: html`<label>Filter<input id="filter" type="search" placeholder="agents, POST, webhook…" autocomplete="off"></label>
<label>API key<input id="key" type="password" placeholder="rml_…" autocomplete="off" spellcheck="false"></label>`,
    side: html`<nav class="operations" aria-label="Operations">${groups.map(
      (group) => html`<details open><summary>${group.name}</summary>${group.operations.map(navLink)}</details>`,
    )}</nav>`,
    main: html`<h1>${title} API ${version}</h1><p class="lead">${withCode(description)}</p>${introduction(operations)}${groups.map(
      (group) =>
        html`<section class="group"><h2 id="${group.id}">${group.name}</h2>${group.operations.map((operation) => operationView(operation, operations))}</section>`,
    )}<p class="nothing" hidden>No operation matches the filter.</p>`,
  }
}

const navLink = ({ id, method, path, summary = '' }: Operation): Html =>
  html`<a href="#${id}" title="${summary}" data-search="${`${method} ${path} ${summary}`.toLowerCase()}"><b class="method ${method.toLowerCase()}">${method}</b> ${path.replace(/^\/api/, '')}</a>`

/** Renders Markdown's backticks as code. */
const withCode = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`

function introduction(operations: readonly Operation[]): Html {
  const error = operations.map(({ responses }) => jsonOf(responses['4XX']?.content)?.schema).find(Boolean)
  return html`<section class="introduction">
<p>Send your key in the header <code>X-Api-Key</code>. To try operations here, enter it above: it stays in this tab and is sent to this server only.
Requests run for real. The same reference for machines: <a href="/openapi.json">openapi.json</a>.</p>
<noscript><p>Without JavaScript the operations do not unfold: read openapi.json instead.</p></noscript>
<pre class="example" tabindex="0"><code>export RAMAL_URL=<span class="origin">http://localhost:3000</span> RAMAL_KEY=rml_…
curl "$RAMAL_URL/api/agents" -H "X-Api-Key: $RAMAL_KEY"</code></pre>
<ul><li><b>Lists</b> are whole arrays. With <code>limit</code> they come in pages: follow the <code>Link</code> header with <code>rel="next"</code>.</li>
<li><b>Retries</b>: send an <code>Idempotency-Key</code> with POST, and a repeated request returns the first response.</li>
<li><b>Rate limits</b>: <code>429</code> with <code>Retry-After</code>.</li></ul>
<h2 id="errors">Errors</h2>${error && schemaView(error)}</section>`
}
