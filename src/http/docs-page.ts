// The reference at /docs: plain HTML drawn from the OpenAPI document, with no script and nothing from elsewhere.

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  description?: string
  default?: unknown
  title?: string
  anyOf?: Schema[]
}
type Operation = {
  summary?: string
  description?: string
  tags?: string[]
  operationId?: string
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema; description?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>
}
type Document = {
  info: { title: string; version: string; description?: string }
  tags?: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}

const style = `:root{color-scheme:light dark;--line:#8884}*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);font-size:.85rem}nav a{display:block;text-decoration:none;color:inherit;padding:.1rem 0;overflow-wrap:anywhere}nav h2{font-size:.9rem;margin:1rem 0 .2rem}
main{padding:1.5rem 2rem;max-width:60rem}section{border-top:1px solid var(--line);padding:1rem 0}h1{margin-top:0}h3{font:600 1rem ui-monospace,monospace;margin:0;overflow-wrap:anywhere}h4{margin:.8rem 0 .2rem;font-size:.9rem}
b.m{display:inline-block;min-width:3.6em;color:#0a6}b.delete{color:#c33}b.patch{color:#b70}b.post{color:#26d}table{border-collapse:collapse;width:100%;font-size:.85rem}td,th{text-align:left;border-bottom:1px solid var(--line);padding:.25rem .5rem .25rem 0;vertical-align:top}code{font-family:ui-monospace,monospace}td code{white-space:nowrap}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}`

export function docsPage(doc: Document): { html: string; policy: string } {
  const operations = Object.entries(doc.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = (doc.tags ?? []).map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) => operation.tags?.includes(name)),
  }))
  const nav = groups.map(
    (group) =>
      `<h2>${text(group.name)}</h2>${group.operations
        .map(
          (o) =>
            `<a href="#${o.operation.operationId}"><b class="m ${o.method}">${o.method.toUpperCase()}</b> ${text(short(o.path))}</a>`,
        )
        .join('')}`,
  )
  const body = groups.map((group) => `<h2>${text(group.name)}</h2>${group.operations.map(section).join('')}`)
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${text(doc.info.title)} API</title><style>${style}</style></head>
<body><nav aria-label="Endpoints">${nav.join('')}</nav><main><h1>${text(doc.info.title)} API ${text(doc.info.version)}</h1><p>${text(doc.info.description ?? '')}</p>
<p>Send your key in the header <code>X-Api-Key</code>. The same as a machine reads it: <a href="/openapi.json">openapi.json</a>. A star marks what must be sent, or is always there.</p>
<pre><code>curl -H "X-Api-Key: $KEY" http://localhost:3000/api/agents</code></pre>${body.join('')}</main></body></html>`
  return { html, policy: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'" }
}

function section({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const parts = [
    `<section id="${operation.operationId}"><h3><b class="m ${method}">${method.toUpperCase()}</b> ${text(path)}</h3>`,
    operation.summary ? `<p>${text(operation.summary)}</p>` : '',
  ]
  const parameters = operation.parameters ?? []
  if (parameters.length > 0)
    parts.push(
      '<h4>Parameters</h4>',
      table(
        parameters.map((p) => [
          `${p.name}${p.required ? ' *' : ''}`,
          `${p.in}: ${typeName(p.schema)}`,
          p.description ?? '',
        ]),
      ),
    )
  for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
    parts.push('<h4>Body</h4>', fields(schema))
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (!status.startsWith('2')) continue
    const [type, content] = Object.entries(answer.content ?? {})[0] ?? []
    parts.push(`<h4>Answer ${text(status)}${type && type !== 'application/json' ? ` (${text(type)})` : ''}</h4>`)
    if (content) parts.push(fields(content.schema))
  }
  return `${parts.join('')}</section>`
}

function fields(schema: Schema): string {
  const object = schema.items ?? schema
  const rows = Object.entries(object.properties ?? {}).map(([name, field]) => [
    `${name}${object.required?.includes(name) ? ' *' : ''}`,
    typeName(field),
    [field.description, field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`]
      .filter(Boolean)
      .join('; '),
  ])
  return `${schema.items ? '<p>A list of:</p>' : ''}${rows.length > 0 ? table(rows) : `<p>${text(typeName(object))}</p>`}`
}

const table = (rows: string[][]) =>
  `<table>${rows.map((row) => `<tr>${row.map((cell, i) => (i === 0 ? `<td><code>${text(cell)}</code></td>` : `<td>${text(cell)}</td>`)).join('')}</tr>`).join('')}</table>`

function typeName(schema: Schema | undefined): string {
  if (!schema) return 'any'
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' | ')
  if (schema.items) return schema.items.enum ? `(${typeName(schema.items)})[]` : `${typeName(schema.items)}[]`
  return [schema.type ?? 'any'].flat().join(' | ')
}

const short = (path: string) => path.replace(/^\/api/, '')
const text = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
